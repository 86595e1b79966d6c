package runner

import (
	"context"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// What a cell's claim says that is being done.
const (
	stageBuilding   = "building"
	stageGenerating = "generating"
	stageEvaluating = "evaluating"
)

// where is how far a cell is.
type where struct {
	mu    sync.Mutex
	stage string
	usage func() trial.Usage
}

func (w *where) at(stage string, usage func() trial.Usage) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stage, w.usage = stage, usage
}

func (w *where) get() (string, trial.Usage) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stage, w.usage()
}

// claim takes the cell, and says from time to time that it is held. release lets it go.
func (c *cellRun) claim(ctx context.Context) (release func(), err error) {
	claim, err := c.Store.Claim(ctx, c.plan.Cell, c.Now)
	if err != nil {
		return nil, err
	}
	c.claimed = true
	c.place.at(stageBuilding, func() trial.Usage { return trial.Usage{} })
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		c.beat(claim, quit)
	}()
	return func() {
		close(quit)
		<-ended
		if err := claim.Release(c.Now()); err != nil {
			c.Log.Warn("claim not released", "cell", c.plan.Cell.ID(), "error", err)
		}
	}, nil
}

// beat rewrites the claim until quit. A claim that cannot be written is still held; whatever
// keeps it from being written ends the cell by its journal, if it matters.
func (c *cellRun) beat(claim *results.Claim, quit <-chan struct{}) {
	t := time.NewTicker(results.BeatEvery)
	defer t.Stop()
	for {
		select {
		case <-quit:
			return
		case <-t.C:
			stage, usage := c.place.get()
			if err := claim.Beat(stage, usage); err != nil {
				c.Log.Warn("claim not renewed", "cell", c.plan.Cell.ID(), "error", err)
			}
		}
	}
}
