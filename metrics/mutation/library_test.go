package mutation

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOperators: each operator makes what it says. The golden file has every mutant, then the
// source with all of them.
func TestOperators(t *testing.T) {
	w := newWorkbench(t)
	for _, name := range []string{"operators.c", "operators.cc"} {
		t.Run(name, func(t *testing.T) {
			text := readFile(t, filepath.Join("testdata", name))
			lib := w.make(t, map[string]string{name: text})
			if lib.Refused != 0 {
				t.Errorf("the compiler refuses %d mutants", lib.Refused)
			}
			var got strings.Builder
			seen := map[Operator]bool{}
			for _, m := range lib.Mutants {
				fmt.Fprintf(&got, "%d %s %s: %s → %s\n", m.Line, m.Function, m.Operator, m.Original, m.Mutated)
				seen[m.Operator] = true
			}
			for _, o := range allOperators {
				if !seen[o] && name == "operators.c" {
					t.Errorf("no mutant of operator %s", o)
				}
			}
			all, err := withAll(text, lib.Mutants)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := strings.Count(all, "\n"), strings.Count(text, "\n"); a != b {
				t.Errorf("the source with all mutants has %d lines, not %d", a, b)
			}
			got.WriteString("\n" + all)
			golden(t, filepath.Join("testdata", name+".golden"), got.String())
		})
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := readFile(t, path); got != want {
		t.Errorf("%s differs; -update writes it anew. Got:\n%s", path, got)
	}
}

// TestHostileSources: what the language wants to be constant or whole compiles with all
// mutants, without the compiler's help in finding out.
func TestHostileSources(t *testing.T) {
	w := newWorkbench(t)
	for _, name := range []string{"hostile.c", "hostile.cc"} {
		t.Run(name, func(t *testing.T) {
			lib := w.make(t, map[string]string{name: readFile(t, filepath.Join("testdata", name))})
			if lib.Refused != 0 {
				t.Errorf("the compiler refuses %d mutants", lib.Refused)
			}
			if len(lib.Mutants) < 100 {
				t.Errorf("only %d mutants", len(lib.Mutants))
			}
		})
	}
}

// TestRefusedMutants: an argument that a macro uses as a constant and as a value can only be
// known by compiling it. Its mutants are dropped, the others stay.
func TestRefusedMutants(t *testing.T) {
	lib := newWorkbench(t).make(t, map[string]string{"refused.c": `
#define BOTH(x) do { static int list[x]; list[0] = (x); use(list); } while (0)
int used;
void use(int *p) { used = p[0] + 1; }
void both(void) {
	BOTH(2 + 3);
}
`})
	if lib.Refused != 7 { // 2 + 3, and each number
		t.Errorf("%d mutants refused", lib.Refused)
	}
	for _, m := range lib.Mutants {
		if m.Line == 6 && m.Original != "BOTH(2 + 3)" || m.ID == 0 {
			t.Errorf("left: %+v", m)
		}
	}
	if len(lib.Mutants) == 0 {
		t.Error("no mutant is left")
	}
}

// TestSameCode: mutants of which the compiler makes the code of the library, or of another
// mutant, are known.
func TestSameCode(t *testing.T) {
	lib := newWorkbench(t).make(t, map[string]string{"same.c": `
static int never(int n) { return n + 1; }
int clamp(int n) { return n > 100 ? 100 : n; }
unsigned positive(unsigned n) { if (n > 0) return 1; return 2; }
int twice(int n) { return n * 2; }
`})
	byText := map[string]Mutant{}
	for _, m := range lib.Mutants {
		if !m.Compared {
			t.Errorf("%s → %s was not compared", m.Original, m.Mutated)
		}
		byText[fmt.Sprint(m.Line, " ", m.Original, " → ", m.Mutated)] = m
	}
	for text, want := range map[string]string{
		"2 n + 1 → n - 1":      "equivalent", // nobody calls it
		"3 n > 100 → n >= 100": "equivalent",
		"3 n > 100 → 0":        "counts",
		"4 n > 0 → n != 0":     "equivalent",
		"5 n * 2 → 0":          "counts",
		"5 2 → 0":              "duplicate",
	} {
		m, ok := byText[text]
		got := "counts"
		switch {
		case !ok:
			got = "missing"
		case m.Equivalent:
			got = "equivalent"
		case m.Duplicates != 0:
			got = "duplicate"
		}
		if got != want {
			t.Errorf("%s: %s, not %s", text, got, want)
		}
	}
}
