package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/subject"
	"github.com/lisa-bench/lisa-bench/internal/validate"
)

// A proving is one validation of bugs of one edition.
type proving struct {
	edition lisabench.Edition
	runs    int       // of each witness on each build
	out     io.Writer // for progress

	results []*validate.Result
	total   int
	mu      sync.Mutex // of what follows, and of out
	done    int
}

// proveAll validates the chosen bugs and returns their results in that order. It opens one
// library after the other; the bugs are validated as many at a time as there are processors,
// a library's last ones while the next library is fetched and built.
func proveAll(ctx context.Context, shop *subject.Workshop, chosen []choice, p *proving) ([]validate.Result, error) {
	for _, c := range chosen {
		p.total += len(c.bugs)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU())
	var err error
	for _, c := range chosen {
		err = p.library(ctx, shop, c, g)
		if err != nil && len(chosen) > 1 && len(c.bugs) > 0 && ctx.Err() == nil {
			p.unbuilt(c, err) // the other libraries can be validated all the same
			err = nil
		}
		if err != nil {
			break
		}
	}
	if err := cmp.Or(err, g.Wait()); err != nil {
		return nil, err
	}
	var all []validate.Result
	for _, r := range p.results {
		all = append(all, *r)
	}
	return all, nil
}

// library opens a library and hands its bugs to g. The error is that of opening it.
func (p *proving) library(ctx context.Context, shop *subject.Workshop, c choice, g *errgroup.Group) error {
	p.tell("%s (%s): fetching and building", c.library.Name, p.edition)
	lib, err := shop.Open(ctx, c.library.Name, p.edition)
	if err != nil {
		return err
	}
	if len(c.bugs) == 0 {
		if _, err := lib.Coverage(ctx); err != nil {
			return err
		}
		p.tell("%s: builds as plain, coverage and sanitizer variant; it has no bugs yet", c.library.Name)
	}
	v := validate.Validator{Library: c.library, Edition: p.edition, Builds: lib, Runner: lib.Engine, Runs: p.runs}
	for _, bug := range c.bugs {
		r := &validate.Result{}
		p.results = append(p.results, r)
		g.Go(func() (err error) {
			if *r, err = v.Bug(ctx, bug); err == nil {
				p.finished(*r)
			}
			return err
		})
	}
	return nil
}

// unbuilt adds the results of a library that could not be fetched, built or run.
func (p *proving) unbuilt(c choice, err error) {
	for _, b := range c.bugs {
		r := &validate.Result{Library: c.library.Name, Bug: b.ID, Edition: p.edition, Selection: b.Selection, Problem: err.Error()}
		if how := b.In(p.edition); how != nil {
			r.Strategy = how.Strategy
		}
		if r.Absent() { // it asks nothing of the library
			r.OK, r.Problem = true, b.In(p.edition).Reason
		}
		p.results = append(p.results, r)
		p.finished(*r)
	}
}

// finished tells of a bug that is done.
func (p *proving) finished(r validate.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	fmt.Fprintf(p.out, "[%d/%d] %s: %s\n", p.done, p.total, r.Bug, verdict(r))
}

func (p *proving) tell(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.out, format+"\n", args...)
}

// verdict is a result in one word.
func verdict(r validate.Result) string {
	switch {
	case r.Absent():
		return "absent"
	case r.OK:
		return "proven"
	}
	return "FAILED"
}
