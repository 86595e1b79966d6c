package citywalk

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// TestCompileErrorRules compiles each program with the real compiler until no rule fits, as the
// second pass does.
func TestCompileErrorRules(t *testing.T) {
	c, cxx := book(t, "stack"), book(t, "text")
	for _, k := range []struct {
		name      string
		book      *workbook
		source    string
		want      string // part of what it becomes
		gone      string // from it
		unmended  bool   // it does not compile afterwards either
		unchanged bool
	}{
		{name: "an include that does not exist", book: c, source: "#include <stack.h>\n#include \"stack_test_util.h\"\nint main(void) { stack_free(NULL); return 0; }\n", gone: "stack_test_util"},
		{name: "the wrong path of a public header", book: c, source: "#include <lib/stack.h>\nint main(void) { stack_free(0); return 0; }\n", want: "#include <stack.h>\n"},
		{name: "the wrong path in C++", book: cxx, source: "#include \"trim.h\"\nint main() { text::Trimmer t; }\n", want: "#include <text/trim.h>\n"},
		{name: "a class without its namespace", book: cxx, source: "#include <text/trim.h>\nint main() { Trimmer t; return t.Trim(\"a\").empty(); }\n", want: "text::Trimmer t"},
		{name: "an enumerator without its namespace", book: cxx, source: "#include <text/trim.h>\nint main() { text::Trimmer t; t.Trim(\"a\", LEFT); }\n", want: "text::LEFT"},
		{name: "a std name without std", book: cxx, source: "#include <text/trim.h>\nint main() { text::Trimmer t; string s = t.Trim(\"a\"); }\n", want: "std::string s"},
		{name: "the wrong namespace", book: cxx, source: "#include <text/trim.h>\nnamespace other { }\nint main() { other::Trimmer t; }\n", want: "text::Trimmer t", gone: "other::T"},
		{name: "a function that is none", book: c, source: "#include <stack.h>\nint main(void) { stack_flush(0); return 0; }\n", unmended: true, unchanged: true},
		{name: "what no rule can do", book: cxx, source: "#include <text/trim.h>\nint main() { text::Trimmer t; t.set_ = \"\"; }\n", unmended: true, unchanged: true},
	} {
		source, left := k.source, ""
		for range fixRounds + 1 {
			if left = diagnose(t, k.book, source); left == "" {
				break
			}
			next := k.book.compileErrors(source, left)
			if next == source {
				break
			}
			source = next
		}
		assert.Check(t, (left != "") == k.unmended && (source == k.source) == k.unchanged,
			"%s: left\n%s\nof\n%s", k.name, left, source)
		if !strings.Contains(source, k.want) || k.gone != "" && strings.Contains(source, k.gone) {
			t.Errorf("%s: became\n%s", k.name, source)
		}
	}
}

// diagnose returns what the real compiler says against a program; "" if it compiles.
func diagnose(t *testing.T, w *workbook, source string) string {
	t.Helper()
	_, c := tools(t)
	r, err := c.Compile(t.Context(), t.TempDir(), toolchain.Flags{IncludeDirs: w.target.IncludeDirs},
		[]toolchain.Unit{{ID: "p", Lang: w.target.Language, Source: source}})
	assert.NilError(t, err)
	return r[0].Diagnostics
}
