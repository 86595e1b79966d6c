package knowledge

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// probeOf has variables like "name", or "name:pointer" and "name:fraction".
func probeOf(enter, exit string) *probe {
	read := func(text string) (list []variable) {
		for _, word := range strings.Fields(text) {
			name, rep, _ := strings.Cut(word, ":")
			rep = map[string]string{"": integer, "fraction": fraction, "pointer": pointer}[rep]
			list = append(list, variable{name: name, rep: rep, like: rep})
		}
		return list
	}
	return &probe{enter: read(enter), exit: read(exit)}
}

// callOf reads the values at entry, and those at exit behind a "|".
func callOf(text string) call {
	enter, exit, _ := strings.Cut(text, "|")
	return call{values: append(strings.Fields(exit), strings.Fields(enter)...)}
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
		{"fractions", "", "return:fraction", calls(2, "| 1e10", func(int) []any { return nil }), "return == 1.0E10"},
		{"null", "", "return:pointer", calls(2, "| 0", func(int) []any { return nil }), "return == null"},
		{"one address", "", "return:pointer", calls(2, "| 64", func(int) []any { return nil }), "return has only one value"},
		{"pointers", "", "return:pointer", calls(12, "| %d", address), "return != null"},
		{"too few pointers", "", "return:pointer", calls(11, "| %d", address), ""},
		{"order", "x", "return", calls(7, "%d | %d", twice), "return > orig(x)"},
		{"too few for an order", "x", "return", calls(6, "%d | %d", twice), ""},
		{"difference", "x", "return", calls(4, "%d | %d", line), "return - orig(x) - 3 == 0"},
		{"sum of three", "x y", "return", calls(5, "%d %d | %d", plane), "return - orig(x) - orig(y) == 0"},
		{"equal", "t:pointer t->n", "t->n", calls(5, "8 %d | %[1]d", digit), "t->n == orig(t->n)"},
		{"equal where known", "x", "y", calls(5, "%d | %s", func(i int) []any { return []any{i, []string{"-", fmt.Sprint(i)}[i%2]} }),
			"y one of { 1, 3 }\ny == orig(x)"},
		{"not a number", "x:fraction", "return:fraction", calls(5, "nan | nan", func(int) []any { return nil }), ""},
	} {
		p := probeOf(tt.enter, tt.exit)
		var got []string
		for _, v := range mine(tableOf(p, tt.calls)) {
			got = append(got, v.text)
			if n, holds := v.check(tableOf(p, tt.calls)); v.relation != "" && (!holds || n == 0) {
				t.Errorf("%s: %s does not hold where it was mined (%d calls)", tt.name, v.text, n)
			}
		}
		assert.Check(t, strings.Join(got, "\n") == tt.want,
			"%s: got\n%s\nwant\n%s", tt.name, strings.Join(got, "\n"), tt.want)
	}
}
