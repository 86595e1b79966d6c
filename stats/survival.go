package stats

import (
	"cmp"
	"math"
	"slices"
)

// A Detection is what one trial tells of when a bug is found.
type Detection struct {
	Time  float64 // in any unit: when it was found, or until when it was looked for
	Found bool    // false: the budget ended first (right-censored)
}

// A SurvivalStep is one drop of a Kaplan–Meier curve.
type SurvivalStep struct {
	Time     float64
	AtRisk   int     // trials that had not found the bug and were still looking, just before
	Found    int     // trials that found it at this time
	Survival float64 // probability that it is still not found just after, 0..1
}

// A SurvivalResult estimates the time to detection.
type SurvivalResult struct {
	Steps  []SurvivalStep
	Median *float64 // the first time at which half have found it; nil when half never do
	// RestrictedMean is the mean time until detection or the horizon, whichever is first;
	// nil when the trials were not watched up to the horizon.
	RestrictedMean       *float64
	RestrictedMeanStdErr *float64
}

// KaplanMeier estimates from censored trials how long detection takes (Kaplan and Meier, JASA 53,
// 1958). The restricted mean is the area under the curve up to the horizon, in the unit of
// the times (Irwin, 1949). The horizon is the budget that all trials had. The variance is that of Klein and
// Moeschberger, 2003, section 4.5. A bug that was never found has a restricted mean equal to the horizon, not a
// missing one.
func KaplanMeier(trials []Detection, horizon float64) (r SurvivalResult) {
	sorted := slices.SortedFunc(slices.Values(trials), func(a, b Detection) int { return cmp.Compare(a.Time, b.Time) })
	survival := 1.0
	for i := 0; i < len(sorted); {
		s := SurvivalStep{Time: sorted[i].Time, AtRisk: len(sorted) - i}
		for ; i < len(sorted) && sorted[i].Time == s.Time; i++ {
			if sorted[i].Found {
				s.Found++
			}
		}
		if s.Found == 0 {
			continue
		}
		survival *= float64(s.AtRisk-s.Found) / float64(s.AtRisk)
		s.Survival = survival
		r.Steps = append(r.Steps, s)
		if r.Median == nil && survival <= 0.5+1e-12 { // products of fractions such as 1/2 come out a last digit too large
			r.Median = &s.Time
		}
	}
	if sorted[len(sorted)-1].Time < horizon && survival > 0 {
		return r
	}
	variance, area, end := 0.0, 0.0, horizon // area is that right of the step that the loop is at
	for _, s := range slices.Backward(r.Steps) {
		if s.Time >= horizon {
			continue
		}
		area += s.Survival * (end - s.Time)
		if s.Found < s.AtRisk {
			variance += area * area * float64(s.Found) / (float64(s.AtRisk) * float64(s.AtRisk-s.Found))
		}
		end = s.Time
	}
	mean, stdErr := area+end, math.Sqrt(variance) // nobody has found it before the first step
	r.RestrictedMean, r.RestrictedMeanStdErr = &mean, &stdErr
	return r
}
