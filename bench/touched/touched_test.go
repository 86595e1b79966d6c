package touched

import (
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

var files = map[string]string{
	"shop.h": `
int once(int n);
int twice(int n);
const char *word(int n);
int entry(int n);
int by_pointer(int n);
int choose(int n);
double scaled(double x);
int counted(void);
int ahead(int n);
int length(const char *s);
extern int exported;
`,
	"private.h": `
#define NOINLINE __attribute__((noinline))
extern int hidden __attribute__((visibility("hidden")));
static inline int helper(int n) { return n * 3; }
`,
	"a.c": `
#include "shop.h"
#include "private.h"
#include <string.h>
int exported = 1;
static const int table[] = {2, 3, 5, 7, 11};
static const int *const rows[] = {table, table + 1};
NOINLINE static int apart(int n) { return n * n + 1; }
NOINLINE int once(int n) { return helper(n) + 1; }
NOINLINE int twice(int n) { return helper(helper(n)) + 2 * apart(n); }
const char *word(int n) { return n ? "something" : "nothing"; }
NOINLINE int entry(int n) { return table[n % 5]; }
NOINLINE int by_pointer(int n) { return rows[n & 1][n % 4]; }
int choose(int n) {
	switch (n) {
	case 0: return once(n);
	case 1: return twice(n + 4);
	case 2: return entry(n);
	case 3: return by_pointer(n) - 1;
	case 4: return once(n + 8);
	default: return 9;
	}
}
double scaled(double x) { return x * 1.5; }
int length(const char *s) { return (int)strlen(s); }
`,
	"b.c": `
#include "shop.h"
#include "private.h"
int hidden = 4;
static volatile int started;
NOINLINE static int begun(void) { return started + 7; }
__attribute__((constructor)) static void start(void) { started = begun(); }
int counted(void) { return ++hidden; }
int ahead(int n) { return n + started; }
`,
}

// edited returns the files with one text replaced by another.
func edited(t *testing.T, file, old, new string) map[string]string {
	t.Helper()
	c := maps.Clone(files)
	if c[file] = strings.Replace(c[file], old, new, 1); c[file] == files[file] {
		t.Fatalf("%s has no %q", file, old)
	}
	return c
}

func build(t *testing.T, files map[string]string, v libbuild.Variant) *libbuild.Build {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	dir, key := t.TempDir(), ""
	for _, name := range slices.Sorted(maps.Keys(files)) {
		key += name + files[name]
		assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(files[name]), 0o644))
	}
	lib := &lisabench.Library{Name: "shop", Headers: []string{"shop.h"},
		Recipe: lisabench.Recipe{Sources: []string{"*.c"}, Includes: []string{"."}, SONAME: "libshop.so.1"}}
	b, err := libbuild.New(tools, testcache.Dir(""), 2, slog.New(slog.DiscardHandler)).Build(t.Context(),
		libbuild.Request{Library: lib, Edition: lisabench.Debian, Tree: source.Tree{Dir: dir, Key: key}, Variant: v})
	assert.NilError(t, err)
	return b
}

func TestDiff(t *testing.T) {
	ref := build(t, files, libbuild.Plain)
	for _, tt := range []struct {
		name, file, old, new string
		functions            string
		everything           string // a part of the reason
	}{
		{"a comment", "a.c", "int once", "/* more */ int once", "", ""},
		{"lines move", "a.c", "int once", "\n\nint once", "", ""},
		{"a function", "a.c", "helper(n) + 1", "helper(n) + 2", "once", ""},
		{"a function that is called", "a.c", "n * n + 1", "n * n + 2", "apart", ""},
		{"an inlined function", "private.h", "n * 3", "n * 5", "once twice", ""},
		{"a string", "a.c", "nothing", "nobody", "word", ""},
		{"the end of a string", "a.c", "something", "somethings", "word", ""},
		{"a number", "a.c", "1.5", "2.5", "scaled", ""},
		{"a table and what points to it", "a.c", "7, 11", "7, 13", "by_pointer entry", ""},
		{"a table's size", "a.c", "7, 11}", "7, 11, 13}", "by_pointer entry", ""},
		{"pointers to a table", "a.c", "table + 1}", "table + 2}", "by_pointer", ""},
		{"a table of jumps", "a.c", "case 3: return by_pointer(n) - 1;\n\tcase 4: return once(n + 8)", "case 4: return by_pointer(n) - 1;\n\tcase 3: return once(n + 8)", "choose", ""},
		{"a hidden variable, across files", "b.c", "hidden = 4", "hidden = 5", "counted", ""},
		{"an exported variable", "a.c", "exported = 1", "exported = 2", "", "the exported variable exported differs"},
		{"a new function that is called", "a.c", "NOINLINE int once(int n) { return helper(n) + 1",
			"NOINLINE static int more(int n) { return n + 8; }\nNOINLINE int once(int n) { return more(n)", "once", ""},
		{"a new exported function", "a.c", "NOINLINE int once", "int extra(void) { return 1; }\nNOINLINE int once", "", "only one build exports extra"},
		{"a function that is not exported any more", "a.c", "double scaled", "__attribute__((visibility(\"hidden\"))) double scaled", "", "only one build exports scaled"},
		{"a function of the C library that is its own now", "b.c", "static volatile int started",
			"__attribute__((visibility(\"hidden\"))) unsigned long strlen(const char *s) { return s[0]; }\nstatic volatile int started", "length", ""},
		{"a constructor", "b.c", "started = begun()", "started = begun() + 1", "", "runs when the library is loaded"},
		{"a function that a constructor calls", "b.c", "started + 7", "started + 8", "", "runs when the library is loaded"},
		{"one more constructor", "b.c", "int counted", "__attribute__((constructor)) static void again(void) { started++; }\nint counted", "", "runs when the library is loaded"},
		{"a header", "shop.h", "int once(int n);", "int once(int);", "", "the headers differ"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Diff(ref, build(t, edited(t, tt.file, tt.old, tt.new), libbuild.Plain))
			assert.NilError(t, err)
			if tt.everything != "" {
				assert.Check(t, strings.Contains(got.Everything, tt.everything),
					"everything: %q, want %q", got.Everything, tt.everything)
			} else if got.Everything != "" || strings.Join(got.Functions, " ") != tt.functions {
				t.Errorf("functions %q, everything %q; want %q", got.Functions, got.Everything, tt.functions)
			}
		})
	}
}

func TestReach(t *testing.T) {
	cov := build(t, files, libbuild.Coverage)
	var s Selector
	m, err := s.mapOf(cov)
	assert.NilError(t, err)
	counters := make([]uint64, cov.Counters)
	counters[1] = 1 // of the padding
	for _, f := range m.functions {
		if f.Name == "once" || f.Name == "apart" { // apart is static
			counters[f.Entry] = 3
		}
	}
	_, forged, err := s.Trace(cov, counters)
	assert.Check(t, err == nil && forged, "the counts of the padding: %v", err)
	counters[1] = 0
	trace, _, err := s.Trace(cov, counters)
	assert.NilError(t, err)
	for i, f := range m.functions {
		assert.Check(t, is.Equal(trace[i], f.Name == "once" || f.Name == "apart"), f.Name)
	}
	for _, tt := range []struct {
		name   string
		change Change
		trace  Trace
		want   bool
	}{
		{"nothing", Change{}, trace, false},
		{"what it executes", Change{Functions: []string{"entry", "once"}}, trace, true},
		{"a static function that it executes", Change{Functions: []string{"apart"}}, trace, true},
		{"what it does not execute", Change{Functions: []string{"entry", "twice"}}, trace, false},
		{"everything", Change{Everything: "for a reason"}, trace, true},
		{"a function without a counter", Change{Functions: []string{"unknown"}}, trace, true},
		{"counters are not known", Change{Functions: []string{"entry"}}, nil, true},
	} {
		assert.Check(t, is.Equal(m.reach(tt.change).By(tt.trace), tt.want), tt.name)
	}
}

// TestForged: no execution leaves counts among those of no function, or in a function that was not entered.
func TestForged(t *testing.T) {
	cov := build(t, files, libbuild.Coverage)
	var s Selector
	m, err := s.mapOf(cov)
	assert.NilError(t, err)
	inside := slices.IndexFunc(m.functions, func(f toolchain.ProfiledFunction) bool { return f.Counters > 1 })
	f := m.functions[inside]
	first := slices.IndexFunc(m.entries, func(e int) bool { return e >= 0 })
	var decoys []int
	for i := first; i < len(m.entries); i++ {
		if m.entries[i] < 0 && slices.Max(m.entries[i:]) >= 0 {
			decoys = append(decoys, i)
		}
	}
	assert.Assert(t, first >= 512 && len(decoys) >= 16,
		"functions have the counters from %d on, with %d of none between them", first, len(decoys))
	for name, tt := range map[string]struct {
		counted []int
		want    bool
	}{
		"nothing":                        {nil, false},
		"an entry":                       {[]int{f.Entry}, false},
		"an entry and what follows":      {[]int{f.Entry, f.Entry + 1}, false},
		"a region and no entry":          {[]int{f.Entry + 1}, true},
		"the first page":                 {[]int{0}, true},
		"the last page":                  {[]int{cov.Counters - 1}, true},
		"a decoy":                        {[]int{f.Entry, decoys[len(decoys)/2]}, true},
		"the entry of each function":     {entriesOf(m), false},
		"all between the first and last": {indexesFrom(first, slices.Max(entriesOf(m))), true},
	} {
		counters := make([]uint64, cov.Counters)
		for _, i := range tt.counted {
			counters[i] = 1
		}
		if _, got, err := s.Trace(cov, counters); err != nil || got != tt.want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func entriesOf(m *counterMap) (entries []int) {
	for _, f := range m.functions {
		entries = append(entries, f.Entry)
	}
	return entries
}

func indexesFrom(from, to int) (all []int) {
	for i := from; i < to; i++ {
		all = append(all, i)
	}
	return all
}

func TestLeads(t *testing.T) {
	got, err := Leads(build(t, files, libbuild.Plain), []string{"choose", "twice", "word", "counted", "no_such"})
	assert.NilError(t, err)
	for name, want := range map[string]string{
		"apart": "twice choose", // static, and nearer to twice
		"once":  "choose", "choose": "choose", "word": "word", "counted": "counted", "length": "", "start": "",
	} {
		assert.Check(t, strings.Join(got[name], " ") == want, "%s: %q, want %q", name, got[name], want)
	}
	if got := qualified("_ZN3re23RE24InitERKN4absl11string_viewERKNS0_7OptionsE"); got != "re2::RE2::Init" {
		t.Errorf("qualified: %q", got)
	}
}

func TestOpenRefuses(t *testing.T) {
	for name, data := range map[string]string{
		"empty": "", "no archive": "text", "ends in a header": "!<arch>\na.o/",
		"wrong size":    "!<arch>\n" + "a.o/            0           0     0     644     999       `\n",
		"not an object": "!<arch>\n" + "a.o/            0           0     0     644     4         `\ntext",
	} {
		file := filepath.Join(t.TempDir(), "lib.a")
		assert.NilError(t, os.WriteFile(file, []byte(data), 0o644))
		if _, err := open(file); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
