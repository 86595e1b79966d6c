package runner

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// uses are the cells of the plan whose suites a cell of it uses.
func (r *run) uses(i int) []int {
	var list []int
	for _, u := range r.Plan.Cells[i].Uses {
		if j, planned := r.index[u.Cell]; planned && r.Made == "" {
			list = append(list, j)
		}
	}
	return list
}

// choose marks a cell and all that it uses.
func (r *run) choose(chosen []bool, i int) {
	chosen[i] = true
	for _, j := range r.uses(i) {
		r.choose(chosen, j)
	}
}

// own are the parameters of a cell without those that other cells stand for. Where the cells of another run
// are used, directories that a cell was given are that run's copies.
func (r *run) own(c experiments.Cell) map[string]any {
	params := maps.Clone(c.Params)
	for _, u := range c.Uses {
		delete(params, u.Param) // usedKeys stand for it
	}
	if r.Made == "" {
		return params
	}
	for name := range params {
		dir := results.GivenDirIn(r.Made, c.ID(), name)
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			params[name] = dir
		}
	}
	return params
}

// inputs are the files that a tool reads for a cell, those apart that other cells make.
func (r *run) inputs(tool Tool, c experiments.Cell) []trial.Input {
	if reader, ok := tool.(InputReader); ok {
		return reader.Inputs(c.Library, r.own(c))
	}
	return nil
}

// params are those of a cell, with directories in the place of the cells that it uses. before is what was
// spent on the seeds that it starts from. A knowledge base is made once for all and is not in it. The
// error is an *trial.IncompleteError if a used cell is not complete.
func (c *cellRun) params() (params map[string]any, before trial.Usage, err error) {
	for _, i := range c.uses(c.index[c.plan.ID()]) {
		c.mu.Lock()
		why := c.outcomes[i]
		c.mu.Unlock()
		if why != nil {
			return nil, before, &trial.IncompleteError{Kind: KindUses, Message: fmt.Sprintf("it uses cell %s, which is incomplete: %s: %s", why.Cell.ID(), why.Kind, why.Message)}
		}
	}
	cells := c.Made
	if cells == "" {
		cells = filepath.Join(c.Store.Dir, "cells")
	}
	params = c.own(c.plan)
	for _, u := range c.plan.Uses {
		dir := results.SuiteDirIn(cells, u.Cell)
		suite, err := results.ReadSuite(dir)
		if err != nil {
			return nil, before, err
		}
		if suite.Kind == trial.KindPrograms && c.plan.Tool != experiments.KnowledgeTool {
			before = before.Plus(suite.Usage)
			before.Programs = 0 // they are counted where they are finished
		}
		params[u.Param] = dir
	}
	return params, before, nil
}

// usedKeys are the keys of what a cell uses: they stand for its contents, which may not be there yet.
func (r *run) usedKeys(c experiments.Cell) []string {
	var keys []string
	for _, u := range c.Uses {
		keys = append(keys, u.Param+" "+r.made[u.Cell])
	}
	return keys
}

// A queue deals out cells, each after those that it uses.
type queue struct {
	mu      sync.Mutex
	changed *sync.Cond
	waiting []int
	working []int
}

func (q *queue) fill(cells []int) {
	q.changed = sync.NewCond(&q.mu)
	q.waiting = slices.Clone(cells)
}

// next waits for a cell of which all that it uses is done, whatever became of it; ok is false when
// there is no cell left.
func (q *queue) next(uses func(int) []int) (cell int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) > 0 {
		for k, i := range q.waiting {
			open := func(j int) bool { return slices.Contains(q.waiting, j) || slices.Contains(q.working, j) }
			if !slices.ContainsFunc(uses(i), open) {
				q.waiting = slices.Delete(q.waiting, k, k+1)
				q.working = append(q.working, i)
				return i, true
			}
		}
		q.changed.Wait()
	}
	return 0, false
}

func (q *queue) done(cell int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.working = slices.DeleteFunc(q.working, func(i int) bool { return i == cell })
	q.changed.Broadcast()
}

// close leaves what waits undone.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = nil
	q.changed.Broadcast()
}
