package citywalk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// noLibrary is a target for tests that need no library.
func noLibrary() trial.Target {
	return trial.Target{Library: "x", Language: trial.CXX, Headers: []string{"x/y.h"}}
}

// TestFailureReport compiles and runs files of GoogleTest and looks at how they end.
func TestFailureReport(t *testing.T) {
	if _, err := os.Stat("/usr/include/gtest/gtest.h"); err != nil {
		t.Skip("libgtest-dev is not installed")
	}
	found, _ := tools(t)
	w := &workbook{target: noLibrary(), config: configuration{GoogleTest: true}}
	for _, c := range []struct {
		name, source string
		want         trial.Outcome
		line         int    // of the failed assertion
		function     string // that it is in
		printed      string
	}{
		{name: "all pass", want: trial.OK, source: "#include <gtest/gtest.h>\nTEST(A, B) { EXPECT_EQ(1, 1); }\nTEST(A, C) { GTEST_SKIP(); }\n"},
		{name: "a failed EXPECT goes on, and the first is reported", want: trial.Assertion, line: 3, function: "A.B", printed: "reached", source: `#include <gtest/gtest.h>
TEST(A, B) {
  EXPECT_EQ(1, 2) << "one is not two";
  EXPECT_TRUE(false);
}
TEST(A, C) { puts("reached"); }
`},
		{name: "a failed ASSERT leaves the test", want: trial.Assertion, line: 2, function: "A.B", source: `#include <gtest/gtest.h>
TEST(A, B) { ASSERT_STREQ("a", "b"); abort(); }
`},
		{name: "an exception is a failure", want: trial.Assertion, function: "A.B", source: "#include <gtest/gtest.h>\nTEST(A, B) { throw std::runtime_error(\"boom\"); }\n"},
		{name: "a crash is a crash", want: trial.Crash, source: "#include <gtest/gtest.h>\nTEST(A, B) { abort(); }\n"},
		{name: "its own main", want: trial.NonzeroExit, source: "#include <gtest/gtest.h>\nTEST(A, B) { }\nint main(int argc, char** argv) { ::testing::InitGoogleTest(&argc, argv); return RUN_ALL_TESTS() + 3; }\n"},
	} {
		r := runPlain(t, found, w.program(c.source))
		assert.Check(t, r.Outcome == c.want, "%s: %s\n%s", c.name, r.Outcome, r.Stderr)
		if c.want == trial.Assertion && (r.Assertion.Line != c.line || r.Assertion.Func != c.function) {
			t.Errorf("%s: %+v", c.name, r.Assertion)
		}
		assert.Check(t, strings.Contains(r.Stdout, c.printed), "%s: printed %q", c.name, r.Stdout)
	}
}

// runPlain compiles a program, runs it and classifies its end as the sandbox does.
func runPlain(t *testing.T, found *toolchain.Tools, source string) trial.Result {
	t.Helper()
	dir := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "test.cc"), []byte(source), 0o644))
	if _, err := toolchain.Run(t.Context(), toolchain.Command{Args: []string{found.ClangXX.Path, "-O0", "test.cc", "-o", "test", "-lgtest", "-lgtest_main"}, Dir: dir}); err != nil {
		t.Fatalf("%v\n%s", err, source[max(0, len(source)-500):])
	}
	out, err := toolchain.Run(t.Context(), toolchain.Command{Args: []string{filepath.Join(dir, "test")}, Dir: dir})
	v := sandbox.Ending{Stdout: out.Stdout, Stderr: out.Stderr}
	var failed *toolchain.CommandError
	if errors.As(err, &failed) {
		v.ExitCode, v.Signal, v.Stdout, v.Stderr = failed.ExitCode, failed.Signal, failed.Stdout, failed.Stderr
	} else if err != nil {
		t.Fatal(err)
	}
	return sandbox.Classify(v)
}
