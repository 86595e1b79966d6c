package citywalk

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
)

// googleTestHeader stands in for GoogleTest, whose programs report failures through their exit
// status: a program with this header reports them as failed assertions, which the metrics of
// every tool count. What it leaves out (gmock, parameterised, typed and death tests) does not
// compile. docs/explanation/baselines.md tells why.
//
//go:embed harness/googletest.h
var googleTestHeader string

// standardMain is what gtest_main.cc does.
const standardMain = `int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
`

// program is the test file as it is compiled and kept in the suite: on its own. The include of
// GoogleTest, if the project has it, is replaced by the header, without a change of line numbers.
// A file without main gets that of gtest_main, which such builds link.
func (w *workbook) program(source string) string {
	if !w.googleTest() {
		return source
	}
	var text strings.Builder
	end := 0
	for _, in := range clex.Includes(source) {
		if in.Name != "gtest/gtest.h" {
			continue
		}
		text.WriteString(source[end:in.Start])
		if end == 0 {
			fmt.Fprintf(&text, "%s#line %d\n", googleTestHeader, strings.Count(source[:in.End], "\n")+1)
		} else {
			text.WriteString("\n")
		}
		end = in.End
	}
	if end == 0 {
		return source
	}
	text.WriteString(source[end:])
	if !definesMain(source) {
		return strings.TrimRight(text.String(), "\n") + "\n" + standardMain
	}
	return text.String()
}

func definesMain(source string) bool {
	for _, c := range chunks("", source) {
		if c.Name == "main" && !c.Type {
			return true
		}
	}
	return false
}
