package citywalk

import (
	"path"
	"regexp"
	"strconv"
	"strings"
)

// fixRounds is how often the rules are applied: one error may hide another.
const fixRounds = 3

// clang's messages about a file that does not exist, and about a name that it knows in another scope.
var (
	missingFile = regexp.MustCompile(`^'([^']+)' file not found`)
	suggested   = regexp.MustCompile(`^[^']*'(\w+)'.*; did you mean (?:simply )?'((?:\w+::)+\w+)'\?`)
)

// compileErrors is the second post-processing pass on one test file: rules for what clang says of it. They are those
// that the paper names, for wrong namespaces and includes of files that do not exist. The source comes back as it was
// if no rule fits.
func (w *workbook) compileErrors(source, diagnostic string) string {
	lines := strings.Split(source, "\n")
	for _, m := range errorLine.FindAllStringSubmatch(diagnostic, -1) {
		at, _ := strconv.Atoi(m[1])
		column, _ := strconv.Atoi(m[2])
		if at < 1 || at > len(lines) {
			continue
		}
		line := &lines[at-1]
		if found := missingFile.FindStringSubmatch(m[3]); found != nil {
			*line = w.rightInclude(*line, found[1])
		} else if found := suggested.FindStringSubmatch(m[3]); found != nil {
			*line = qualify(*line, column, found[1], found[2])
		}
	}
	return strings.Join(lines, "\n")
}

// errorLine is an error in clang's diagnostics: its line and column, and what it says.
var errorLine = regexp.MustCompile(`(?m)^[^\s:][^:\n]*:(\d+):(\d+): (?:fatal )?error: (.*)$`)

// rightInclude is an include of what does not exist with the path of the public header of that name; nothing
// if there is none.
func (w *workbook) rightInclude(line, name string) string {
	if !strings.Contains(line, name) {
		return line
	}
	for _, h := range w.target.Headers {
		if path.Base(h) == path.Base(name) && h != name {
			return "#include <" + h + ">"
		}
	}
	return ""
}

// qualify replaces a name and its scopes: the first one at or after a column of a line, counted from 1.
func qualify(line string, column int, name, with string) string {
	from := min(max(column-1, 0), len(line))
	at := regexp.MustCompile(`(?:\w+::)*\b` + name + `\b`).FindStringIndex(line[from:])
	if at == nil {
		return line
	}
	return line[:from+at[0]] + with + line[from+at[1]:]
}
