package runner

import (
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
// cell at work. A nil Progress shows nothing.
type Progress struct {
	w      io.Writer
	screen *Screen // nil: lines only

	mu      sync.Mutex
	now     func() time.Time
	began   time.Time
	planned int
	ended   int         // cells, earlier sessions included
	usage   trial.Usage // of these
	active  []*work     // in the order in which they were started
	waiting []experiments.Cell
	pace    pace
	jobs    int
	whole   *mpb.Bar
}

// A work is a cell at work.
type work struct {
	cell   experiments.Cell
	stage  string // building, generating or evaluating
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
func (p *Progress) begin(o Options, planned int, pending []int, used trial.Usage) {
	if p == nil {
		return
	}
	p.now, p.began, p.jobs = o.Now, o.Now(), max(1, o.Jobs)
	p.planned, p.ended, p.usage = planned, planned-len(pending), used
	for _, i := range pending {
		p.waiting = append(p.waiting, o.Plan.Cells[i])
	}
	if p.ended > 0 {
		p.note("%d of %d cells are complete already", p.ended, planned)
	}
	if p.screen != nil && len(pending) > 0 {
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
	if p == nil || p.whole == nil {
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

// preparing says that a library is fetched and built.
func (p *Progress) preparing(s Subject) { p.note("preparing %s (%s)", s.Library, s.Edition) }

// note prints a line.
func (p *Progress) note(format string, args ...any) {
	if p != nil {
		fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func (p *Progress) start(cell experiments.Cell) {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.waiting = slices.DeleteFunc(p.waiting, func(c experiments.Cell) bool { return c.ID() == cell.ID() })
	w := &work{cell: cell, stage: stageBuilding, began: p.now(), bugs: map[string]bool{}}
	p.active = append(p.active, w)
	ended := p.ended
	p.mu.Unlock()
	if p.whole == nil {
		p.note("[%d/%d] %s: started", ended, p.planned, cell.ID())
		return
	}
	w.bar = p.bar(func() (float64, string) {
		done, how := w.fraction()
		words := fmt.Sprintf("%s  %s %s", cell.ID(), w.stage, how)
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
		done = fraction(w.ledger)
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

// at calls change with the cell's work, if that is shown.
func (p *Progress) at(cell trial.Cell, change func(w *work)) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := p.find(cell); i >= 0 {
		change(p.active[i])
	}
}

func (p *Progress) find(cell trial.Cell) int {
	return slices.IndexFunc(p.active, func(w *work) bool { return w.cell.ID() == cell.ID() })
}

// generating says that the cell's tool has begun to spend its budget.
func (p *Progress) generating(cell trial.Cell, l *trial.Ledger) {
	p.at(cell, func(w *work) { w.stage, w.ledger = stageGenerating, l })
}

// evaluating says that the cell's suite is there.
func (p *Progress) evaluating(cell trial.Cell, spent trial.Usage) {
	p.at(cell, func(w *work) { w.stage, w.spent = stageEvaluating, spent })
}

// looking says that a bug is looked for, or that this is done.
func (p *Progress) looking(cell trial.Cell, id string, done bool) {
	p.at(cell, func(w *work) { w.bugs[id] = w.bugs[id] || done })
}

// done says how the cell ended. rec is nil if it has no record.
func (p *Progress) done(cell trial.Cell, rec *trial.Record, how string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	var bar *mpb.Bar
	if i := p.find(cell); i >= 0 {
		w := p.active[i]
		bar = w.bar
		p.pace.add(w.cell, p.now().Sub(w.began))
		p.active = slices.Delete(p.active, i, i+1)
	}
	if rec != nil {
		p.usage = p.usage.Plus(rec.Usage)
	}
	p.ended++
	ended := p.ended
	p.mu.Unlock()
	if bar != nil {
		bar.Abort(true) // not while the lock is held that bars are drawn under
	}
	p.note("[%d/%d] %s: %s", ended, p.planned, cell.ID(), how)
}
