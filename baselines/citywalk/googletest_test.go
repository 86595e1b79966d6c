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

// TestGoogleTestHeader compiles and runs files of GoogleTest and looks at how they end.
func TestGoogleTestHeader(t *testing.T) {
	found, _ := tools(t)
	w := &workbook{target: noLibrary(), config: configuration{GoogleTest: true}}
	for _, c := range []struct {
		name, source string
		want         trial.Outcome
		line         int    // of the failed assertion
		function     string // that it is in
		printed      string
	}{
		{name: "everything that passes", want: trial.OK, source: `#include <vector>
#include "gtest/gtest.h"
#include <string>
class Fixture : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { suites++; }
  void SetUp() override { value = 3; }
  void TearDown() override { value = 0; }
  int value = 0;
  static int suites;
};
int Fixture::suites = 0;
TEST_F(Fixture, SetsUp) { EXPECT_EQ(3, value); EXPECT_EQ(1, suites); value = 9; }
TEST_F(Fixture, SetsUpAgain) { ASSERT_EQ(value, 3) << "value " << value; EXPECT_EQ(1, suites); }
TEST(Plain, Compares) {
  std::string text = "abc";
  const char* p = nullptr;
  EXPECT_TRUE(text.size() == 3) << "size";
  EXPECT_FALSE(p); EXPECT_EQ(p, nullptr); EXPECT_EQ(nullptr, p); EXPECT_NE(&text, nullptr);
  EXPECT_LT(1, 2); EXPECT_LE(2, 2); EXPECT_GT(2, 1); EXPECT_GE(2u, 2u);
  EXPECT_STREQ("abc", text.c_str()); EXPECT_STRNE("a", "b"); EXPECT_STRCASEEQ("ABC", "abc"); EXPECT_STREQ(nullptr, p);
  EXPECT_DOUBLE_EQ(0.1 + 0.2, 0.3); EXPECT_FLOAT_EQ(1.0f, 1.0f); EXPECT_NEAR(1.0, 1.05, 0.1);
  EXPECT_THROW(std::string().at(1), std::out_of_range); EXPECT_NO_THROW(text.at(0)); EXPECT_ANY_THROW(throw 1);
  EXPECT_EQ((std::vector<int>{1, 2}), (std::vector<int>{1, 2}));
  if (text.empty()) FAIL() << "empty"; else SUCCEED() << "not";
  for (int i = 0; i < 2; i++) EXPECT_EQ(i, i) << i;
  SCOPED_TRACE("here");
}
TEST(Plain, Skips) { GTEST_SKIP() << "not here"; }
`},
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
		{name: "ULPs", want: trial.Assertion, line: 2, function: "A.B", source: "#include <gtest/gtest.h>\nTEST(A, B) { EXPECT_DOUBLE_EQ(1.0, 1.0000001); }\n"},
		{name: "an exception is a failure", want: trial.Assertion, function: "A.B", source: "#include <gtest/gtest.h>\nTEST(A, B) { throw std::runtime_error(\"boom\"); }\n"},
		{name: "a crash is a crash", want: trial.Crash, source: "#include <gtest/gtest.h>\nTEST(A, B) { abort(); }\n"},
		{name: "its own main", want: trial.NonzeroExit, source: "#include <gtest/gtest.h>\nTEST(A, B) { }\nint main(int argc, char** argv) { ::testing::InitGoogleTest(&argc, argv); return RUN_ALL_TESTS() + 3; }\n"},
	} {
		r := runPlain(t, found, w.program(c.source))
		assert.Check(t, r.Outcome == c.want, "%s: %s\n%s", c.name, r.Outcome, r.Stderr)
		if c.want == trial.Assertion && (r.Assertion.Line != c.line || r.Assertion.Func != c.function || r.Assertion.File != "test.cc") {
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
	if _, err := toolchain.Run(t.Context(), toolchain.Command{Args: []string{found.ClangXX.Path, "-O0", "test.cc", "-o", "test"}, Dir: dir}); err != nil {
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
