package runner

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Screen is a terminal that keeps a few lines below everything else that is written to it.
type Screen interface {
	// Pin replaces those lines by what render returns for the terminal's size: no line is longer than
	// columns but for colours, and there are fewer than rows of them. With nil the lines are taken away.
	Pin(render func(columns, rows int, colour bool) []string)
}

// A Progress shows how far a run is: one line for each event and, on a screen, the cells at work with
// the time left below them. A nil Progress shows nothing.
type Progress struct {
	w      io.Writer
	screen Screen // nil: lines only

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
	quit    chan struct{}
	drawn   sync.WaitGroup
}

// drawEvery is how often the screen follows what the cells do.
const drawEvery = 250 * time.Millisecond

// NewProgress writes lines to w, and shows the cells at work on screen if there is one.
func NewProgress(w io.Writer, screen Screen) *Progress { return &Progress{w: w, screen: screen} }

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
	if p.screen == nil || len(pending) == 0 {
		return
	}
	p.quit = make(chan struct{})
	p.drawn.Go(func() {
		t := time.NewTicker(drawEvery)
		defer t.Stop()
		for {
			select {
			case <-p.quit:
				return
			case <-t.C:
				p.screen.Pin(p.lines)
			}
		}
	})
}

func (p *Progress) end() {
	if p == nil || p.quit == nil {
		return
	}
	close(p.quit)
	p.drawn.Wait()
	p.screen.Pin(nil)
}

// lines renders the cells at work.
func (p *Progress) lines(columns, rows int, colour bool) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	v := view{planned: p.planned, ended: p.ended, gone: now.Sub(p.began), forecast: p.left(now), usage: p.usage}
	for _, w := range p.active {
		line := w.line(now)
		v.usage = v.usage.Plus(line.usage)
		v.cells = append(v.cells, line)
	}
	return v.render(columns, rows, colour)
}

// left is how long the cells at work and those that wait take from now on.
func (p *Progress) left(now time.Time) Forecast {
	return p.pace.left(p.active, p.waiting, p.jobs, now)
}

// preparing says that a library is fetched and built, until the function that it returns is called.
func (p *Progress) preparing(s Subject) (done func()) {
	if p == nil {
		return func() {}
	}
	p.note("preparing %s (%s)", s.Library, s.Edition)
	if p.now == nil { // no cells follow
		return func() {}
	}
	began := p.now()
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.pace.add(stageBuilding, experiments.Cell{Cell: trial.Cell{Library: s.Library, Edition: s.Edition}}, p.now().Sub(began))
	}
}

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
	defer p.mu.Unlock()
	p.waiting = slices.DeleteFunc(p.waiting, func(c experiments.Cell) bool { return c.ID() == cell.ID() })
	p.active = append(p.active, &work{cell: cell, stage: stageBuilding, since: p.now()})
	if p.screen == nil {
		p.note("[%d/%d] %s: started", p.ended, p.planned, cell.ID())
	}
}

// at calls change with the cell's work, if that is shown.
func (p *Progress) at(cell trial.Cell, change func(w *work, now time.Time)) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := p.find(cell); i >= 0 {
		change(p.active[i], p.now())
	}
}

func (p *Progress) find(cell trial.Cell) int {
	return slices.IndexFunc(p.active, func(w *work) bool { return w.cell.ID() == cell.ID() })
}

// generating says that the cell's tool has begun to spend its budget.
func (p *Progress) generating(cell trial.Cell, l *trial.Ledger) {
	p.at(cell, func(w *work, now time.Time) {
		w.stage, w.since, w.ledger = stageGenerating, now, l
	})
}

// evaluating says that the cell's suite is there.
func (p *Progress) evaluating(cell trial.Cell, spent trial.Usage) {
	p.at(cell, func(w *work, now time.Time) {
		if w.stage == stageGenerating { // in this session
			p.pace.add(stageGenerating, w.cell, w.ledger.Usage().Wall)
		}
		w.stage, w.since, w.spent = stageEvaluating, now, spent
	})
}

// looking says that a bug is looked for, or that this is done.
func (p *Progress) looking(cell trial.Cell, id string, done bool) {
	p.at(cell, func(w *work, now time.Time) {
		if w.looking.IsZero() {
			w.looking, w.bugs = now, map[string]bool{}
		}
		w.bugs[id] = w.bugs[id] || done
	})
}

// done says how the cell ended. rec is nil if it has no record.
func (p *Progress) done(cell trial.Cell, rec *trial.Record, how string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := p.find(cell); i >= 0 {
		p.pace.ended(p.active[i], p.now())
		p.active = slices.Delete(p.active, i, i+1)
	}
	if rec != nil {
		p.usage = p.usage.Plus(rec.Usage)
	}
	p.ended++
	p.note("[%d/%d] %s: %s", p.ended, p.planned, cell.ID(), how)
}
