package knowledge

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	interpose "github.com/lisa-bench/lisa-bench/pipeline/recorded"
)

// probeOf has variables like "name", or "name:rep"; parameters begin with a "!". Those of enter come first at exit.
func probeOf(enter, more string) *probe {
	p := &probe{Function: interpose.Function{Function: &apispec.Function{Name: "f"}}}
	read := func(text string) (list []variable) {
		for _, word := range strings.Fields(text) {
			name, rep, typed := strings.Cut(word, ":")
			if !typed {
				rep = intRep
			}
			name, param := strings.CutPrefix(name, "!")
			enclosing, field, _ := strings.Cut(name, "->")
			if field == "" {
				enclosing = ""
			}
			list = append(list, variable{name: name, rep: rep, param: param, field: field, enclosing: enclosing, comparability: 1})
		}
		return list
	}
	p.enter = read(enter)
	p.exit = append(read(enter), read(more)...)
	return p
}

// callOf reads the values at entry, and those at exit behind a "|".
func callOf(text string) call {
	words := strings.Fields(text)
	bar := slices.Index(words, "|")
	return call{enter: words[:bar], exit: words[bar+1:]}
}

func calls(n int, format string, values func(i int) []any) (list []call) {
	for i := range n {
		list = append(list, callOf(fmt.Sprintf(format, values(i)...)))
	}
	return list
}

// TestMine has an example of each template, with one call less than it needs beside it.
func TestMine(t *testing.T) {
	digit := func(i int) []any { return []any{i % 10} }
	twice := func(i int) []any { return []any{i, i + 1 + i%2} }
	line := func(i int) []any { return []any{i, i + 3} }
	plane := func(i int) []any { return []any{i * i, 7 * i % 5, i*i + 7*i%5} }
	address := func(i int) []any { return []any{4096 + i} }
	for _, tt := range []struct {
		name, enter, exit string
		calls             []call
		want              string
	}{
		{"one value", "", "return", calls(2, "| 3", func(int) []any { return nil }), "return == 3"},
		{"three values", "", "return", calls(3, "| %d", digit), "return one of { 0, 1, 2 }"},
		{"bounds", "", "return", calls(30, "| %d", digit), "return >= 0"},
		{"too few for bounds", "", "return", calls(20, "| %d", digit), ""},
		{"fractions", "", "return:double", calls(2, "| 1e10", func(int) []any { return nil }), "return == 1.0E10"},
		{"null", "", "return:hashcode", calls(2, "| 0", func(int) []any { return nil }), "return == null"},
		{"one address", "", "return:hashcode", calls(2, "| 64", func(int) []any { return nil }), "return has only one value"},
		{"pointers", "", "return:hashcode", calls(12, "| %d", address), "return != null"},
		{"too few pointers", "", "return:hashcode", calls(11, "| %d", address), ""},
		{"order", "!x", "return", calls(7, "%d | %[1]d %d", twice), "return > orig(x)"},
		{"too few for an order", "!x", "return", calls(6, "%d | %[1]d %d", twice), ""},
		{"difference", "!x", "return", calls(4, "%d | %[1]d %d", line), "return - orig(x) - 3 == 0"},
		{"sum of three", "!x !y", "return", calls(5, "%d %d | %[1]d %[2]d %d", plane), "return - orig(x) - orig(y) == 0"},
		{"equal", "!t:hashcode t->n", "", calls(5, "8 %d | 8 %[1]d", digit), "t->n == orig(t->n)"},
		{"equal where known", "!x", "y", calls(5, "%d | %[1]d %s", func(i int) []any { return []any{i, []string{"-", fmt.Sprint(i)}[i%2]} }),
			"y one of { 1, 3 }\ny == orig(x)"},
		{"not a number", "!x:double", "return:double", calls(5, "nan | nan nan", func(int) []any { return nil }), ""},
	} {
		p := probeOf(tt.enter, tt.exit)
		var got []string
		for _, line := range mine(tableOf(p, tt.calls)) {
			got = append(got, line)
			if l := readLikely(line, tableOf(p, tt.calls)); l.relation != "" {
				if n, holds := l.check(); !holds || n == 0 {
					t.Errorf("%s: %s does not hold where it was mined (%d calls)", tt.name, line, n)
				}
			}
		}
		assert.Check(t, strings.Join(got, "\n") == tt.want,
			"%s: got\n%s\nwant\n%s", tt.name, strings.Join(got, "\n"), tt.want)
	}
}

// TestDaikonFiles writes what Daikon reads, and reads what it printed (Daikon 5.8.25).
func TestDaikonFiles(t *testing.T) {
	p := probeOf("!v:hashcode v->n", "return:double")
	file := filepath.Join(t.TempDir(), "calls.dtrace")
	assert.NilError(t, writeTrace(file, []*probe{p}, []call{callOf("8 1 | 8 - 0.5")}))
	got, err := os.ReadFile(file)
	assert.NilError(t, err)
	golden.Assert(t, string(got), "calls.dtrace")
	found := parseDaikon(`Reading declaration files
===========================================================================
f():::ENTER
v has only one value
===========================================================================
f():::EXIT
orig(v->n) == size(::buf[])-1
return == 0.5
===========================================================================
f():::EXIT1
return == 0.5
Exiting Daikon.
`, []*probe{p})
	if want := []string{"orig(v->n) == size(::buf[])-1", "return == 0.5"}; !slices.Equal(found[p], want) {
		t.Errorf("got %q", found[p])
	}
}
