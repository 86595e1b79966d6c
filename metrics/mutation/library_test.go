package mutation

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"
)

// TestOperators: each operator makes what it says. The golden file has every mutant, then the
// source with all of them.
func TestOperators(t *testing.T) {
	w := newWorkbench(t)
	for _, name := range []string{"operators.c", "operators.cc"} {
		t.Run(name, func(t *testing.T) {
			text := readFile(t, filepath.Join("testdata", name))
			lib := w.make(t, map[string]string{name: text})
			assert.Check(t, lib.Refused == 0, "the compiler refuses %d mutants", lib.Refused)
			var got strings.Builder
			seen := map[string]bool{}
			for _, m := range lib.Mutants {
				fmt.Fprintf(&got, "%d %s %s: %s → %s\n", m.Line, m.Function, m.Operator, m.Original, m.Mutated)
				seen[m.Operator] = true
			}
			for _, o := range operatorNames {
				if !seen[o] && name == "operators.c" {
					t.Errorf("no mutant of operator %s", o)
				}
			}
			all, err := withAll(text, lib.Mutants)
			assert.NilError(t, err)
			if a, b := strings.Count(all, "\n"), strings.Count(text, "\n"); a != b {
				t.Errorf("the source with all mutants has %d lines, not %d", a, b)
			}
			got.WriteString("\n" + all)
			golden.Assert(t, got.String(), name+".golden")
		})
	}
}

// TestHostileSources: what the language wants to be constant or whole compiles with all
// mutants, without the compiler's help in finding out.
func TestHostileSources(t *testing.T) {
	w := newWorkbench(t)
	for _, name := range []string{"hostile.c", "hostile.cc"} {
		t.Run(name, func(t *testing.T) {
			lib := w.make(t, map[string]string{name: readFile(t, filepath.Join("testdata", name))})
			assert.Check(t, lib.Refused == 0, "the compiler refuses %d mutants", lib.Refused)
			assert.Check(t, len(lib.Mutants) >= 100, "only %d mutants", len(lib.Mutants))
		})
	}
}

// TestRefusedMutants: an argument that must be a constant can only be known by compiling it. Its mutants are
// dropped, the others stay.
func TestRefusedMutants(t *testing.T) {
	lib := newWorkbench(t).make(t, map[string]string{"refused.c": `
void use(int n) __attribute__((enable_if(n > 0, "a positive constant")));
void used(int n) __asm__("use");
int last;
void used(int n) { last = n + 1; }
void both(void) { use(2 + 3); }
`})
	if lib.Refused != 8 { // the call, 2 + 3, and each number
		t.Errorf("%d mutants refused", lib.Refused)
	}
	for _, m := range lib.Mutants {
		assert.Check(t, m.Line != 6 && m.ID != 0, "left: %+v", m)
	}
	assert.Check(t, len(lib.Mutants) != 0, "no mutant is left")
}
