package property

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestRepaired(t *testing.T) {
	const before = `#include <ring.h>
#include "lisa_prop.h"
#define LIMIT 3
typedef struct { int a, b; } pair;
enum kind { SMALL, LARGE };
static int (*visit)(int) = NULL;
static int table[] = { 1, 2 };
static int twice(int n) { return 2 * n; }
static int four(int n) { return twice(twice(n)); }
static void body(void)
{
    pair p = { 1, SMALL };
    if (visit) PROPERTY("a", four(p.a) < LIMIT * table[0]);
}
static void other(void) { PROPERTY("b", 1); }
void test_a(void) { lisa_check(body, 9); }
`
	const inBody, inOther = 13, 15
	for _, c := range []struct {
		name, old, new string
		body, other    bool
	}{
		{"nothing", "", "", false, false},
		{"blanks and comments", "four(p.a) <", "four( p.a ) /* now */ <", false, false},
		{"an exclusion", "if (visit)", `EXCLUDE("f(;x)", p.a > (LIMIT)); if (visit)`, false, false},
		{"the condition", "< LIMIT *", "<= LIMIT *", true, false},
		{"the rest of its function", "{ 1, SMALL }", "{ 2, SMALL }", true, false},
		{"what its function calls", "2 * n", "3 * n", true, false},
		{"a macro", "LIMIT 3", "LIMIT 4", true, false},
		{"a type", "int a, b", "long a, b", true, false},
		{"an enum", "SMALL, LARGE }", "SMALL = 1, LARGE }", true, false},
		{"a table", "{ 1, 2 }", "{ 1, 3 }", true, false},
		{"a pointer to a function", "= NULL", "= twice", true, false},
		{"the number of cases", "body, 9", "body, 8", false, false},
		{"another function", `PROPERTY("b", 1)`, `PROPERTY("b", 2)`, false, true},
	} {
		w := &work{}
		w.argue(before)
		w.shown = true
		after := strings.Replace(before, c.old, c.new, 1)
		w.argue(after) // too late
		lines := w.repaired(after)
		assert.Check(t, lines[inBody] == c.body && lines[inOther] == c.other,
			"%s: body %t, other %t, lines %v", c.name, lines[inBody], lines[inOther], sorted(lines))
	}
}

func FuzzDefinitions(f *testing.F) {
	f.Add("void f(void) { EXCLUDE(\"a\", b); }\n#define X {\nint c[] = {1};")
	f.Fuzz(func(t *testing.T, source string) {
		last := 1
		for _, d := range definitionsOf(source) {
			assert.Check(t, d.first >= last && d.last >= d.first && d.last <= 1+strings.Count(source, "\n"),
				"lines %d to %d after %d", d.first, d.last, last)
			last = d.first
		}
	})
}
