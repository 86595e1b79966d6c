package toolchain

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// findTools returns the installed tools; tests of this package need them all.
var findTools = sync.OnceValues(func() (*Tools, error) { return Find(context.Background(), nil) })

func testTools(t testing.TB) *Tools {
	t.Helper()
	tools, err := findTools()
	assert.NilError(t, err)
	return tools
}

func testCompiler(t testing.TB, workers int) *Compiler {
	t.Helper()
	c, err := NewCompiler(testTools(t), filepath.Join(t.TempDir(), "pch"), testcache.Dir("plugins"), workers, nil)
	assert.NilError(t, err)
	return c
}

// shapesHeader is the public header of the tests' own small library.
const shapesHeader = `#ifndef SHAPES_H
#define SHAPES_H
#include <stddef.h>
typedef struct shape { int sides; double area; const char *name; } shape;
typedef enum { SHAPE_OK = 0, SHAPE_ERR = -1 } shape_status;
#define SHAPE_MAX_SIDES 12
#define SHAPE_INIT(s) do { (s)->sides = 0; (s)->area = 0; } while (0)
shape *shape_new(int sides);
void shape_free(shape *s);
shape_status shape_scale(shape *s, double by);
size_t shape_name(const shape *s, char *buf, size_t size);
static inline int shape_is_square(const shape *s) { return s->sides == 4; }
#endif
`

const shapesSource = `#include "shapes.h"
#include <stdlib.h>
#include <string.h>
shape *shape_new(int sides) {
  shape *s;
  if (sides < 3 || sides > SHAPE_MAX_SIDES) return NULL;
  s = malloc(sizeof *s);
  if (s == NULL) return NULL;
  s->sides = sides; s->area = 1; s->name = sides == 3 ? "triangle" : sides == 4 ? "square" : "polygon";
  return s;
}
void shape_free(shape *s) { free(s); }
shape_status shape_scale(shape *s, double by) {
  if (s == NULL || by < 0) return SHAPE_ERR;
  s->area *= by * by;
  return SHAPE_OK;
}
size_t shape_name(const shape *s, char *buf, size_t size) {
  size_t n = strlen(s->name);
  if (size > 0) { strncpy(buf, s->name, size - 1); buf[size - 1] = 0; }
  return n;
}
`

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	assert.NilError(t, os.WriteFile(path, []byte(text), 0o666))
}

// shapesInclude returns an include directory with shapes.h.
func shapesInclude(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "shapes.h"), shapesHeader)
	return dir
}

const commonIncludes = `#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shapes.h"
`

// goodProgram is the i-th of a family of programs that compile.
func goodProgram(i int) string {
	return fmt.Sprintf("/* Test %d: scaling keeps the number of sides.%s */\n", i, strings.Repeat("\n *", i%4)) +
		commonIncludes + fmt.Sprintf(`
static int helper(const char *text) { return (int)strlen(text) + %[1]d; }

int main(void) {
    shape *s = shape_new(3 + %[1]d %% 9);
    assert(s != NULL);
    for (int round = 0; round < %[1]d; round++) {
        if (shape_scale(s, 1.0 + round) != SHAPE_OK) { shape_free(s); return 1; }
    }
    char name[32];
    size_t n = shape_name(s, name, sizeof name);
    assert(n == strlen(name));
    assert(!shape_is_square(s) || s->sides == 4);
    printf("%%s %%d\n", name, helper(name));
    shape_free(s);
    return 0;
}
`, i)
}

// oddities are programs that compile in special ways or do not compile, one each. BODY
// stands after the common includes.
var oddities = []struct{ name, source string }{
	{"syntax error", "BODY int main(void) { int x = ; return 0; }"},
	{"missing brace", "BODY int main(void) { if (1) { return 0; \n"},
	{"undeclared function", "BODY int main(void) { return shape_create(3) != 0; }"},
	{"undeclared function with a near name", "BODY int main(void) { shape_fre(0); return 0; }"},
	{"undeclared libc function with a near name", "BODY int main(void) { return (int)strlem(\"a\"); }"},
	{"too few arguments", "BODY int main(void) { shape_scale(shape_new(3)); return 0; }"},
	{"redefinition", "BODY int f(void) { return 1; } int f(void) { return 2; } int main(void) { return f(); }"},
	{"macro argument count", "BODY int main(void) { shape s; SHAPE_INIT(&s, 1); return 0; }"},
	{"error in a header's macro", "BODY int main(void) { int s; SHAPE_INIT(&s); return 0; }"},
	{"#error", "BODY \n#error no luck today\nint main(void) { return 0; }"},
	{"#warning", "BODY \n#warning \"x: error: not one\"\nint main(void) { return 0; }"},
	{"unterminated comment", "BODY int main(void) { return 0; } /* and so on"},
	{"unterminated conditional", "BODY \n#if 1\nint main(void) { return 0; }"},
	{"missing include in the middle", "BODY int f(void) { return 0; }\n#include \"nowhere.h\"\nint main(void) { return f(); }"},
	{"late include of a real header", "BODY int f(void) { return 0; }\n#include <math.h>\nint main(void) { return (int)fabs(0.0); }"},
	{"includes another program", "BODY\nint f;\n#include \"p000.c\"\n"},
	{"missing header in the preamble", "#include <nowhere/at_all.h>\n#include <stdio.h>\nint main(void) { return 0; }"},
	{"missing standard include", "#include \"shapes.h\"\nint main(void) { printf(\"%d\", 1); return 0; }"},
	{"no include at all", "int main(void) { return 0; }"},
	{"empty", ""},
	{"only includes", "BODY"},
	{"prose", "Here is the test program you asked for:\n```c\n#include <stdio.h>\nint main(void) { return 0; }\n```\n"},
	{"#define main", "BODY \n#define main other_main\nint main(void) { return 0; }"},
	{"define before includes", "#define _GNU_SOURCE\nBODY int main(void) { char *p = strcasestr(\"ab\", \"B\"); return p == 0; }"},
	{"define that breaks a header", "#define shape 5\nBODY int main(void) { return 0; }"},
	{"error in a preamble macro", "#define TWICE(x) ((x) + )\nBODY int main(void) { return TWICE(2); }"},
	{"C++ guard around include", "#ifdef __cplusplus\nextern \"C\" {\n#endif\nBODY\n#ifdef __cplusplus\n}\n#endif\nint main(void) { return nope; }"},
	{"conditional include", "#if defined(__linux__)\n#include <unistd.h>\n#endif\nBODY int main(void) { return getpid() == nope; }"},
	{"comment across the include line", "#include <stdio.h> /* first\nsecond */ \n#include \"shapes.h\" // end\nint main(void) { return nope; }"},
	{"code after a comment on the include line", "#include <stdio.h> /* first\nsecond */ int x;\nint main(void) { return nope; }"},
	{"continued define", "#define LONG 1 + \\\n  2\nBODY int main(void) { return LONG + nope; }"},
	{"line directive", "BODY\n#line 7 \"other.c\"\nint main(void) { return nope; }"},
	{"carriage returns", "#include <stdio.h>\r\n#include \"shapes.h\"\r\nint main(void) {\r\n return nope;\r\n}\r\n"},
	{"pragma hides an error", "BODY\n#pragma clang diagnostic ignored \"-Wint-conversion\"\nint main(void) { int *p = 5; return p == 0; }"},
	{"pragma operator hides an error", "BODY\n_Pragma(\"GCC diagnostic ignored \\\"-Wint-conversion\\\"\")\nint main(void) { int *p = 5; return p == 0; }"},
	{"would profit from a pragma", "BODY\n\n\n\n\n\nint main(void) { int *p = 5; return p == 0; }"},
	{"warnings and an error", "BODY int main(void) { int unused; char c = 3000; return printf(\"%s\", 5) + nope; }"},
	{"warnings only", "BODY int main(void) { int unused; char c = 3000; return printf(\"%s\", 5); }"},
	{"sixty errors", "BODY int main(void) { " + strings.Repeat("nope();\n bad = 1;\n", 30) + " }"},
	{"nineteen errors", "BODY int main(void) {\n" + strings.Repeat("bad = 1;\n", 19) + " return 0; }"},
	{"bad inline assembly", "BODY int main(void) { __asm__(\"frobnicate %eax\"); return 0; }"},
	{"failing static assertion", "BODY _Static_assert(SHAPE_MAX_SIDES == 13, \"thirteen\\nunits\"); int main(void) { return 0; }"},
	{"C++ in C", "BODY class T { public: int x; }; int main() { std::string s; return 0; }"},
	{"deep nesting", "BODY int main(void) { return " + strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300) + "; }"},
	{"non-ASCII identifier", "BODY int main(void) { int größe = 1; return größe - 1; }"},
	{"smart quotes", "BODY int main(void) { puts(“hi”); return 0; }"},
	{"null character", "BODY int main(void) { return 0; }\x00"},
	{"byte order mark", "\xef\xbb\xbf#include <stdio.h>\nint main(void) { return 0; }"},
	{"counter and line", "BODY _Static_assert(__LINE__ == 6, \"line\"); int main(void) { return __COUNTER__ + nope; }"},
	{"file name", "BODY int main(void) { const int x[sizeof(__FILE__)] = {0}; return x; }"},
}

func corpus() []Unit {
	var units []Unit
	add := func(source string) {
		units = append(units, Unit{ID: fmt.Sprintf("p%03d", len(units)), Lang: trial.C, Source: source})
	}
	for i, o := range oddities {
		if i%4 == 0 {
			add(goodProgram(i))
		}
		add(strings.Replace(o.source, "BODY", commonIncludes, 1))
	}
	return units
}
