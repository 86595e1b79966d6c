package citywalk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// describeFocals is one line for each focal function.
func describeFocals(w *workbook) string {
	var lines []string
	for _, f := range w.focals {
		var calls []string
		for _, c := range f.calls {
			if c.of == aMethod {
				c.name = c.class + "." + c.name
			}
			calls = append(calls, c.name)
		}
		lines = append(lines, fmt.Sprintf("%s %s:%d %s", f.spec.Canonical(), f.File, f.Line, strings.Join(calls, ",")))
	}
	return strings.Join(lines, "\n")
}

func TestFocalsOfC(t *testing.T) {
	want := `stack_new src/stack.c:6 malloc,room_init,free
stack_free src/stack.c:19 room_clear,free
stack_push src/stack.c:27 room_put
stack_pop src/stack.c:32 `
	if got := describeFocals(book(t, "stack")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFocalsOfCXX(t *testing.T) {
	want := `text::Trimmer::Trimmer() src/trim.cc:7 
text::Trimmer::Trimmer(const std::string &) src/trim.cc:9 
text::Trimmer::Trim src/trim.cc:11 First,string.size,Last,string.substr
text::Trimmer::set include/text/trim.h:23 
text::Trimmer::Digits src/trim.cc:19 `
	if got := describeFocals(book(t, "text")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFocalsWithoutTheBuild has sources that do not compile for want of a generated header, a
// definition made by a macro, two platforms, an old-style definition and a function without any.
func TestFocalsWithoutTheBuild(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"include/x.h": "#define API(t) t\nint a(int);\nint b(int);\nint c(int);\nint d(int);\nint e(int);\n",
		"x.c":         "#include \"generated.h\"\n#include \"include/x.h\"\nAPI(int) a(int x) { return helper(x); }\n#define DEFINE(name) int name(int x) { return x; }\nDEFINE(b)\nint c(x)\n    int x;\n{\n    return x;\n}\nint d(int x)\n{\n    return x;\n}\n",
		"dos.c":       "#include \"include/x.h\"\nint d(int x)\n{\n    return dos(x);\n}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, c := tools(t)
	w, missing, err := (&Tool{Compiler: c}).read(t.Context(), trial.Target{
		Library: "x", Language: trial.C, Headers: []string{"x.h"}, IncludeDirs: []string{filepath.Join(dir, "include")}, SourceDir: dir,
	}, defaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := describeFocals(w), "a x.c:3 helper\nc x.c:6 \nd x.c:11 "; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := strings.Join(missing, " "); got != "b e" {
		t.Errorf("missing %s", got)
	}
}

func TestDependencies(t *testing.T) {
	c, cxx := book(t, "stack"), book(t, "text")
	if got, want := strings.Join(c.project.reach("src/stack.c"), " "), "src/stack.c src/internal.h include/stack.h src/room.h"; got != want {
		t.Errorf("two levels from stack.c: %s, want %s", got, want)
	}
	for _, k := range []struct {
		book *workbook
		name string
		want string
	}{
		{c, "stack_new", "src/internal.h struct stack {; src/room.c int room_init(struct room *r, size_t size)"},
		{c, "stack_pop", "include/stack.h typedef enum { STACK_OK = 0, STACK_EMPTY = 1, STACK_FULL = 2 } stack_status;; src/internal.h struct stack {"},
		{cxx, "text::Trimmer::Trim", "include/text/trim.h enum Side { LEFT, RIGHT, BOTH };; src/ends.h inline size_t First(const std::string& text, const std::string& set) {; src/ends.cc size_t Last(const std::string& text, const std::string& set) {"},
	} {
		var got []string
		for _, d := range k.book.project.dependencies(function(t, k.book, k.name)) {
			first, _, _ := strings.Cut(d.Text, "\n")
			got = append(got, d.File+" "+first)
		}
		if text := strings.Join(got, "; "); text != k.want {
			t.Errorf("%s: got %s, want %s", k.name, text, k.want)
		}
	}
}
