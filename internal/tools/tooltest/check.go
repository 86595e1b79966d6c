package tooltest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Finding is how one check ended.
type Finding struct {
	Check    string   `json:"check"`
	Problems []string `json:"problems,omitempty"` // none if the tool passes
	Skipped  string   `json:"skipped,omitempty"`  // why the check says nothing about the tool
	Change   []string `json:"change,omitempty"`   // what to do about the problems
	Said     []string `json:"said,omitempty"`     // the first lines that the tool printed
	Notes    []string `json:"notes,omitempty"`    // what its builder may want to know
}

// Check runs every check and returns how each ended, as Run does for a test. It stops early, with an
// error, when ctx ends.
func Check(ctx context.Context, s Subject) ([]Finding, error) {
	var list []Finding
	for _, c := range checks {
		if ctx.Err() != nil {
			return list, context.Cause(ctx)
		}
		list = append(list, One(ctx, c.name, func(t T) { c.check(s, t) }))
	}
	return list, nil
}

// One runs one check of any kind.
func One(ctx context.Context, name string, check func(T)) Finding {
	inner, cancel := context.WithCancel(ctx)
	r := &recorded{ctx: inner, finding: Finding{Check: name}}
	ended := make(chan struct{})
	go func() { // of its own, for Fatal and Skip to leave
		defer close(ended)
		defer func() {
			if p := recover(); p != nil {
				r.problem(fmt.Sprintf("panic: %v\n%s", p, debug.Stack()))
			}
		}()
		check(r)
	}()
	<-ended
	cancel()
	for i := len(r.cleanups) - 1; i >= 0; i-- {
		r.cleanups[i]()
	}
	return r.finding
}

// recorded is a T that keeps what a check says. A check uses it from one goroutine; its cleanups
// run when it has ended.
type recorded struct {
	ctx      context.Context // T has it as a method
	finding  Finding
	cleanups []func()
}

func (r *recorded) problem(text string) { r.finding.Problems = append(r.finding.Problems, text) }

func (r *recorded) Helper() {}

func (r *recorded) Context() context.Context { return r.ctx }

func (r *recorded) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }

func (r *recorded) Error(args ...any) { r.problem(fmt.Sprint(args...)) }

func (r *recorded) Errorf(format string, args ...any) { r.problem(fmt.Sprintf(format, args...)) }

func (r *recorded) Fatal(args ...any) {
	r.Error(args...)
	runtime.Goexit()
}

func (r *recorded) Fatalf(format string, args ...any) { r.Fatal(fmt.Sprintf(format, args...)) }

func (r *recorded) Skip(args ...any) {
	r.finding.Skipped = fmt.Sprint(args...)
	runtime.Goexit()
}

func (r *recorded) TempDir() string {
	dir, err := os.MkdirTemp("", "bench-check-")
	if err == nil {
		err = os.Chmod(dir, 0o755) // programs may run as another user
	}
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func (r *recorded) Setenv(key, value string) {
	was, had := os.LookupEnv(key)
	if err := os.Setenv(key, value); err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() {
		err := os.Unsetenv(key)
		if had {
			err = errors.Join(err, os.Setenv(key, was))
		}
		if err != nil {
			r.problem(err.Error())
		}
	})
}

// An ending is how one generation ended, and what it left.
type ending struct {
	Stop     trial.StopReason
	Err      error
	Programs []trial.Program
}

// Generate calls the tool once with a budget.
func (s Subject) Generate(t T, b trial.Budget) ending {
	r := s.prepare(t, b)
	s.generate(t.Context(), r)
	return ending{Stop: r.stop, Err: r.err, Programs: r.suite.Programs}
}
