package runner

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Progress shows how far a run is: a bar with the time left on a terminal, one line for
// each event elsewhere. A nil Progress shows nothing.
type Progress struct {
	w        io.Writer
	terminal bool

	mu      sync.Mutex
	bar     *progressbar.ProgressBar
	planned int
	ended   int              // cells, earlier sessions included
	settled int              // steps of the cells that ended in this session
	active  map[string]*step // by cell
	quit    chan struct{}
	drawn   sync.WaitGroup
}

// A step is a cell at work.
type step struct {
	ledger  *trial.Ledger
	reached int
}

// A cell is cellSteps of the bar, generationSteps of them for its tool.
const (
	cellSteps       = 1000
	generationSteps = 700
	drawEvery       = 250 * time.Millisecond
)

// NewProgress shows on w, which is a terminal or not.
func NewProgress(w io.Writer, terminal bool) *Progress {
	return &Progress{w: w, terminal: terminal, active: map[string]*step{}}
}

func (p *Progress) begin(planned, pending int) {
	if p == nil {
		return
	}
	p.planned, p.ended = planned, planned-pending
	if p.ended > 0 {
		p.note("%d of %d cells are complete already", p.ended, planned)
	}
	if !p.terminal || pending == 0 {
		return
	}
	p.bar = progressbar.NewOptions(pending*cellSteps,
		progressbar.OptionSetWriter(p.w), progressbar.OptionFullWidth(), progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetElapsedTime(true), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(drawEvery/2))
	p.quit = make(chan struct{})
	p.drawn.Go(func() {
		t := time.NewTicker(drawEvery)
		defer t.Stop()
		for {
			select {
			case <-p.quit:
				return
			case <-t.C:
				p.draw()
			}
		}
	})
}

func (p *Progress) end() {
	if p == nil || p.bar == nil {
		return
	}
	close(p.quit)
	p.drawn.Wait()
	// What a bar cannot show on a terminal that went away is no loss.
	_ = p.bar.Clear()
}

// draw moves the bar to where the ledgers are.
func (p *Progress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.settled
	for _, s := range p.active {
		if s.ledger != nil {
			s.reached = max(s.reached, int(generationSteps*fraction(s.ledger)))
		}
		at += s.reached
	}
	p.bar.Describe(fmt.Sprintf("%d/%d cells", p.ended, p.planned))
	_ = p.bar.Set(at)
}

// fraction is how much of the budget is used up, 0..1.
func fraction(l *trial.Ledger) float64 {
	u, b := l.Usage(), l.Budget()
	most := 0.0
	for _, part := range [][2]float64{
		{float64(u.Wall), float64(b.Wall)}, {float64(u.CPU), float64(b.CPU)}, {float64(u.On(b)), float64(b.Limit())}, {float64(u.Programs), float64(b.Programs)},
		{float64(u.LLMCalls), float64(b.LLMCalls)}, {float64(u.Tokens), float64(b.Tokens)}, {u.Dollars, b.Dollars},
	} {
		if part[1] > 0 {
			most = max(most, part[0]/part[1])
		}
	}
	return min(1, most)
}

// note prints a line, above the bar if there is one.
func (p *Progress) note(format string, args ...any) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.print(format, args...)
}

func (p *Progress) print(format string, args ...any) {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	fmt.Fprintf(p.w, format+"\n", args...)
}

func (p *Progress) start(cell string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.active[cell] = &step{}
	if !p.terminal {
		p.print("[%d/%d] %s: started", p.ended, p.planned, cell)
	}
}

// watch takes the cell's progress from its ledger.
func (p *Progress) watch(cell string, l *trial.Ledger) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.active[cell].ledger = l
}

func (p *Progress) evaluating(cell string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	*p.active[cell] = step{reached: generationSteps}
}

func (p *Progress) done(cell, how string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.active, cell)
	p.ended++
	p.settled += cellSteps
	p.print("[%d/%d] %s: %s", p.ended, p.planned, cell, how)
}
