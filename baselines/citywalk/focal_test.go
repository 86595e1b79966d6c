package citywalk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

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

// TestFocalsWithoutTheBuild has sources that do not compile for want of a generated header, a
// definition made by a macro, two platforms, an old-style definition and a function without any.
func TestFocalsWithoutTheBuild(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"include/x.h": "#define API(t) t\nint a(int);\nint b(int);\nint c(int);\nint d(int);\nint e(int);\n",
		"x.c":         "#include \"generated.h\"\n#include \"include/x.h\"\nAPI(int) a(int x) { return helper(x); }\n#define DEFINE(name) int name(int x) { return x; }\nDEFINE(b)\nint c(x)\n    int x;\n{\n    return x;\n}\nint d(int x)\n{\n    return x;\n}\n",
		"dos.c":       "#include \"include/x.h\"\nint d(int x)\n{\n    return dos(x);\n}\n",
	} {
		assert.NilError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	_, c := tools(t)
	w, missing, err := (&Tool{Compiler: c}).read(t.Context(), trial.Target{
		Library: "x", Language: trial.C, Headers: []string{"x.h"}, IncludeDirs: []string{filepath.Join(dir, "include")}, SourceDir: dir,
	}, defaultOptions())
	assert.NilError(t, err)
	if got, want := describeFocals(w), "a x.c:3 helper\nc x.c:6 \nd x.c:11 "; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	assert.Check(t, is.Equal(strings.Join(missing, " "), "b e"), "missing")
}
