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
	Steps   []SurvivalStep
	Median  *float64 // the first time at which half have found it; nil when half never do
	Horizon float64
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
func KaplanMeier(trials []Detection, horizon float64) SurvivalResult {
	must(len(trials) > 0 && horizon > 0, "%d trials up to a horizon of %g", len(trials), horizon)
	r := SurvivalResult{Horizon: horizon, Steps: survivalSteps(trials)}
	for _, s := range r.Steps {
		// Products of fractions such as 1/2 come out a last digit too large.
		if s.Survival <= 0.5+1e-12 {
			r.Median = &s.Time
			break
		}
	}
	r.restrict(trials)
	return r
}

func survivalSteps(trials []Detection) []SurvivalStep {
	sorted := slices.SortedFunc(slices.Values(trials), func(a, b Detection) int { return cmp.Compare(a.Time, b.Time) })
	var steps []SurvivalStep
	survival := 1.0
	for i := 0; i < len(sorted); {
		time, atRisk, found := sorted[i].Time, len(sorted)-i, 0
		for ; i < len(sorted) && sorted[i].Time == time; i++ {
			if sorted[i].Found {
				found++
			}
		}
		if found == 0 {
			continue
		}
		survival *= float64(atRisk-found) / float64(atRisk)
		steps = append(steps, SurvivalStep{Time: time, AtRisk: atRisk, Found: found, Survival: survival})
	}
	return steps
}

// restrict computes the area under the curve up to the horizon.
func (r *SurvivalResult) restrict(trials []Detection) {
	watched := 0.0
	for _, d := range trials {
		watched = max(watched, d.Time)
	}
	extinct := len(r.Steps) > 0 && r.Steps[len(r.Steps)-1].Survival == 0
	if watched < r.Horizon && !extinct {
		return
	}
	var steps []SurvivalStep
	for _, s := range r.Steps {
		if s.Time < r.Horizon {
			steps = append(steps, s)
		}
	}
	variance, areaAfter, end := 0.0, 0.0, r.Horizon // areaAfter is right of the step that the loop is at
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		areaAfter += s.Survival * (end - s.Time)
		if s.Found < s.AtRisk {
			variance += areaAfter * areaAfter * float64(s.Found) / (float64(s.AtRisk) * float64(s.AtRisk-s.Found))
		}
		end = s.Time
	}
	mean := areaAfter + end // nobody has found it before the first step
	stdErr := math.Sqrt(variance)
	r.RestrictedMean, r.RestrictedMeanStdErr = &mean, &stdErr
}
