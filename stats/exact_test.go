package stats

import (
	"math"
	"testing"

	"gotest.tools/v3/assert"
)

// R 4.2: fisher.test(matrix(c(k1, n1-k1, k2, n2-k2), 2)), estimate and conf.int.
func TestFisherConditionalOddsOfR(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		k1, n1, k2, n2  int
		odds, low, high float64
	}{
		{12, 25, 3, 25, 6.501540468, 1.400798457, 42.62600249},
		{12, 25, 2, 25, 10.10702808, 1.832442626, 106.8439612},
		// R stops at 621.93; the bound is where 1/(1 + 16/w + 36/w² + 16/w³ + 1/w⁴) = 0.975.
		{3, 4, 1, 4, 6.408308867, 0.2117329153, 626.2435306},
		{2, 17, 10, 13, 0.04693660883, 0.003325764034, 0.3631822715},
		{0, 5, 3, 5, 0, 0, 2.02687131},
		{5, 5, 1, 6, inf, 1.354166207, inf},
	}
	for _, tt := range tests {
		r := FisherExact(tt.k1, tt.n1, tt.k2, tt.n2)
		if math.IsInf(tt.odds, 1) {
			assert.Check(t, r.ConditionalOdds == nil, "%+v: an infinite ratio is not nil: %+v", tt, r)
		} else if r.ConditionalOdds == nil {
			t.Errorf("%+v: no conditional odds", tt)
		} else {
			near(t, "conditional odds", *r.ConditionalOdds, tt.odds, 2e-4*(1+tt.odds)) // R's uniroot stops early
		}
		near(t, "low", r.Odds.Low, tt.low, 1e-4*(1+tt.low))
		if (r.Odds.High == nil) != math.IsInf(tt.high, 1) {
			t.Errorf("%+v: upper bound %v", tt, r.Odds.High)
		} else if r.Odds.High != nil {
			near(t, "high", *r.Odds.High, tt.high, 1e-3*tt.high)
		}
	}
}

// Exact coverage: for given margins, the probability that the interval holds the true
// ratio is never below its level.
func TestFisherOddsIntervalCovers(t *testing.T) {
	const n1, n2, total = 12, 10, 9
	for _, odds := range []float64{0.1, 0.5, 1, 1.7, 4, 20} {
		m := newMargins(total, n1, 0, n2)
		covered := 0.0
		for i, p := range m.probabilities(math.Log(odds)) {
			iv := m.oddsInterval(m.low+i, 0.95)
			if iv.Low <= odds && (iv.High == nil || odds <= *iv.High) {
				covered += p
			}
		}
		assert.Check(t, covered >= 0.95-1e-9 && covered <= 1+1e-9,
			"an odds ratio of %g is covered with probability %g", odds, covered)
	}
}

func TestMcNemarExact(t *testing.T) {
	tests := []struct {
		name       string
		first, sec int
		p, least   float64
	}{
		// Agresti, Categorical Data Analysis (1990), p. 350, in R's ?mcnemar.test; the exact p is
		// that of R: binom.test(86, 236).
		{"approval ratings", 86, 150, 3.71593613957e-05, 0},
		{"R: binom.test(12, 15)", 12, 3, 0.03515625, 2.0 / 32768},
		{"R: binom.test(11, 12)", 11, 1, 0.00634765625, 2.0 / 4096},
		{"six to none is the least that can be significant", 6, 0, 2.0 / 64, 2.0 / 64},
		{"five discordant", 5, 0, 2.0 / 32, 2.0 / 32},
		{"even", 10, 10, 1, 2.0 / 1048576},
		{"no disagreement", 0, 0, 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := McNemarExact(tt.first, tt.sec)
			near(t, "p", r.P, tt.p, 1e-10)
			near(t, "smallest p", r.MinP, tt.least, 1e-12)
		})
	}
}

func TestHolm(t *testing.T) {
	tests := []struct {
		name     string
		ps, want []float64
	}{
		{"R: p.adjust(c(0.01, 0.04, 0.03, 0.005), \"holm\")", []float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{"one test", []float64{0.04}, []float64{0.04}},
		{"never above 1", []float64{0.9, 0.6}, []float64{1, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Holm(tt.ps)
			for i := range got {
				near(t, "adjusted", got[i], tt.want[i], 1e-12)
			}
		})
	}
}

// R 4.2: the sum over all outcomes of dbinom(a, n1, p1) dbinom(b, n2, p2) where
// fisher.test's p < 0.05.
func TestFisherPowerOfR(t *testing.T) {
	tests := []struct {
		p1    float64
		n1    int
		p2    float64
		n2    int
		power float64
	}{
		{0.48, 25, 0.12, 25, 0.7243399653},
		{0.48, 25, 0.08, 25, 0.855691153},
		{0.12, 25, 0.12, 25, 0.01339989034},
		{0.9, 10, 0.2, 8, 0.8391735576},
		{1, 5, 0, 5, 1},
	}
	for _, tt := range tests {
		d := NewFisherDesign(tt.n1, tt.n2)
		got := d.power(tt.p1, tt.p2)
		near(t, "power", got, tt.power, 1e-9)
	}
}

func TestMinimumDetectable(t *testing.T) {
	d := NewFisherDesign(25, 25)
	higher := d.MinimumDetectable(0.12, 0.8)
	assert.Check(t, higher != nil && d.power(*higher, 0.12) >= 0.8 && d.power(*higher-0.001, 0.12) < 0.8,
		"got %v", higher)
	// Two groups of three cannot give p < 0.05 whatever happens.
	if higher := NewFisherDesign(3, 3).MinimumDetectable(0.2, 0.8); higher != nil {
		t.Errorf("got %g", *higher)
	}
}

func TestBinomialProbs(t *testing.T) {
	for _, n := range []int{1, 7, 300} {
		for _, p := range []float64{0, 1e-9, 0.3, 0.5, 1} {
			mean, sum := 0.0, 0.0
			for k, q := range binomialProbs(n, p) {
				mean += float64(k) * q
				sum += q
			}
			near(t, "sum", sum, 1, 1e-9)
			near(t, "mean", mean, float64(n)*p, 1e-6)
		}
	}
	near(t, "7 choose 3", binomialProbs(7, 0.5)[3], 35.0/128, 1e-12)
}
