package citywalk

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

// googleTestHeader stands in for GoogleTest, whose programs report failures through their exit
// status: a program with this header reports them as failed assertions, which the metrics of
// every tool count. What it leaves out (gmock, parameterised, typed and death tests) does not
// compile. docs/baselines.md tells why.
//
//go:embed harness/googletest.h
var googleTestHeader string

// standardMain is what gtest_main.cc does.
const standardMain = `int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
`

var googleTestInclude = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*[<"]gtest/gtest\.h[>"][^\n]*\n?`)

// program is the test file as it is compiled and kept in the suite: on its own. The include of
// GoogleTest, if the project has it, is replaced by the header, without a change of line numbers,
// and a file without main gets that of gtest_main, which such builds link.
func (w *workbook) program(source string) string {
	if !w.googleTest() {
		return source
	}
	at := googleTestInclude.FindStringIndex(source)
	if at == nil {
		return source
	}
	next := strings.Count(source[:at[1]], "\n") + 1
	rest := googleTestInclude.ReplaceAllString(source[at[1]:], "\n")
	text := source[:at[0]] + googleTestHeader + fmt.Sprintf("#line %d\n", next) + rest
	if !definesMain(source) {
		text = strings.TrimRight(text, "\n") + "\n" + standardMain
	}
	return text
}

func definesMain(source string) bool {
	for _, c := range chunks("", source) {
		if c.Name == "main" && !c.Type {
			return true
		}
	}
	return false
}
