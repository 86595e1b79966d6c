package runner

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// A Screen is a terminal. While a run goes on, what is written to it stands above the bars of the cells at work.
type Screen struct {
	Terminal *os.File
	bars     atomic.Pointer[mpb.Progress]
}

// Write implements io.Writer.
func (s *Screen) Write(text []byte) (int, error) {
	if bars := s.bars.Load(); bars != nil {
		if n, err := bars.Write(text); err == nil {
			return n, nil
		}
	}
	return s.Terminal.Write(text)
}

// A Progress shows how far a run is: one line for each event and, on a screen, a bar of the run and one of each
// cell at work.
type Progress struct {
	w      io.Writer
	screen *Screen // nil: lines only

	mu      sync.Mutex
	now     func() time.Time
	planned int
	ended   int         // cells, earlier sessions included
	usage   trial.Usage // of these
	active  []*work     // in the order in which they were started
	waiting []experiments.Cell
	pace    pace
	jobs    int
	whole   *mpb.Bar
}

// The stages of a cell at work, as its claim and its bar tell them.
const (
	stageBuilding   = "building"
	stageGenerating = "generating"
	stageEvaluating = "evaluating"
)

// A work is a cell at work.
type work struct {
	p      *Progress // whose lock is for what follows
	cell   experiments.Cell
	stage  string
	began  time.Time
	ledger *trial.Ledger
	spent  trial.Usage     // once it is evaluated
	bugs   map[string]bool // that are or were looked for; whether that is done
	bar    *mpb.Bar
}

// NewProgress writes lines to w, and shows the cells at work on screen if there is one.
func NewProgress(w io.Writer, screen *Screen) *Progress { return &Progress{w: w, screen: screen} }

// begin is called once, before any cell is started. used is what the cells that are complete already
// have spent.
func (p *Progress) begin(r *run, pending []*cell, used trial.Usage) {
	p.now, p.jobs, p.planned, p.usage = r.Now, max(1, r.Jobs), len(r.chosen()), used
	p.ended = p.planned - len(pending)
	for _, c := range pending {
		p.waiting = append(p.waiting, c.Cell)
	}
	if p.ended > 0 {
		p.note("%d of %d cells %s complete already", p.ended, p.planned, trial.Form(p.ended, "is", "are"))
	}
	if p.screen == nil || len(pending) == 0 {
		return
	}
	p.screen.bars.Store(mpb.New(mpb.WithOutput(p.screen.Terminal), mpb.WithRefreshRate(250*time.Millisecond)))
	p.whole = p.bar(func() (float64, string) {
		all := p.usage
		for _, w := range p.active {
			all = all.Plus(w.usage())
		}
		left := p.pace.left(p.active, p.waiting, p.jobs, p.now())
		words := fmt.Sprintf("%d of %d cells, %s", p.ended, p.planned, left)
		if all.Dollars > 0 {
			words += fmt.Sprintf(", $%.2f", all.Dollars)
		}
		return float64(p.ended) / float64(p.planned), words
	})
}

// bar adds a bar of which state says how long it is, 0..1, and what stands behind it; nil where there is no screen.
func (p *Progress) bar(state func() (done float64, words string)) *mpb.Bar {
	locked := func() (float64, string) {
		p.mu.Lock()
		defer p.mu.Unlock()
		return state()
	}
	const whole = 1000
	style := mpb.BarStyle().Lbound("").Rbound("").Filler("█").Tip("").Padding("░").Build()
	filler := mpb.BarFillerFunc(func(w io.Writer, s decor.Statistics) error {
		done, _ := locked()
		s.Current = int64(done * whole)
		return style.Fill(w, s)
	})
	words := decor.Any(func(decor.Statistics) string {
		_, words := locked()
		return " " + words
	})
	bar, err := p.screen.bars.Load().Add(whole, filler, mpb.BarWidth(12), mpb.BarFillerTrim(), mpb.AppendDecorators(words))
	if err != nil {
		return nil // the screen went away
	}
	return bar
}

// end takes the bars away.
func (p *Progress) end() {
	if p.whole == nil {
		return
	}
	bars := p.screen.bars.Load()
	for _, w := range p.active {
		w.bar.Abort(true)
	}
	p.whole.Abort(true)
	bars.Wait()
	p.screen.bars.Store(nil)
}

// note prints a line.
func (p *Progress) note(format string, args ...any) { fmt.Fprintf(p.w, format+"\n", args...) }

// start says that a cell is worked on.
func (p *Progress) start(c experiments.Cell) *work {
	p.mu.Lock()
	p.waiting = slices.DeleteFunc(p.waiting, func(o experiments.Cell) bool { return o.ID() == c.ID() })
	w := &work{p: p, cell: c, stage: stageBuilding, began: p.now(), bugs: map[string]bool{}}
	p.active = append(p.active, w)
	ended := p.ended
	p.mu.Unlock()
	if p.whole == nil {
		p.note("[%d/%d] %s: started", ended, p.planned, c.ID())
		return w
	}
	w.bar = p.bar(func() (float64, string) {
		done, how := w.fraction()
		words := fmt.Sprintf("%s  %s %s", c.ID(), w.stage, how)
		if u := w.usage(); u.Programs > 0 {
			words += ", " + trial.Count(u.Programs, "program")
		}
		return done, words
	})
	return w
}

// at says how far the cell is.
func (w *work) at() (stage string, spent trial.Usage) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	return w.stage, w.usage()
}

// usage is what the cell's tool has spent so far, earlier sessions included.
func (w *work) usage() trial.Usage {
	if w.stage == stageGenerating {
		return w.ledger.Usage()
	}
	return w.spent
}

// fraction is how much of the stage is done, 0..1: of the budget while generating, of the bugs while evaluating. It
// says it in words, too.
func (w *work) fraction() (done float64, how string) {
	switch {
	case w.stage == stageGenerating:
		done = w.ledger.Fraction()
		return done, fmt.Sprintf("%.0f %%", 100*done)
	case w.stage == stageEvaluating && len(w.cell.Bugs) > 0:
		looked := 0
		for _, done := range w.bugs {
			if done {
				looked++
			}
		}
		return float64(looked) / float64(len(w.cell.Bugs)), fmt.Sprintf("%d/%d bugs", looked, len(w.cell.Bugs))
	}
	return 0, ""
}

// generating says that the cell's tool has begun to spend its budget.
func (p *Progress) generating(w *work, l *trial.Ledger) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.stage, w.ledger = stageGenerating, l
}

// evaluating says that the cell's suite is there.
func (p *Progress) evaluating(w *work, spent trial.Usage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.stage, w.spent = stageEvaluating, spent
}

// looking says that a bug is looked for, or that this is done.
func (p *Progress) looking(w *work, id string, done bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.bugs[id] = w.bugs[id] || done
}

// done says how the cell ended. rec is nil if it has no record.
func (p *Progress) done(w *work, rec *trial.Record, how string) {
	p.mu.Lock()
	p.pace.add(w.cell, p.now().Sub(w.began))
	p.active = slices.DeleteFunc(p.active, func(o *work) bool { return o == w })
	if rec != nil {
		p.usage = p.usage.Plus(rec.Usage)
	}
	p.ended++
	ended := p.ended
	p.mu.Unlock()
	if w.bar != nil {
		w.bar.Abort(true) // not while the lock is held that bars are drawn under
	}
	p.note("[%d/%d] %s: %s", ended, p.planned, w.cell.ID(), how)
}

// A Forecast is how long a run goes on; 0 if not known.
type Forecast time.Duration

// String is the forecast in words, of two digits at most, for it is no more exact.
func (f Forecast) String() string {
	switch d := time.Duration(f); {
	case d == 0:
		return "time left not known yet"
	case d < 95*time.Second:
		return fmt.Sprintf("about %d s left", max(1, int(d.Seconds()+0.5)))
	case d < 95*time.Minute:
		return fmt.Sprintf("about %d min left", int(d.Minutes()+0.5))
	default:
		return fmt.Sprintf("about %.0f h left", d.Hours())
	}
}

// Foretell is the forecast of a run of that plan by what its directory tells, also while other processes work
// on it: as many cells at once as are running. It is 0 if none is.
func Foretell(plan experiments.Plan, s *results.Status, now time.Time) Forecast {
	var p pace
	var active []*work
	var waiting []experiments.Cell
	for i, c := range s.Cells {
		switch c.State {
		case results.Done, results.Incomplete:
			p.add(plan.Cells[i], cmp.Or(c.Took, c.Usage.Wall))
		case results.Waiting:
			waiting = append(waiting, plan.Cells[i])
		case results.Running:
			w := &work{cell: plan.Cells[i], began: now}
			if c.Since != nil {
				w.began = *c.Since
			}
			active = append(active, w)
		}
	}
	if len(active) == 0 {
		return 0
	}
	return p.left(active, waiting, len(active), now)
}

// A pace is what cells have taken, by what they have in common. The later a cell, the more it counts, for the
// first one on a library waits for its builds. An incomplete cell counts too: what keeps a tool from its work does so in
// each trial.
type pace map[string]time.Duration

// like are the names under which a pace has what a cell took, the nearest first.
func like(c experiments.Cell) []string {
	return []string{c.Tool + " " + c.Library + " " + c.Edition, c.Tool, ""}
}

func (p *pace) add(c experiments.Cell, took time.Duration) {
	if *p == nil {
		*p = pace{}
	}
	for _, name := range like(c) {
		(*p)[name] = (cmp.Or((*p)[name], took) + took) / 2
	}
}

// of estimates how long a cell takes: as long as its like, or its budget in seconds; 0 if nothing is known.
func (p pace) of(c experiments.Cell) time.Duration {
	for _, name := range like(c) {
		if took := p[name]; took > 0 {
			return took
		}
	}
	return cmp.Or(c.Budget.Wall, c.Budget.Time, c.Budget.CPU)
}

// left is how long it takes until the cells at work and those that wait are done, jobs of them at once.
func (p pace) left(active []*work, waiting []experiments.Cell, jobs int, now time.Time) Forecast {
	var all, longest time.Duration
	add := func(c experiments.Cell, gone time.Duration) (known bool) {
		took := p.of(c)
		left := max(took-gone, gone/10) // one that is late may be so for a while
		all, longest = all+left, max(longest, left)
		return took > 0
	}
	for _, w := range active {
		if !add(w.cell, now.Sub(w.began)) {
			return 0
		}
	}
	for _, c := range waiting {
		if !add(c, 0) {
			return 0
		}
	}
	return Forecast(max(longest, all/time.Duration(jobs)))
}
