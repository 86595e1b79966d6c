package runner

import (
	"cmp"
	"slices"
	"time"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// A Forecast is how long a run goes on.
type Forecast struct {
	Left time.Duration // 0 if nothing is known of some of its cells and of nothing like them
	Sure bool          // each stage of each cell was seen for its tool on its library, or is limited in seconds
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
			p.seen(cell, c)
		case results.Waiting:
			waiting = append(waiting, cell)
		case results.Running:
			active = append(active, workOf(cell, c, now))
		}
	}
	if len(active) == 0 {
		return Forecast{}
	}
	return p.left(active, waiting, len(active), now)
}

// workOf is a cell that another process may be working on.
func workOf(cell experiments.Cell, c results.CellStatus, now time.Time) *work {
	w := &work{cell: cell, stage: cmp.Or(c.Stage, stageBuilding), since: now, spent: c.Usage}
	if c.Since != nil {
		w.since = *c.Since
	}
	w.ledger = trial.NewLedger(cell.Budget, c.Usage, func() time.Time { return now })
	if w.stage == stageEvaluating && now.Sub(w.since) > c.Usage.Wall { // else an earlier session generated
		w.since = w.since.Add(c.Usage.Wall)
	}
	return w
}

// A work is a cell at work.
type work struct {
	cell   experiments.Cell
	stage  string    // building, generating or evaluating
	since  time.Time // when the stage began in this session
	ledger *trial.Ledger
	spent  trial.Usage // once it is evaluated

	looking time.Time       // since when for bugs
	bugs    map[string]bool // that are or were looked for; whether that is done
}

// usage is what the cell's tool has spent so far, earlier sessions included.
func (w *work) usage() trial.Usage {
	if w.stage == stageGenerating {
		return w.ledger.Usage()
	}
	return w.spent
}

// fraction is how much of the stage is done, 0..1: of the budget while generating, of the bugs while
// evaluating.
func (w *work) fraction() float64 {
	switch {
	case w.stage == stageGenerating:
		return fraction(w.ledger)
	case len(w.cell.Bugs) > 0:
		return min(1, w.looked()/float64(len(w.cell.Bugs)))
	}
	return 0
}

// fraction is how much of the budget is used up, 0..1.
func fraction(l *trial.Ledger) float64 {
	u, b := l.Usage(), l.Budget()
	most := 0.0
	for _, part := range [][2]float64{
		{float64(u.Wall), float64(b.Wall)}, {float64(u.CPU), float64(b.CPU)}, {float64(u.On(b)), float64(b.Limit())}, {float64(u.Programs), float64(b.Programs)}, {float64(u.Execs), float64(b.Execs)},
		{float64(u.LLMCalls), float64(b.LLMCalls)}, {float64(u.Tokens), float64(b.Tokens)}, {u.Dollars, b.Dollars},
	} {
		if part[1] > 0 {
			most = max(most, part[0]/part[1])
		}
	}
	return min(1, most)
}

// looked is for how many bugs the cell was looked: those at work count half.
func (w *work) looked() float64 {
	n := 0.0
	for _, done := range w.bugs {
		if done {
			n++
		} else {
			n += 0.5
		}
	}
	return n
}

// A pace is what the stages of cells have taken in this session, by stage and what the cells have in
// common. The later a cell, the more it counts, for the first one on a library waits for its builds.
type pace map[string]time.Duration

// keys are what a cell's stage may be likened to, the nearest first. How long a suite is measured
// depends on the library more than on its tool.
func keys(stage string, c experiments.Cell) []string {
	of := func(parts ...string) string {
		key := stage
		for _, p := range parts {
			key += "\x00" + p
		}
		return key
	}
	library := c.Library + " " + c.Edition
	list := []string{of(c.Tool, c.Variant, library), of(c.Tool, "", library)}
	if stage == stageGenerating {
		return append(list, of(c.Tool, c.Variant), of(c.Tool), of())
	}
	return append(list, of("", "", library), of(c.Tool), of())
}

func (p *pace) add(stage string, c experiments.Cell, took time.Duration) {
	if *p == nil {
		*p = pace{}
	}
	for _, key := range keys(stage, c) {
		was, ok := (*p)[key]
		if !ok {
			was = took
		}
		(*p)[key] = (was + took) / 2
	}
}

// ended takes a cell that ended, in whatever stage. One that is not complete is an example too: what keeps
// a tool from its work on a library does so in each trial.
func (p *pace) ended(w *work, now time.Time) {
	took := now.Sub(w.since)
	if w.stage != stageEvaluating {
		p.add(stageGenerating, w.cell, took)
		took = 0
	}
	p.add(stageEvaluating, w.cell, took)
}

// seen takes a cell that ended some time ago.
func (p *pace) seen(cell experiments.Cell, c results.CellStatus) {
	if c.State == results.Incomplete {
		p.add(stageGenerating, cell, c.Took)
		p.add(stageEvaluating, cell, 0)
		return
	}
	p.add(stageGenerating, cell, c.Usage.Wall)
	if took := c.Took; took > 0 {
		if took > c.Usage.Wall { // else an earlier session generated
			took -= c.Usage.Wall
		}
		p.add(stageEvaluating, cell, took)
	}
}

// guess estimates how long the stage of a cell takes. It is sure if its tool was already seen on its library,
// and not known if there is nothing to estimate from.
func (p pace) guess(stage string, c experiments.Cell) (took time.Duration, sure, known bool) {
	for n, key := range keys(stage, c) {
		if took, ok := p[key]; ok {
			return took, n < 2, true
		}
	}
	return 0, false, false
}

// generation is guess for the tool's time, of which a budget in seconds tells as well.
func (p pace) generation(c experiments.Cell) (took time.Duration, sure, known bool) {
	limit := cmp.Or(c.Budget.Wall, c.Budget.Time, c.Budget.CPU)
	took, sure, known = p.guess(stageGenerating, c)
	if limit > 0 && (!sure || took > limit) {
		return limit, true, true
	}
	return took, sure, known
}

// left is how long it takes until the cells at work and those that wait are done, jobs of them at once.
func (p pace) left(active []*work, waiting []experiments.Cell, jobs int, now time.Time) Forecast {
	free := make([]time.Duration, max(jobs, len(active))) // when each worker is done
	sure, known := true, true
	also := func(took time.Duration, s, k bool) time.Duration {
		sure, known = sure && s, known && k
		return took
	}
	libraries := map[string]bool{}
	for i, w := range active {
		libraries[w.cell.Library+w.cell.Edition] = true
		free[i] = also(p.rest(w, now))
		if w.stage == stageBuilding {
			free[i] += also(p.generation(w.cell))
		}
		if w.stage != stageEvaluating {
			free[i] += also(p.guess(stageEvaluating, w.cell))
		}
	}
	for _, c := range waiting {
		took := also(p.generation(c)) + also(p.guess(stageEvaluating, c))
		if name := c.Library + c.Edition; !libraries[name] {
			libraries[name] = true
			building, _, _ := p.guess(stageBuilding, c)
			took += building
		}
		first := slices.Index(free, slices.Min(free))
		free[first] += took
	}
	if !known {
		return Forecast{}
	}
	return Forecast{slices.Max(free), sure}
}

// rest is how long the stage of a cell at work goes on. It follows from what its like took and its own rate so far, of
// which the rate counts the more the further it is.
func (p pace) rest(w *work, now time.Time) (left time.Duration, sure, known bool) {
	gone, f := now.Sub(w.since), w.fraction()
	took, sure, known := p.guess(w.stage, w.cell)
	own, rated := time.Duration(0), f > 0
	switch {
	case w.stage == stageBuilding:
		return max(0, took-gone), true, true
	case w.stage == stageGenerating:
		took, sure, known = p.generation(w.cell)
		own = scale(w.ledger.Usage().Wall, (1-f)/max(f, 1e-9))
		took = scale(took, 1-f)
	case rated:
		own = scale(now.Sub(w.looking), (1-f)/f)
		fallthrough
	default:
		took = max(took-gone, gone/10) // one that is late may be so for a while
	}
	switch {
	case !rated:
		return took, sure, known
	case !known:
		return own, w.stage == stageGenerating || f >= 0.2, true
	}
	return scale(took, 1-f) + scale(own, f), sure || f >= 0.2, true
}

func scale(d time.Duration, by float64) time.Duration { return time.Duration(float64(d) * by) }
