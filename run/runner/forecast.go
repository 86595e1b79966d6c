package runner

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// A Forecast is how long a run goes on.
type Forecast struct {
	Left time.Duration // 0 if nothing is known of some of its cells and of nothing like them
	Sure bool          // each tool was seen on each library
}

// String is the forecast in words, of no more digits than it is exact.
func (f Forecast) String() string {
	switch {
	case f.Left == 0:
		return "time left not known yet"
	case f.Sure:
		return "about " + roughly(f.Left) + " left"
	}
	return roughly(f.Left) + " left at a guess"
}

// roughly is a duration of two digits at most, for it is no more exact.
func roughly(d time.Duration) string {
	switch {
	case d < 95*time.Second:
		return fmt.Sprintf("%d s", max(1, int(d.Seconds()+0.5)))
	case d < 95*time.Minute:
		return fmt.Sprintf("%d min", int(d.Minutes()+0.5))
	}
	return fmt.Sprintf("%.0f h", d.Hours())
}

// Foretell is the forecast of a run of that plan by what its directory tells, also while other processes work
// on it: as many cells at once as are running. It is zero if none is.
func Foretell(plan experiments.Plan, s *results.Status, now time.Time) Forecast {
	var p pace
	var active []*work
	var waiting []experiments.Cell
	for i, c := range s.Cells {
		cell := plan.Cells[i]
		switch c.State {
		case results.Done, results.Incomplete:
			p.add(cell, cmp.Or(c.Took, c.Usage.Wall))
		case results.Waiting:
			waiting = append(waiting, cell)
		case results.Running:
			w := &work{cell: cell, began: now}
			if c.Since != nil {
				w.began = *c.Since
			}
			active = append(active, w)
		}
	}
	if len(active) == 0 {
		return Forecast{}
	}
	return p.left(active, waiting, len(active), now)
}

// A pace is what cells have taken in this session, by what they have in common. The later a cell, the more it
// counts, for the first one on a library waits for its builds.
type pace map[string]time.Duration

// like are the names under which a pace has what a cell took, the nearest first.
func like(c experiments.Cell) []string {
	library := c.Library + " " + c.Edition
	return []string{c.Tool + " " + c.Variant + " " + library, c.Tool + " " + library, c.Tool, library, ""}
}

// add takes a cell that ended. One that is not complete is an example too: what keeps a tool from its work on a
// library does so in each trial.
func (p *pace) add(c experiments.Cell, took time.Duration) {
	if *p == nil {
		*p = pace{}
	}
	for _, name := range like(c) {
		was, ok := (*p)[name]
		if !ok {
			was = took
		}
		(*p)[name] = (was + took) / 2
	}
}

// of estimates how long a cell takes: as long as its like, or its budget in seconds. It is sure if its tool was
// already seen on its library, and not known if there is nothing to estimate from.
func (p pace) of(c experiments.Cell) (took time.Duration, sure, known bool) {
	for n, name := range like(c) {
		if took, ok := p[name]; ok {
			return took, n < 2, true
		}
	}
	limit := cmp.Or(c.Budget.Wall, c.Budget.Time, c.Budget.CPU)
	return limit, false, limit > 0
}

// left is how long it takes until the cells at work and those that wait are done, jobs of them at once.
func (p pace) left(active []*work, waiting []experiments.Cell, jobs int, now time.Time) Forecast {
	free := make([]time.Duration, max(jobs, len(active))) // when each worker is done
	f := Forecast{Sure: true}
	for i, w := range active {
		took, sure, known := p.of(w.cell)
		if f.Sure = f.Sure && sure; !known {
			return Forecast{}
		}
		gone := now.Sub(w.began)
		free[i] = max(took-gone, gone/10) // one that is late may be so for a while
	}
	for _, c := range waiting {
		took, sure, known := p.of(c)
		if f.Sure = f.Sure && sure; !known {
			return Forecast{}
		}
		free[slices.Index(free, slices.Min(free))] += took
	}
	f.Left = slices.Max(free)
	return f
}

// fraction is how much of the budget is used up, 0..1.
func fraction(l *trial.Ledger) float64 {
	u, b := l.Usage(), l.Budget()
	most := 0.0
	for _, part := range [][2]float64{
		{float64(u.Wall), float64(b.Wall)}, {float64(u.CPU), float64(b.CPU)}, {float64(u.On(b)), float64(b.Limit())}, {float64(u.Programs), float64(b.Programs)},
		{float64(u.Execs), float64(b.Execs)}, {float64(u.LLMCalls), float64(b.LLMCalls)}, {float64(u.Tokens), float64(b.Tokens)}, {u.Dollars, b.Dollars},
	} {
		if part[1] > 0 {
			most = max(most, part[0]/part[1])
		}
	}
	return min(1, most)
}
