package auvc

import (
	"bytes"
	"math"
	"path/filepath"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
)

func testCounter(t *testing.T) *Counter {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := toolchain.NewCompiler(tools, t.TempDir(), testcache.Dir("plugins"), 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Counter{Compiler: c}
}

// TestAgreement holds the count against the labelled sets. bench auvc prints the same tables; -v
// also shows the conditions of the pairs on which they differ.
func TestAgreement(t *testing.T) {
	counter := testCounter(t)
	for _, tt := range []struct {
		name, file string
		least      float64 // kappa, as docs/reference/metrics.md says
	}{{"made", "", 0.95}, {"drawn", "testdata/drawn/pairs.yaml", 0.74}} {
		t.Run(tt.name, func(t *testing.T) {
			set, err := LoadLabelled(tt.file)
			if err != nil {
				t.Fatal(err)
			}
			program, err := counter.Judge(t.Context(), t.TempDir(), set)
			if err != nil {
				t.Fatal(err)
			}
			people := set.Labels()
			g := Compare(people, program)
			var table bytes.Buffer
			if err := g.Write(&table, "people", "program"); err != nil {
				t.Fatal(err)
			}
			t.Log(table.String())
			for _, p := range set.Pairs {
				if people[p.ID] == program[p.ID] {
					continue
				}
				u, err := set.program(p)
				if err != nil {
					t.Fatal(err)
				}
				flags, err := set.flags(filepath.Dir(p.Program))
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%s: people %s, program %s\n%s", p.ID, people[p.ID], program[p.ID], conditionsOf(t, counter, flags, u))
			}
			if k, ok := g.kappa(); !ok || k < tt.least {
				t.Errorf("kappa %.3f, want at least %.2f", k, tt.least)
			}
		})
	}
}

// TestKappa checks against worked examples. The first is Cohen's own table 1 in the form of
// proportions of 200 judgements: 0.25, 0.13, 0.12 / 0.12, 0.02, 0.16 / 0.03, 0.15, 0.02 gives
// a negative coefficient.
func TestKappa(t *testing.T) {
	of := func(rows [3][3]int) Agreement {
		g := Agreement{Matrix: map[[2]Label]int{}}
		for i, row := range rows {
			for k, n := range row {
				g.Matrix[[2]Label{labels[i], labels[k]}] = n
				g.Pairs += n
				if i == k {
					g.Equal += n
				}
			}
		}
		return g
	}
	tests := []struct {
		name string
		rows [3][3]int
		want float64
	}{
		{"perfect", [3][3]int{{5, 0, 0}, {0, 3, 0}, {0, 0, 2}}, 1},
		{"chance", [3][3]int{{25, 25, 0}, {25, 25, 0}, {0, 0, 0}}, 0},
		{"20 5 10 15", [3][3]int{{20, 5, 0}, {10, 15, 0}, {0, 0, 0}}, 0.4}, // p0 0.7, pe 0.5
		{"none", [3][3]int{{0, 10, 0}, {10, 0, 0}, {0, 0, 0}}, -1},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if k, ok := of(tc.rows).kappa(); !ok || math.Abs(k-tc.want) > 1e-12 {
				t.Errorf("kappa %v, %v; want %v", k, ok, tc.want)
			}
		})
	}
	for _, g := range []Agreement{{}, of([3][3]int{{4, 0, 0}})} {
		if _, ok := g.kappa(); ok {
			t.Errorf("kappa of %v is defined", g.Matrix)
		}
	}
}
