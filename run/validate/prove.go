package validate

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

// A Choice is a library with the bugs to validate.
type Choice struct {
	Library *lisabench.Library
	Bugs    []*lisabench.Bug
}

// Choose resolves names of libraries and bugs; none means everything the edition has. The error is
// one of the names.
func Choose(bench *lisabench.Bench, names []string, ed lisabench.Edition) ([]Choice, error) {
	wanted := map[string]bool{}
	var known []string
	for _, l := range bench.Libraries {
		known = append(known, l.Name)
		for _, b := range l.Bugs {
			known = append(known, b.ID)
		}
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, lisabench.NewUnknownError("library or bug", n, known)
		}
		wanted[n] = true
	}
	var chosen []Choice
	for _, l := range bench.Libraries {
		c := Choice{Library: l}
		for _, b := range l.Bugs {
			if len(names) == 0 || wanted[l.Name] || wanted[b.ID] {
				c.Bugs = append(c.Bugs, b)
			}
		}
		switch {
		case len(c.Bugs) == 0 && !wanted[l.Name]:
		case l.Has(ed):
			chosen = append(chosen, c)
		case len(names) > 0:
			return nil, fmt.Errorf("library %s has no %s edition", l.Name, ed)
		}
	}
	return chosen, nil
}

// A Proof is one validation of bugs of one edition.
type Proof struct {
	Edition lisabench.Edition
	Runs    int                                                               // of each witness on each build
	Open    func(context.Context, *lisabench.Library) (Builds, Runner, error) // fetches and builds the reference
	Out     io.Writer                                                         // for progress

	results []*Result
	total   int
	mu      sync.Mutex // of what follows, and of Out
	done    int
}

// All validates the chosen bugs and returns their results in that order. It opens one
// library after the other. The bugs are validated as many at a time as there are processors,
// a library's last ones while the next library is fetched and built.
func (p *Proof) All(ctx context.Context, chosen []Choice) ([]Result, error) {
	for _, c := range chosen {
		p.total += len(c.Bugs)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU())
	var err error
	for _, c := range chosen {
		err = p.library(ctx, c, g)
		if err != nil && len(chosen) > 1 && len(c.Bugs) > 0 && ctx.Err() == nil {
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
	var all []Result
	for _, r := range p.results {
		all = append(all, *r)
	}
	return all, nil
}

// library opens a library and hands its bugs to g. The error is that of opening it.
func (p *Proof) library(ctx context.Context, c Choice, g *errgroup.Group) error {
	p.tell("%s (%s): fetching and building", c.Library.Name, p.Edition)
	builds, run, err := p.Open(ctx, c.Library)
	if err != nil {
		return err
	}
	if len(c.Bugs) == 0 {
		p.tell("%s: builds as plain, coverage and sanitizer variant; it has no bugs yet", c.Library.Name)
	}
	v := validator{Library: c.Library, Edition: p.Edition, Builds: builds, Runner: run, Runs: p.Runs}
	for _, bug := range c.Bugs {
		r := &Result{}
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
func (p *Proof) unbuilt(c Choice, err error) {
	for _, b := range c.Bugs {
		r := &Result{Library: c.Library.Name, Bug: b.ID, Edition: p.Edition, Selection: b.Selection, Problem: err.Error()}
		if how := b.In(p.Edition); how != nil {
			r.Strategy = how.Strategy
		}
		if r.Absent() { // it asks nothing of the library
			r.OK, r.Problem = true, b.In(p.Edition).Reason
		}
		p.results = append(p.results, r)
		p.finished(*r)
	}
}

// finished tells of a bug that is done.
func (p *Proof) finished(r Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	fmt.Fprintf(p.Out, "[%d/%d] %s: %s\n", p.done, p.total, r.Bug, r.Verdict())
}

func (p *Proof) tell(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.Out, format+"\n", args...)
}

// Verdict is a result in one word: proven, absent or FAILED.
func (r Result) Verdict() string {
	switch {
	case r.Absent():
		return "absent"
	case r.OK:
		return "proven"
	}
	return "FAILED"
}
