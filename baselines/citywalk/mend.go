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

// syntaxRules is the first post-processing pass (paper, section on post-processing). It looks at
// the text alone: close what is open, set the includes, and have one main that runs every test.
func (w *workbook) syntaxRules(f *focal, source string) string {
	source = strings.ReplaceAll(source, "\r\n", "\n")
	source = closeBrackets(source)
	source = w.setIncludes(f, source)
	if w.googleTest() && googleTestCase.MatchString(source) { // it brings a main
		rest, _ := cutMains(source)
		return strings.TrimRight(rest, "\n") + "\n"
	}
	return w.callEveryTest(source)
}

var googleTestCase = regexp.MustCompile(`(?m)^\s*TEST(_F)?\s*\(`)

// closeBrackets completes a file that was cut off: an unfinished last statement is dropped and what
// is open is closed. A file with brackets that close too much is left as it is.
func closeBrackets(source string) string {
	var open []string
	pairs := map[string]string{"{": "}", "(": ")", "[": "]"}
	last, depth := 0, 0 // end of the last whole statement, and what was open there
	for _, t := range lex(source) {
		switch {
		case pairs[t.Text] != "":
			open = append(open, pairs[t.Text])
		case t.Text == "}" || t.Text == ")" || t.Text == "]":
			if len(open) == 0 || open[len(open)-1] != t.Text {
				return source
			}
			open = open[:len(open)-1]
		}
		if (t.Text == ";" || t.Text == "{" || t.Text == "}") && !slices.Contains(open, ")") {
			last, depth = t.End, len(open)
		}
	}
	if len(open) == 0 {
		return source
	}
	text := strings.TrimRight(source[:last], " \t\n")
	for i := depth - 1; i >= 0; i-- {
		text += "\n" + open[i]
	}
	return text + "\n"
}

// setIncludes replaces the includes of the library by those of its public headers: the paper takes
// the focal file's, but internal headers are not installed where tests are compiled. Standard
// headers are those of the file and those of the focal file, and a third party's stay as they are.
func (w *workbook) setIncludes(f *focal, source string) string {
	var lines []string
	add := func(line string) {
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	at := leadingComments(source)
	own, rest := clex.Includes(source), source[at:]
	if len(own) > 0 {
		if first := own[0].Start; first < at || strings.Contains(source[at:first], "#") {
			at = first // a definition that is to come before the includes stays there
		}
		rest = withoutIncludes(source, at)
	}
	for _, in := range own {
		if in.Name != "" && !w.ownHeader(in.Name) {
			add(include{Text: in.Name, Quoted: in.Quoted && !standardHeader(in.Name)}.line())
		}
	}
	switch {
	case w.googleTest() && googleTestCase.MatchString(source):
		add("#include <gtest/gtest.h>")
	case strings.Contains(source, "assert(") && w.target.Language == trial.CXX:
		add("#include <cassert>")
	case strings.Contains(source, "assert("):
		add("#include <assert.h>")
	}
	for _, in := range w.project.includes(f.File) { // but POSIX's, which it may use only on other platforms
		if in.File == "" && !in.Quoted && standardHeader(in.Text) && !strings.Contains(in.Text, "/") {
			add(in.line())
		}
	}
	for _, h := range w.target.Headers {
		add("#include <" + h + ">")
	}
	return source[:at] + strings.Join(lines, "\n") + "\n\n" + strings.TrimLeft(rest, "\n")
}

// withoutIncludes is a source from byte at on, where no #include begins before it.
func withoutIncludes(source string, at int) string {
	var b strings.Builder
	for _, in := range clex.Includes(source) {
		b.WriteString(source[at:in.Start])
		at = in.End
	}
	return b.String() + source[at:]
}

// ownHeader reports whether an include means a header of the library: a public one under any path,
// or one that the tree has.
func (w *workbook) ownHeader(name string) bool {
	if standardHeader(name) {
		return false
	}
	public := func(h string) bool { return path.Base(h) == path.Base(name) }
	return slices.ContainsFunc(w.target.Headers, public) || w.project.resolve("", name) != ""
}

// leadingComments is the length of the comments and blanks that a file begins with.
func leadingComments(source string) int {
	for t := range clex.Tokens(source) {
		if t.Kind != clex.Comment {
			return t.Start
		}
	}
	return len(source)
}

// cutMains removes every definition of main; mains are their texts.
func cutMains(source string) (rest string, mains []string) {
	for _, c := range slices.Backward(chunks("", source)) {
		if c.Qual == "main" && !c.Type {
			source = source[:c.start] + source[c.start+len(c.Text):]
			mains = append([]string{c.Text}, mains...)
		}
	}
	return source, mains
}

var testName = regexp.MustCompile(`(?i)^test|test$|_test_`)

// callEveryTest leaves a plain file one main, its first or a new one, that calls every test function of the
// file. A test that another function runs is not called again.
func (w *workbook) callEveryTest(source string) string {
	rest, mains := cutMains(source)
	main := "int main(void)\n{    return 0;\n}"
	switch {
	case len(mains) > 0:
		main = mains[0]
	case w.target.Language == trial.CXX:
		main = "int main()\n{    return 0;\n}"
	}
	calls := ""
	for _, c := range chunks("", rest) {
		if c.Type || c.Params != nil || c.Qual != c.Name || !testName.MatchString(c.Name) {
			continue
		}
		named := regexp.MustCompile(`\b`+c.Name+`\b`).FindAllString(rest+main, 2)
		line := "    " + c.Name + "();\n"
		if (len(mains) == 0 || len(named) == 1) && !strings.Contains(calls, line) {
			calls += line
		}
	}
	if calls == "" && len(mains) < 2 {
		return source
	}
	if calls != "" {
		head, body, _ := strings.Cut(main, "{")
		main = head + "{\n" + calls + body
	}
	return strings.TrimRight(rest, "\n") + "\n\n" + main + "\n"
}

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
