package stats

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"
)

// relativeSlack is by how much a table may be more probable than the observed one and
// still count as equally probable; the value is that of R's fisher.test.
const relativeSlack = 1e-7

// A FisherResult is the comparison of two proportions k1/n1 and k2/n2.
type FisherResult struct {
	P               float64  // two-sided: the tables no more probable than the observed one, given the margins
	OddsRatio       *float64 // of the sample, (k1 (n2-k2)) / (k2 (n1-k1)); nil when the divisor is 0
	ConditionalOdds *float64 // maximum likelihood given the margins; nil when it is infinite or all tables are one
	Odds            OddsInterval
	MinP            float64 // the smallest P that any outcome of n1 and n2 could give
}

// An OddsInterval is a two-sided confidence interval for an odds ratio, 0 <= Low.
type OddsInterval struct {
	Low  float64
	High *float64 // nil when no bound exists: the data do not exclude any large ratio
}

// FisherExact tests k1 of n1 against k2 of n2 (Fisher, 1935). It assumes that the two groups are independent.
// If both tools face the same bugs they are not: the caller says so beside the figure, and McNemarExact is the
// test for that case. The conditional odds ratio and its exact interval at 1-Alpha (Cornfield, 1956) are those
// of R's fisher.test.
func FisherExact(k1, n1, k2, n2 int) FisherResult {
	mustCount(k1, n1)
	mustCount(k2, n2)
	m := newMargins(k1, n1, k2, n2)
	r := FisherResult{P: fisherP(k1, n1, k2, n2), MinP: minFisherP(n1, n2),
		ConditionalOdds: m.conditionalOdds(k1), Odds: m.oddsInterval(k1, 1-Alpha)}
	if divisor := k2 * (n1 - k1); divisor != 0 {
		or := float64(k1) * float64(n2-k2) / float64(divisor)
		r.OddsRatio = &or
	}
	return r
}

// fisherP sums the hypergeometric probabilities of all tables with the observed margins
// that are no more probable than the observed one.
func fisherP(k1, n1, k2, n2 int) float64 {
	m := newMargins(k1, n1, k2, n2)
	probs := m.probabilities(0)
	limit := probs[k1-m.low] * (1 + relativeSlack)
	p := 0.0
	for _, q := range probs {
		if q <= limit {
			p += q
		}
	}
	return min(p, 1)
}

// minFisherP finds the most extreme outcome. For a given total the smallest p is that of
// a table at the end of its range, so only those are tried.
func minFisherP(n1, n2 int) float64 {
	best := 1.0
	for total := 0; total <= n1+n2; total++ {
		for _, k1 := range []int{max(0, total-n2), min(n1, total)} {
			best = min(best, fisherP(k1, n1, total-k1, n2))
		}
	}
	return best
}

// margins are all two-by-two tables with given row and column sums. A table is named by
// its first count, low..low+len(logWeights)-1.
type margins struct {
	low        int
	logWeights []float64 // ln of the number of ways to make each table
}

func newMargins(k1, n1, k2, n2 int) margins {
	total := k1 + k2
	m := margins{low: max(0, total-n2)}
	for k := m.low; k <= min(n1, total); k++ {
		m.logWeights = append(m.logWeights, combin.LogGeneralizedBinomial(float64(n1), float64(k))+
			combin.LogGeneralizedBinomial(float64(n2), float64(total-k)))
	}
	return m
}

func (m margins) high() int { return m.low + len(m.logWeights) - 1 }

// probabilities is Fisher's noncentral hypergeometric distribution with that logarithm
// of the odds ratio; 0 gives the central one.
func (m margins) probabilities(logOdds float64) []float64 {
	p := make([]float64, len(m.logWeights))
	for i, w := range m.logWeights {
		p[i] = w + float64(i)*logOdds
	}
	all := floats.LogSumExp(p)
	for i := range p {
		p[i] = math.Exp(p[i] - all)
	}
	return p
}

// conditionalOdds is where the expected first count is the observed one.
func (m margins) conditionalOdds(k int) *float64 {
	if len(m.logWeights) == 1 || k == m.high() {
		return nil
	}
	if k == m.low {
		return new(float64)
	}
	odds := math.Exp(rootOfIncreasing(func(logOdds float64) float64 {
		mean := 0.0
		for i, p := range m.probabilities(logOdds) {
			mean += float64(m.low+i) * p
		}
		return mean - float64(k)
	}))
	return &odds
}

// oddsInterval holds the odds ratios at which neither tail is less probable than half of
// what the level leaves.
func (m margins) oddsInterval(k int, level float64) OddsInterval {
	tail := (1 - level) / 2
	var iv OddsInterval
	if k > m.low {
		iv.Low = math.Exp(rootOfIncreasing(func(logOdds float64) float64 {
			return floats.Sum(m.probabilities(logOdds)[k-m.low:]) - tail
		}))
	}
	if k < m.high() {
		high := math.Exp(rootOfIncreasing(func(logOdds float64) float64 {
			return tail - floats.Sum(m.probabilities(logOdds)[:k-m.low+1])
		}))
		iv.High = &high
	}
	return iv
}

// rootOfIncreasing returns where f, which increases from below 0 to above it, is 0.
func rootOfIncreasing(f func(float64) float64) float64 {
	low, high := -1.0, 1.0
	for f(low) > 0 {
		low *= 2
	}
	for f(high) < 0 {
		high *= 2
	}
	for range 200 { // halves the bracket down to neighbouring floats
		mid := low + (high-low)/2
		if mid == low || mid == high {
			break
		}
		if f(mid) < 0 {
			low = mid
		} else {
			high = mid
		}
	}
	return low + (high-low)/2
}
