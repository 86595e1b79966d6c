package citywalk

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
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

// expectations matches the lines that define EXPECT_EQ and the like.
var expectations = regexp.MustCompile(`(?m)^#define EXPECT_.*\n`)

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
	includes := clex.Includes(source)
	i := slices.IndexFunc(includes, func(in clex.Include) bool { return in.Name == "gtest/gtest.h" })
	if !w.googleTest() || i < 0 {
		return source
	}
	before, after := source[:includes[i].Start], source[includes[i].End:]
	line := strings.Count(source[:includes[i].End], "\n") + 1
	asserts := strings.ReplaceAll(strings.Join(expectations.FindAllString(googleTestHeader, -1), ""), "EXPECT", "ASSERT")
	text := fmt.Sprintf("%s%s%s#line %d\n%s", before, googleTestHeader, asserts, line, after)
	if _, mains := cutMains(source); len(mains) == 0 {
		return strings.TrimRight(text, "\n") + "\n" + standardMain
	}
	return text
}
