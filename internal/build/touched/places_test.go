package touched

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
)

var marks = map[string]string{
	"shop.h": "int grade(int n);\nint other(int n);\nstruct pair { int a; };\n",
	"a.c": `#include "shop.h"
#define LIMIT 9
static int apart(int n)
{
	return n;
}
int grade(int n) {
	static const int weights[] = {1, 2}; // of n
	if (n < 0)
		return -1;
	for (int i = 0; i < n; i++)
		if (i == 3 && n == 4)
			n++;
	switch (n) {
	case 7: return LIMIT;
	case 8: return apart(n);
	}
	n += weights[n & 1];
	return n;
}
int other(int n) {
#ifdef LIMIT
	n++;
#endif
	return n;
}
`,
}

// TestPlaces calls grade with a number in a process and asks whether that executes what a change changes.
func TestPlaces(t *testing.T) {
	cov := build(t, marks, libbuild.Coverage)
	tools, err := toolchain.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(t.TempDir(), "exe")
	main := exe + ".c"
	if err := os.WriteFile(main, []byte("#include <shop.h>\n#include <stdlib.h>\nint main(int c, char **v) { grade(atoi(v[1])); return c != 2; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(c toolchain.Command) {
		t.Helper()
		if _, err := toolchain.Run(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	run(toolchain.Command{Args: []string{tools.Clang.Path, "-I", cov.IncludeDir, main, "-o", exe, cov.SharedLib}})
	soname := filepath.Join(filepath.Dir(exe), "libshop.so.1") // by which the loader asks for it
	if err := os.Symlink(cov.SharedLib, soname); err != nil {
		t.Fatal(err)
	}
	counted := map[string][]uint64{}
	countersOf := func(n string) []uint64 {
		if counted[n] == nil {
			profile := filepath.Join(t.TempDir(), "raw")
			run(toolchain.Command{Args: []string{exe, n}, Env: []string{"LLVM_PROFILE_FILE=" + profile, "LD_LIBRARY_PATH=" + filepath.Dir(soname)}})
			raw, err := os.ReadFile(profile)
			if err != nil {
				t.Fatal(err)
			}
			p, err := toolchain.ParseRawProfile(raw)
			if err != nil {
				t.Fatal(err)
			}
			counted[n] = p.Counters()
		}
		return counted[n]
	}
	var s Selector
	for _, tt := range []struct {
		name, old, new string
		by, not        string // numbers whose call executes it, and that do not
		elsewhere      string
	}{
		{"a condition that each call evaluates", "n < 0", "n < 1", "-1 0 4", "", ""},
		{"a branch", "return -1", "return -2", "-1", "0 4", ""},
		{"the right operand", "n == 4", "n == 5", "4 6", "-1 3", ""},
		{"a statement in a loop", "n++;\n\tswitch", "n--;\n\tswitch", "4", "0 5", ""},
		{"a statement that is gone", "\tn += weights[n & 1];\n", "", "0 5", "-1 7", ""},
		{"a new statement", "\tn += weights", "\tn *= 2;\n\tn += weights", "0 5", "-1 7", ""},
		{"a new statement at the end", "return n;\n}\nint other", "n--;\n\treturn n;\n}\nint other", "0", "-1 7", ""},
		{"a table in a function", "{1, 2}", "{1, 3}", "-1 0", "", ""},
		{"a comment", "// of n", "// of the number", "", "-1 0 4 7", ""},
		{"lines move", "int grade", "\n\nint grade", "", "0", ""},
		{"another function", "n++;\n#endif", "n--;\n#endif", "", "-1 0 4 7", ""},
		{"a condition of the preprocessor in a function", "#ifdef LIMIT", "#ifndef LIMIT", "", "0", ""},
		{"a new function and its call", "static int apart(int n)\n{\n\treturn n;", "static int more(int n) { return n + 1; }\nstatic int apart(int n)\n{\n\treturn more(n);", "8", "7 0", ""},
		{"a function is named otherwise", "static int apart(int n)", "static int apart(long n)", "", "0", "a.c:3: something changes outside of functions"},
		{"a macro", "LIMIT 9", "LIMIT 10", "", "0", "a.c:2: a line of the preprocessor changes"},
		{"a macro that is new", "#define LIMIT", "#define MORE 1\n#define LIMIT", "", "0", "a.c:2: a line of the preprocessor changes"},
		{"a condition between functions", "static int apart(int n)", "#if LIMIT > 2\n#endif\nstatic int apart(int n)", "", "0", "a.c:3: a line of the preprocessor changes"},
		{"a label of a switch", "case 7:", "case 6:", "", "0", "a.c:15: a label of a switch changes"},
		{"a structure", "int a;", "int a, b;", "", "0", "shop.h:3: something changes outside of functions"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from, to := t.TempDir(), t.TempDir()
			for name, text := range marks {
				for dir, text := range map[string]string{from: text, to: strings.Replace(text, tt.old, tt.new, 1)} {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			places, err := s.Places(cov, from, to, []string{"a.c"})
			if err != nil {
				t.Fatal(err)
			}
			if places.Elsewhere != tt.elsewhere {
				t.Errorf("elsewhere: %q, want %q", places.Elsewhere, tt.elsewhere)
			}
			for _, n := range strings.Fields(tt.by) {
				if !places.By(countersOf(n)) {
					t.Errorf("grade(%s) does not execute it", n)
				}
			}
			for _, n := range strings.Fields(tt.not) {
				if places.By(countersOf(n)) {
					t.Errorf("grade(%s) executes it", n)
				}
			}
		})
	}
}
