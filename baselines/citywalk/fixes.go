package citywalk

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// fixRounds is how often the rules are applied: one error may hide another.
const fixRounds = 3

// clang's messages about a file that does not exist, a name that it knows in another scope, a missing header, and an
// unknown name.
var (
	missingFile = regexp.MustCompile(`^'([^']+)' file not found`)
	suggested   = regexp.MustCompile(`^[^']*'(\w+)'.*; did you mean (?:simply )?'((?:\w+::)+\w+)'\?`)
	includeHint = regexp.MustCompile(`include the header <([\w./]+)>`)
	unknownName = regexp.MustCompile(
		`^(?:use of undeclared identifier|unknown type name|call to undeclared function|no (?:member|type|template) named) '`)
)

// Headers that may declare an unknown name. clang names a header only for functions of C, and suggests a scope only
// for a name that it knows. A C++ file gets the headers of C too, so that their names are found without std::.
var (
	usualHeaders = strings.Fields(`assert.h ctype.h errno.h float.h limits.h math.h stdbool.h stddef.h stdint.h stdio.h
		stdlib.h string.h strings.h unistd.h`)
	usualCXXHeaders = strings.Fields(`algorithm array functional iostream limits map memory optional set sstream stdexcept
		string string_view thread tuple unordered_map unordered_set utility vector`)
)

// compileErrors is the second post-processing pass on one test file: rules for what clang says of
// it. The paper names wrong namespaces and includes of files that do not exist; beside these the
// rules add standard headers that may be missing. The source comes back as it was if no rule fits.
func (w *workbook) compileErrors(source, diagnostic string) string {
	lines := strings.Split(source, "\n")
	var headers []string // to be included
	for _, e := range parseErrors(diagnostic) {
		if e.line < 1 || e.line > len(lines) {
			continue
		}
		line := &lines[e.line-1]
		if m := missingFile.FindStringSubmatch(e.text); m != nil {
			*line = w.rightInclude(*line, m[1])
		} else if m := suggested.FindStringSubmatch(e.text); m != nil {
			*line = qualify(*line, e.column, m[1], m[2])
		} else if m := includeHint.FindStringSubmatch(e.text); m != nil {
			headers = append(headers, m[1])
		} else if unknownName.MatchString(e.text) {
			headers = append(headers, usualHeaders...)
			if w.target.Language == trial.CXX {
				headers = append(headers, usualCXXHeaders...)
			}
		}
	}
	return addIncludes(strings.Join(lines, "\n"), headers)
}

// A compileError is one error of clang with its notes.
type compileError struct {
	line, column int
	text         string // of the error; the notes follow on lines of their own
}

var (
	errorLine = regexp.MustCompile(`(?m)^[^\s:][^:\n]*:(\d+):(\d+): (?:fatal )?error: (.*)$`)
	noteLine  = regexp.MustCompile(`(?m)^[^:\n]+:\d+:\d+: note: (.*)$`)
)

// parseErrors reads clang's diagnostics.
func parseErrors(diagnostic string) []compileError {
	at := errorLine.FindAllStringSubmatchIndex(diagnostic, -1)
	var list []compileError
	for i, m := range at {
		end := len(diagnostic)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		line, _ := strconv.Atoi(diagnostic[m[2]:m[3]])
		column, _ := strconv.Atoi(diagnostic[m[4]:m[5]])
		e := compileError{line, column, diagnostic[m[6]:m[7]]}
		for _, n := range noteLine.FindAllStringSubmatch(diagnostic[m[1]:end], -1) {
			e.text += "\n" + n[1]
		}
		list = append(list, e)
	}
	return list
}

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

// addIncludes adds the headers that a source lacks after its last include, or at the beginning.
func addIncludes(source string, headers []string) string {
	at := 0
	var has, lines []string
	for _, in := range clex.Includes(source) {
		at, has = in.End, append(has, in.Name)
	}
	slices.Sort(headers)
	for _, h := range slices.Compact(headers) {
		if !slices.Contains(has, h) {
			lines = append(lines, "#include <"+h+">\n")
		}
	}
	if len(lines) > 0 && at > 0 && source[at-1] != '\n' {
		lines = append([]string{"\n"}, lines...)
	}
	return source[:at] + strings.Join(lines, "") + source[at:]
}
