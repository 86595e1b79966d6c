package citywalk

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func TestCloseBrackets(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"whole", "void f(void) { g(); }\n", "void f(void) { g(); }\n"},
		{"cut in a call", "void f(void)\n{\n    g();\n    h(1, ", "void f(void)\n{\n    g();\n}\n"},
		{"cut in a nested block", "void f(void) {\n  if (x) {\n    g();\n  for (;;) {\n", "void f(void) {\n  if (x) {\n    g();\n  for (;;) {\n}\n}\n}\n"},
		{"cut in an initialiser", "int a = 1;\nint b[] = { 1, 2", "int a = 1;\nint b[] = {\n}\n"},
		{"cut in a for", "void f(void) {\n  g();\n  for (int i = 0; i <", "void f(void) {\n  g();\n}\n"},
		{"cut in a literal", "void f(void) {\n  g();\n  puts(\"abc", "void f(void) {\n  g();\n}\n"},
		{"closes too much", "void f(void) { } }\n", "void f(void) { } }\n"},
		{"brackets in literals", "void f(void) { puts(\"({[\"); } // {\n", "void f(void) { puts(\"({[\"); } // {\n"},
	} {
		assert.Check(t, is.Equal(closeBrackets(c.source), c.want), c.name)
	}
}

func TestIncludes(t *testing.T) {
	w := book(t, "stack")
	for _, c := range []struct{ name, source, want string }{
		{"internal headers go, the public one comes", "#include \"src/internal.h\"\n#include \"room.h\"\nint main(void) { return 0; }\n",
			"#include <stdlib.h>\n#include <stack.h>\n\nint main(void) { return 0; }\n"},
		{"another path of the public header", "#include \"include/stack.h\"\n#include <stdio.h>\nint main(void) { return 0; }\n",
			"#include <stdio.h>\n#include <stdlib.h>\n#include <stack.h>\n\nint main(void) { return 0; }\n"},
		{"third party and comment stay", "/* About. */\n#include <zlib.h>\n\nint main(void) { assert(1); return 0; }\n",
			"/* About. */\n#include <zlib.h>\n#include <assert.h>\n#include <stdlib.h>\n#include <stack.h>\n\nint main(void) { assert(1); return 0; }\n"},
		{"a definition before the includes stays there", "#define _GNU_SOURCE\n#include <string.h>\nint main(void) { return 0; }\n",
			"#define _GNU_SOURCE\n#include <string.h>\n#include <stdlib.h>\n#include <stack.h>\n\nint main(void) { return 0; }\n"},
		{"no include at all", "int main(void) { return 0; }\n", "#include <stdlib.h>\n#include <stack.h>\n\nint main(void) { return 0; }\n"},
	} {
		assert.Check(t, is.Equal(w.syntaxRules(w.focals[0], c.source), c.want), c.name)
	}
}

func TestMainCallsEveryTest(t *testing.T) {
	w := &workbook{target: trial.Target{Language: trial.C}, project: &project{}}
	for _, c := range []struct{ name, source, want string }{
		{"no main", "static void test_a(void) { }\nvoid test_b(void) { }\nint helper(int x) { return x; }\n",
			"static void test_a(void) { }\nvoid test_b(void) { }\nint helper(int x) { return x; }\n\nint main(void)\n{\n    test_a();\n    test_b();\n    return 0;\n}\n"},
		{"a test is forgotten", "void test_a(void) { }\nvoid test_b(void) { }\nint main(void) {\n    test_a();\n    return 0;\n}\n",
			"void test_a(void) { }\nvoid test_b(void) { }\n\nint main(void) {\n    test_b();\n\n    test_a();\n    return 0;\n}\n"},
		{"called through another", "void test_a(void) { }\nvoid run_all(void) { test_a(); }\nint main(void) { run_all(); return 0; }\n",
			"void test_a(void) { }\nvoid run_all(void) { test_a(); }\nint main(void) { run_all(); return 0; }\n"},
		{"two mains", "int main(void) { return 0; }\nint main(void) { return 1; }\n", "int main(void) { return 0; }\n"},
		{"no tests, one main", "int main(void) { return 0; }\n", "int main(void) { return 0; }\n"},
		{"nothing to call", "int helper(int x) { return x; }\n", "int helper(int x) { return x; }\n"},
	} {
		got := strings.TrimLeft(w.callEveryTest(c.source), "\n")
		assert.Check(t, got == c.want, "%s: got\n%s\nwant\n%s", c.name, got, c.want)
	}
}

func TestGoogleTestBringsTheMain(t *testing.T) {
	w := book(t, "text")
	got := w.syntaxRules(w.focals[0], "#include <gtest/gtest.h>\nTEST(A, B) { EXPECT_TRUE(true); }\nint main() { return 0; }\n")
	want := "#include <gtest/gtest.h>\n#include <text/trim.h>\n\nTEST(A, B) { EXPECT_TRUE(true); }\n"
	assert.Check(t, got == want, "got\n%s\nwant\n%s", got, want)
}
