package auvc

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

func testCounter(t *testing.T) *Counter {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	c, err := toolchain.NewCompiler(tools, t.TempDir(), testcache.Dir("plugins"), 2, nil)
	assert.NilError(t, err)
	return &Counter{Compiler: c}
}

// TestAgreement holds the count against what people say of pairs of assertions. With -v it prints the table of
// docs/reference/metrics.md and the pairs on which they differ.
func TestAgreement(t *testing.T) {
	counter := testCounter(t)
	for _, tt := range []struct {
		file        string
		pairs       int
		least, most float64 // kappa: the interval of docs/reference/metrics.md
	}{{"testdata/made.yaml", 243, 0.919, 1}, {"testdata/drawn/pairs.yaml", 60, 0.512, 1}} {
		t.Run(tt.file, func(t *testing.T) {
			if testing.Short() && tt.pairs < 100 {
				t.Skip("reads the headers of five libraries")
			}
			set := loadLabelled(t, tt.file)
			g := agreement{}
			for i, said := range set.judged(t, counter) {
				p := set.Pairs[i]
				g[[2]label{p.Label, said}]++
				if said != p.Label {
					t.Logf("%s: people %s, program %s: %s | %s (%s)", p.ID, p.Label, said, p.First, p.Second, p.Why)
				}
			}
			t.Log(g)
			if k, _ := g.kappa(); !(k >= tt.least && k <= tt.most) || len(set.Pairs) != tt.pairs {
				t.Errorf("kappa %.3f of %d pairs, want %.3f to %.3f of %d", k, len(set.Pairs), tt.least, tt.most, tt.pairs)
			}
		})
	}
}

// An agreement is how often people gave a label and the program one.
type agreement map[[2]label]int

// kappa is Cohen's κ = (p₀ − pₑ) ÷ (1 − pₑ), with its standard error √(p₀ (1 − p₀) ÷ n) ÷ (1 − pₑ). p₀ is the
// observed agreement, pₑ the one expected from each rater's frequencies (Cohen, Educ. Psychol. Meas. 20, 1960).
func (g agreement) kappa() (kappa, se float64) {
	var n, equal, expected float64
	for _, k := range g {
		n += float64(k)
	}
	for _, l := range labels {
		var first, second float64
		for _, other := range labels {
			first += float64(g[[2]label{l, other}])
			second += float64(g[[2]label{other, l}])
		}
		equal += float64(g[[2]label{l, l}])
		expected += first / n * second / n
	}
	return (equal/n - expected) / (1 - expected), math.Sqrt(equal/n*(1-equal/n)/n) / (1 - expected)
}

// String is the table: rows are people's labels, columns the program's.
func (g agreement) String() string {
	kappa, se := g.kappa()
	var b strings.Builder
	fmt.Fprintf(&b, "kappa %.3f ± %.3f\n%10s %9s %9s %9s\n", kappa, 1.96*se, "", labels[0], labels[1], labels[2])
	for _, l := range labels {
		fmt.Fprintf(&b, "%-10s", l)
		for _, other := range labels {
			fmt.Fprintf(&b, " %9d", g[[2]label{l, other}])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
