package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// An Interval is a two-sided confidence interval for a proportion, 0 <= Low <= High <= 1.
type Interval struct{ Low, High float64 }

// ClopperPearson returns the exact interval for k successes of n (Clopper and Pearson,
// Biometrika 26, 1934). It never covers less than level, and usually covers more.
func ClopperPearson(k, n int, level float64) (Interval, error) {
	if err := checkProportion(k, n, level); err != nil {
		return Interval{}, err
	}
	tail := (1 - level) / 2
	iv := Interval{Low: 0, High: 1}
	if k > 0 {
		iv.Low = mathext.InvRegIncBeta(float64(k), float64(n-k+1), tail)
	}
	if k < n {
		iv.High = mathext.InvRegIncBeta(float64(k+1), float64(n-k), 1-tail)
	}
	return iv, nil
}

// Wilson returns the score interval without continuity correction for k successes of n
// (Wilson, JASA 22, 1927). It covers level on average, not for every proportion.
func Wilson(k, n int, level float64) (Interval, error) {
	if err := checkProportion(k, n, level); err != nil {
		return Interval{}, err
	}
	z := distuv.UnitNormal.Quantile(1 - (1-level)/2)
	size := float64(n)
	p := float64(k) / size
	scale := 1 + z*z/size
	centre := (p + z*z/(2*size)) / scale
	half := z / scale * math.Sqrt(p*(1-p)/size+z*z/(4*size*size))
	return Interval{
		// The bounds are exactly p at the ends; rounding must not put them outside it.
		Low:  min(max(centre-half, 0), p),
		High: max(min(centre+half, 1), p),
	}, nil
}

func checkProportion(k, n int, level float64) error {
	if !(level > 0 && level < 1) {
		return fmt.Errorf("%w: %g", errLevel, level)
	}
	return checkCount(k, n)
}
