package citywalk

import (
	"regexp"
	"slices"
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
	if w.googleTest() && googleTestCase.MatchString(source) {
		return oneMain(source)
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
	own := clex.Includes(source)
	for _, in := range own {
		if in.Name != "" && !w.ownHeader(in.Name) {
			add(include{Text: in.Name, Quoted: in.Quoted && !standardHeader(in.Name)}.line())
		}
	}
	if w.googleTest() && googleTestCase.MatchString(source) {
		add("#include <gtest/gtest.h>")
	} else if strings.Contains(source, "assert(") {
		add(map[bool]string{true: "#include <cassert>", false: "#include <assert.h>"}[w.target.Language == trial.CXX])
	}
	for _, in := range w.project.includes(f.File) {
		if in.File == "" && !in.Quoted && standardHeader(in.Text) && isoHeader(in.Text) {
			add(in.line())
		}
	}
	for _, h := range w.target.Headers {
		add("#include <" + h + ">")
	}
	at := leadingComments(source)
	if len(own) > 0 {
		first := own[0].Start
		at = min(at, first)
		if strings.Contains(source[at:first], "#") { // a definition that is to come before the includes
			at = first
		}
	}
	return source[:at] + strings.Join(lines, "\n") + "\n\n" + strings.TrimLeft(withoutIncludes(source, at), "\n")
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

// isoHeader leaves out POSIX's, which a focal file may use only on other platforms.
func isoHeader(name string) bool { return !strings.Contains(name, "/") }

// ownHeader reports whether an include means a header of the library: a public one under any path,
// or one that the tree has.
func (w *workbook) ownHeader(name string) bool {
	if standardHeader(name) {
		return false
	}
	for _, h := range w.target.Headers {
		if h == name || strings.HasSuffix("/"+name, "/"+lastOf(h)) {
			return true
		}
	}
	return w.project.resolve("", name) != ""
}

func lastOf(file string) string { return file[strings.LastIndexByte(file, '/')+1:] }

// leadingComments is the length of the comments and blanks that a file begins with.
func leadingComments(source string) int {
	for t := range clex.Tokens(source) {
		if t.Kind != clex.Comment {
			return t.Start
		}
	}
	return len(source)
}

// oneMain leaves a file of GoogleTest the main of gtest_main only.
func oneMain(source string) string {
	source, _ = cutMains(source)
	return strings.TrimRight(source, "\n") + "\n\n" + standardMain
}

// cutMains removes every definition of main.
func cutMains(source string) (rest string, mains []chunk) {
	all := chunks("", source)
	for i := len(all) - 1; i >= 0; i-- {
		if c := all[i]; c.Name == "main" && c.Qual == "main" && !c.Type {
			source = source[:c.start] + source[c.start+len(c.Text):]
			mains = append(mains, c)
		}
	}
	return source, mains
}

var testName = regexp.MustCompile(`(?i)^test|test$|_test_`)

// callEveryTest leaves a plain file one main that calls every test function of the file. A file
// without test functions keeps its first main.
func (w *workbook) callEveryTest(source string) string {
	rest, mains := cutMains(source)
	var calls []string
	seen := map[string]bool{}
	for _, c := range chunks("", rest) {
		if c.Type || c.Params != nil || seen[c.Qual] || !testName.MatchString(c.Name) || strings.Contains(c.Qual, "::") {
			continue
		}
		seen[c.Qual] = true
		calls = append(calls, c.Name)
	}
	if len(mains) == 0 && len(calls) == 0 {
		return source
	}
	if len(mains) > 0 {
		first := mains[len(mains)-1]
		missing := slices.DeleteFunc(slices.Clone(calls), func(name string) bool {
			return regexp.MustCompile(`\b` + name + `\b`).MatchString(first.Text)
		})
		// A test that another function of the file runs is not missing.
		missing = slices.DeleteFunc(missing, func(name string) bool {
			return len(regexp.MustCompile(`\b`+name+`\b`).FindAllString(rest, 2)) > 1
		})
		if len(missing) == 0 && len(mains) == 1 {
			return source
		}
		if len(missing) == 0 {
			return strings.TrimRight(rest, "\n") + "\n\n" + first.Text + "\n"
		}
		open := strings.IndexByte(first.Text, '{')
		return strings.TrimRight(rest, "\n") + "\n\n" + first.Text[:open+1] + "\n" + callLines(missing) + first.Text[open+1:] + "\n"
	}
	head := "int main(void)\n{\n"
	if w.target.Language == trial.CXX {
		head = "int main()\n{\n"
	}
	return strings.TrimRight(rest, "\n") + "\n\n" + head + callLines(calls) + "    return 0;\n}\n"
}

func callLines(names []string) string {
	var b strings.Builder
	for _, n := range names {
		b.WriteString("    " + n + "();\n")
	}
	return b.String()
}
