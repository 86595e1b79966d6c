package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"
)

// An Interval is a two-sided confidence interval for a proportion, 0 <= Low <= High <= 1.
type Interval struct{ Low, High float64 }

// ClopperPearson returns the exact interval for k successes of n (Clopper and Pearson,
// Biometrika 26, 1934). It never covers less than level, and usually covers more.
func ClopperPearson(k, n int, level float64) Interval {
	tail := (1 - level) / 2
	iv := Interval{Low: 0, High: 1}
	if k > 0 {
		iv.Low = mathext.InvRegIncBeta(float64(k), float64(n-k+1), tail)
	}
	if k < n {
		iv.High = mathext.InvRegIncBeta(float64(k+1), float64(n-k), 1-tail)
	}
	return iv
}

// Wilson returns the score interval without continuity correction for k successes of n
// (Wilson, JASA 22, 1927). It covers level on average, not for every proportion.
func Wilson(k, n int, level float64) Interval {
	z := distuv.UnitNormal.Quantile(1 - (1-level)/2)
	size := float64(n)
	p := float64(k) / size
	scale := 1 + z*z/size
	centre := (p + z*z/(2*size)) / scale
	half := z / scale * math.Sqrt(p*(1-p)/size+z*z/(4*size*size))
	// The bounds are exactly p at the ends; rounding must not put them outside it.
	return Interval{Low: min(max(centre-half, 0), p), High: max(min(centre+half, 1), p)}
}

// McNemarExact tests paired outcomes (McNemar, Psychometrika 12, 1947, in its exact
// form): onlyFirst cases were detected by the first tool alone, onlySecond by the second
// alone. Cases on which the tools agree carry no information and are not asked for. P is
// twice the smaller binomial tail of a fair coin, at most 1.
func McNemarExact(onlyFirst, onlySecond int) Exact {
	n := onlyFirst + onlySecond
	if n == 0 {
		return Exact{P: 1, MinP: 1}
	}
	coin := distuv.Binomial{N: float64(n), P: 0.5}
	return Exact{P: min(2*coin.CDF(float64(min(onlyFirst, onlySecond))), 1), MinP: min(2*coin.CDF(0), 1)}
}

// A FisherResult is the comparison of two proportions k1/n1 and k2/n2.
type FisherResult struct {
	Exact
	OddsRatio *float64 // of the sample, (k1 (n2-k2)) / (k2 (n1-k1)); nil when the divisor is 0
}

// FisherExact tests k1 of n1 against k2 of n2 (Fisher, 1935). It assumes that the two groups are independent.
// If both tools face the same bugs they are not: the caller says so beside the figure, and McNemarExact is the
// test for that case.
func FisherExact(k1, n1, k2, n2 int) FisherResult {
	r := FisherResult{Exact: Exact{P: fisherP(k1, n1, k2, n2), MinP: 1}}
	for total := range n1 + n2 + 1 { // of all tables with a total those at the ends have the smallest p
		for _, k := range []int{max(0, total-n2), min(n1, total)} {
			r.MinP = min(r.MinP, fisherP(k, n1, total-k, n2))
		}
	}
	if divisor := k2 * (n1 - k1); divisor != 0 {
		or := float64(k1) * float64(n2-k2) / float64(divisor)
		r.OddsRatio = &or
	}
	return r
}

// fisherP sums the hypergeometric probabilities of all tables with the observed margins that are no more probable than
// the observed one.
func fisherP(k1, n1, k2, n2 int) (p float64) {
	const slack = 1e-7 // relative, as in R's fisher.test
	total := k1 + k2
	logWays := func(k int) float64 {
		return combin.LogGeneralizedBinomial(float64(n1), float64(k)) +
			combin.LogGeneralizedBinomial(float64(n2), float64(total-k))
	}
	all := combin.LogGeneralizedBinomial(float64(n1+n2), float64(total))
	for k := max(0, total-n2); k <= min(n1, total); k++ {
		if logWays(k) <= logWays(k1)+slack {
			p += math.Exp(logWays(k) - all)
		}
	}
	return min(p, 1)
}

// MinimumDetectable returns the smallest proportion of a group of n above the baseline, that of another group of n,
// which FisherExact tells from it at level Alpha with at least the power; nil if there is none. Power grows with the
// distance but for small ripples, so proportions are searched from far to near in steps of 0.001 until the first that
// misses the power.
func MinimumDetectable(n int, baseline, power float64) (higher *float64) {
	rejected := rejections(n, n)
	for i := 0; i <= int(math.Floor((1-baseline)*1000)); i++ {
		p := 1 - float64(i)/1000
		if rejected.power(p, baseline) < power {
			break
		}
		higher = &p
	}
	return higher
}

// outcomes are for all k1 of n1 and k2 of n2 whether Fisher's test rejects at level Alpha.
type outcomes [][]bool

func rejections(n1, n2 int) outcomes {
	reject := make(outcomes, n1+1)
	for k1 := range reject {
		for k2 := range n2 + 1 {
			reject[k1] = append(reject[k1], fisherP(k1, n1, k2, n2) < Alpha)
		}
	}
	return reject
}

// power is the probability of a rejection when the proportions are p1 and p2, by summing over all outcomes. With
// p1 = p2 it is the true size of the test.
func (o outcomes) power(p1, p2 float64) (power float64) {
	first, second := binomialProbs(len(o)-1, p1), binomialProbs(len(o[0])-1, p2)
	for k1, row := range o {
		for k2, rejected := range row {
			if rejected {
				power += first[k1] * second[k2]
			}
		}
	}
	return min(power, 1)
}

// binomialProbs are the probabilities of 0..n successes.
func binomialProbs(n int, p float64) []float64 {
	probs := make([]float64, n+1)
	for k := range probs {
		probs[k] = combin.GeneralizedBinomial(float64(n), float64(k)) * math.Pow(p, float64(k)) * math.Pow(1-p, float64(n-k))
	}
	return probs
}
