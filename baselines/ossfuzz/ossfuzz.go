// Package ossfuzz is the OSS-Fuzz baseline: a library's official libFuzzer harnesses, unmodified, with the
// seeds, dictionaries and options that OSS-Fuzz packs with them.
//
// It consumes the fuzz targets of a trial.Job whose executables the preparer has built, and
// leaves a suite of kind corpus. That has, for each target, the seeds, the inputs that reached
// something new, and those that failed, each with the time at which it was found. It
// refuses a library whose harnesses are all missing (*trial.IncompleteError) and a budget
// that no fuzzer can spend.
package ossfuzz

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/execute/libfuzzer"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// version changes whenever the same job would leave another corpus.
const version = "2"

// A Fuzzer runs one libFuzzer session (libfuzzer.Fuzzer).
type Fuzzer interface {
	Run(ctx context.Context, s libfuzzer.Session) (libfuzzer.Report, error)
}

// A Tool is the baseline.
type Tool struct {
	fuzzer      Fuzzer
	unitTimeout time.Duration
}

// New returns the baseline. unitTimeout is the time one input may take if that is less
// than OSS-Fuzz's.
func New(f Fuzzer, unitTimeout time.Duration) *Tool {
	return &Tool{fuzzer: f, unitTimeout: unitTimeout}
}

// Name returns the tool's name in experiments and tables.
func (t *Tool) Name() string { return "ossfuzz" }

// Version returns the version of the tool's behaviour.
func (t *Tool) Version() string { return version }

// Needs are the builds that the tool uses: the library's harnesses.
func (t *Tool) Needs(map[string]any) trial.Needs { return trial.Needs{FuzzTargets: true} }

// Generate fuzzes each target with an even share of the budget. With a budget in time it fuzzes one after the
// other, so that a resumed cell goes on with the target it was at. With a budget in
// executions it starts from nothing, so that a resumed cell leaves the corpus that an uninterrupted one leaves.
func (t *Tool) Generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	if len(job.Params) > 0 {
		return "", fmt.Errorf("ossfuzz takes no parameters, got %d", len(job.Params))
	}
	targets, err := available(job.Target)
	if err != nil {
		return "", err
	}
	budget := job.Ledger.Budget()
	if budget.Wall <= 0 && budget.CPU <= 0 && budget.Time <= 0 && budget.Execs <= 0 {
		return "", errors.New("ossfuzz needs a budget in wall time, CPU time or execs (inputs executed): it spends nothing else")
	}
	if !budget.Timed() {
		if err := os.RemoveAll(filepath.Join(job.Dir, "fuzz")); err != nil {
			return "", err
		}
	}
	stuck := 0
	for i, target := range targets {
		s := libfuzzer.Session{
			Executable:  target.Executable,
			Seed:        job.Seed.Derive("target " + target.Name),
			UnitTimeout: t.unitTimeout,
			Dictionary:  target.Dictionary,
			Options:     target.Options,
			Dir:         sessionDir(job, target),
		}
		if !share(&s, budget, job.Ledger.Usage(), i, len(targets)) {
			job.Log.Info("no budget left for fuzz target", "target", target.Name)
			continue
		}
		if s.Seeds, err = seedFiles(target.Seeds); err != nil {
			return "", fmt.Errorf("fuzz target %s: seeds: %w", target.Name, err)
		}
		report, err := t.fuzzer.Run(ctx, s)
		job.Ledger.Charge(trial.Usage{CPU: report.CPU, Execs: report.Execs})
		if errors.Is(context.Cause(ctx), trial.ErrBudget) {
			break // what was found until then is the suite
		}
		if err != nil {
			return "", err
		}
		if report.Stuck {
			stuck++
			job.Log.Warn("fuzz target fails on its own starting inputs", "target", target.Name)
		}
	}
	if err := handOver(job, targets); err != nil {
		return "", err
	}
	return stopReason(job.Ledger, budget, stuck == len(targets)), nil
}

// available returns the targets that were built. Targets that are missing for the same
// reason are named together, for one repository has all of a library's.
func available(t trial.Target) ([]trial.FuzzTarget, error) {
	var targets []trial.FuzzTarget
	missing := map[string][]string{} // names by reason
	for _, f := range t.FuzzTargets {
		if f.Missing == "" {
			targets = append(targets, f)
		} else {
			missing[f.Missing] = append(missing[f.Missing], f.Name)
		}
	}
	if len(targets) > 0 {
		return targets, nil
	}
	message := "the library has no official fuzz target"
	if len(missing) > 0 {
		var parts []string
		for reason, names := range missing {
			parts = append(parts, fmt.Sprintf("%s: %s", strings.Join(slices.Sorted(slices.Values(names)), ", "), reason))
		}
		slices.Sort(parts)
		message = strings.Join(parts, "; ")
	}
	return nil, &trial.IncompleteError{Kind: "missing_harness", Message: message}
}

// share gives s the part of the budget of target i of n, and reports whether there is any.
// Times are windows of the whole budget, so that what one target leaves or overdraws does
// not shift the end.
func share(s *libfuzzer.Session, b trial.Budget, used trial.Usage, i, n int) bool {
	s.Before = used.Wall
	end := func(whole time.Duration) time.Duration { return whole * time.Duration(i+1) / time.Duration(n) }
	if b.Wall > 0 {
		s.Wall = end(b.Wall) - used.Wall
	}
	if cpu := cmp.Or(b.CPU, b.Time); cpu > 0 { // a fuzzer keeps one processor busy: its CPU time is at most its wall time
		if left := end(cpu) - used.CPU; b.Wall <= 0 || left < s.Wall {
			s.Wall = left
		}
	}
	if b.Timed() && s.Wall <= 0 {
		return false
	}
	if b.Execs > 0 {
		s.Execs = b.Execs*int64(i+1)/int64(n) - b.Execs*int64(i)/int64(n)
	}
	return s.Execs > 0 || b.Execs <= 0
}

// stopReason names the limit that ended the last target. The ledger may say that there is
// a little left: less than a fuzzer can be started for.
func stopReason(l *trial.Ledger, b trial.Budget, allStuck bool) trial.StopReason {
	if reason := l.Stop(); reason != "" {
		return reason
	}
	switch {
	case allStuck:
		return trial.StopExhausted
	case b.Execs > 0:
		return trial.StopExecs
	case b.Wall > 0:
		return trial.StopWall
	case b.Time > 0:
		return trial.StopTime
	}
	return trial.StopCPU
}

func sessionDir(job trial.Job, target trial.FuzzTarget) string {
	return filepath.Join(job.Dir, "fuzz", target.Name)
}

// handOver puts everything found into the suite, earlier sessions of a resumed cell
// included.
func handOver(job trial.Job, targets []trial.FuzzTarget) error {
	var last time.Duration // a target's seeds are run when the target before is done
	for _, target := range targets {
		dir := sessionDir(job, target)
		seeds, err := libfuzzer.Seeds(dir)
		if err != nil {
			return err
		}
		found, err := libfuzzer.Inputs(dir)
		if err != nil {
			return err
		}
		for _, in := range seeds {
			if err := job.Corpus.AddInput(target.Name, in.Path, last, false); err != nil {
				return err
			}
		}
		for _, in := range found {
			last = max(last, in.Elapsed)
			if err := job.Corpus.AddInput(target.Name, in.Path, last, in.Failure != ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// seedFiles lists the files that paths name, directories with everything below them.
func seedFiles(paths []string) ([]string, error) {
	var files []string
	for _, p := range paths {
		err := filepath.WalkDir(p, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}
