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
	jobs    int
	planned int
	ended   int         // cells, earlier sessions included
	usage   trial.Usage // of these
	todo    []*work     // cells that have not ended
	pace    pace
	whole   *mpb.Bar
}

// The stages of a cell at work, as its claim and its bar tell them.
const (
	stageBuilding   = "building"
	stageGenerating = "generating"
	stageEvaluating = "evaluating"
)

// A work is how far a cell is; a Progress has the lock for it.
type work struct {
	experiments.Cell
	began  time.Time // zero while it waits
	stage  string
	ledger *trial.Ledger   // while its tool spends its budget
	spent  trial.Usage     // by the tool, once it is evaluated
	bugs   map[string]bool // that are or were looked for; whether that is done
	bar    *mpb.Bar
}

// NewProgress writes lines to w, and shows the cells at work on screen if there is one.
func NewProgress(w io.Writer, screen *Screen) *Progress { return &Progress{w: w, screen: screen} }

// begin is called once, before any cell is started. used is what the ended cells have spent.
func (p *Progress) begin(o Options, ended int, used trial.Usage, todo []*work) {
	p.now, p.jobs, p.planned, p.ended, p.usage, p.todo = o.Now, max(1, o.Jobs), ended+len(todo), ended, used, todo
	if ended > 0 {
		p.note("%d of %d cells %s complete already", ended, p.planned, trial.Form(ended, "is", "are"))
	}
	if p.screen == nil || len(todo) == 0 {
		return
	}
	p.screen.bars.Store(mpb.New(mpb.WithOutput(p.screen.Terminal), mpb.WithRefreshRate(250*time.Millisecond)))
	p.whole = p.bar(func() (float64, string) {
		dollars := p.usage.Dollars
		for _, w := range p.todo {
			dollars += w.usage().Dollars
		}
		words := fmt.Sprintf("%d of %d cells, %s", p.ended, p.planned, p.pace.left(p.todo, p.jobs, p.now()))
		if dollars > 0 {
			words += fmt.Sprintf(", $%.2f", dollars)
		}
		return float64(p.ended) / float64(p.planned), words
	})
}

// bar adds a bar of which state says how long it is, 0..1, and what stands behind it.
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
	for _, w := range p.todo {
		if w.bar != nil {
			w.bar.Abort(true)
		}
	}
	p.whole.Abort(true)
	p.screen.bars.Load().Wait()
	p.screen.bars.Store(nil)
}

// note prints a line.
func (p *Progress) note(format string, args ...any) { fmt.Fprintf(p.w, format+"\n", args...) }

// start says that a cell is worked on.
func (p *Progress) start(w *work) {
	p.mu.Lock()
	w.stage, w.began, w.bugs = stageBuilding, p.now(), map[string]bool{}
	ended := p.ended
	p.mu.Unlock()
	if p.whole == nil {
		p.note("[%d/%d] %s: started", ended, p.planned, w.ID())
		return
	}
	w.bar = p.bar(func() (float64, string) {
		done, how := w.fraction()
		words := fmt.Sprintf("%s  %s %s", w.ID(), w.stage, how)
		if u := w.usage(); u.Programs > 0 {
			words += ", " + trial.Count(u.Programs, "program")
		}
		return done, words
	})
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
	case w.stage == stageEvaluating && len(w.Bugs) > 0:
		looked := 0
		for _, done := range w.bugs {
			if done {
				looked++
			}
		}
		return float64(looked) / float64(len(w.Bugs)), fmt.Sprintf("%d/%d bugs", looked, len(w.Bugs))
	}
	return 0, ""
}

// change is for whatever changes how far a cell is.
func (p *Progress) change(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	do()
}

// done says how the cell ended, and what its tool had spent in all.
func (p *Progress) done(w *work, spent trial.Usage, how string) {
	p.mu.Lock()
	p.pace.add(p.now().Sub(w.began))
	p.todo = slices.DeleteFunc(p.todo, func(o *work) bool { return o == w })
	p.usage = p.usage.Plus(spent)
	p.ended++
	ended := p.ended
	p.mu.Unlock()
	if w.bar != nil {
		w.bar.Abort(true) // not while the lock is held that bars are drawn under
	}
	p.note("[%d/%d] %s: %s", ended, p.planned, w.ID(), how)
}

// A Forecast is how long a run goes on; 0 if not known.
type Forecast time.Duration

// String is the forecast in words, of two digits at most, for it is no more exact.
func (f Forecast) String() string {
	switch d := time.Duration(f); {
	case d == 0:
		return "time left not known yet"
	case d < 95*time.Second:
		return fmt.Sprintf("about %.0f s left", max(1, d.Seconds()))
	case d < 95*time.Minute:
		return fmt.Sprintf("about %.0f min left", d.Minutes())
	default:
		return fmt.Sprintf("about %.0f h left", d.Hours())
	}
}

// Foretell is the forecast of a run of that plan by what its directory tells, also while other processes work
// on it: as many cells at once as are running. It is 0 if none is.
func Foretell(plan experiments.Plan, s *results.Status, now time.Time) Forecast {
	var p pace
	var todo []*work
	for i, c := range s.Cells {
		w := &work{Cell: plan.Cells[i]}
		switch c.State {
		case results.Done, results.Incomplete:
			p.add(cmp.Or(c.Took, c.Usage.Wall))
			continue
		case results.Running:
			if w.began = now; c.Since != nil {
				w.began = *c.Since
			}
		}
		todo = append(todo, w)
	}
	if s.Running == 0 {
		return 0
	}
	return p.left(todo, s.Running, now)
}

// A pace is what cells have taken on the average. The later a cell, the more it counts, for the first ones wait for
// builds. An incomplete cell counts too: what keeps a tool from its work does so in each trial.
type pace time.Duration

func (p *pace) add(took time.Duration) { *p = (cmp.Or(*p, pace(took)) + pace(took)) / 2 }

// left is how long it takes until some cells are done, jobs of them at once: each its budget in seconds, or what others
// took. It is 0 if nothing is known of one of them.
func (p pace) left(todo []*work, jobs int, now time.Time) Forecast {
	var all, longest time.Duration
	for _, w := range todo {
		took, gone := cmp.Or(w.Budget.Wall, w.Budget.Time, w.Budget.CPU, time.Duration(p)), time.Duration(0)
		if took == 0 {
			return 0
		}
		if !w.began.IsZero() {
			gone = now.Sub(w.began)
		}
		left := max(took-gone, gone/10) // one that is late may be so for a while
		all, longest = all+left, max(longest, left)
	}
	return Forecast(max(longest, all/time.Duration(jobs)))
}
