package citywalk

import (
	"context"
	_ "embed"
	"fmt"
	"regexp"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// failureReport ends a file of GoogleTest, whose programs report failures through their exit status: with it they
// report them as failed assertions, which the metrics of every tool count.
//
//go:embed harness/googletest.cc
var failureReport string

var includesGoogleTest = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*[<"]gtest/gtest\.h[>"]`)

// googleTest reports whether test files are GoogleTest's: the library's own build offers it.
func (w *workbook) googleTest() bool { return w.target.Language == trial.CXX && w.config.GoogleTest }

// program is the test file as it is compiled and kept in the suite.
func (w *workbook) program(source string) string {
	if w.googleTest() && includesGoogleTest.MatchString(source) {
		return source + failureReport
	}
	return source
}

// findGoogleTest is an error if GoogleTest is needed and not installed.
func (w *workbook) findGoogleTest(ctx context.Context, exec trial.Executor) error {
	if !w.googleTest() {
		return nil
	}
	source := w.program("#include <gtest/gtest.h>\nTEST(GoogleTest, IsInstalled) {}\n")
	program := trial.Program{ID: "googletest", Lang: trial.CXX, Source: source}
	results, err := exec.Run(ctx, []trial.Program{program}, trial.ExecOptions{})
	if err == nil && results[0].Outcome != trial.OK {
		err = fmt.Errorf("citywalk: GoogleTest does not work: %s", results[0].Diagnostic)
	}
	return err
}
