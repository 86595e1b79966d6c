package suspicion

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// below is the directory of suspicions below a tool's own.
const below = "suspicions"

// A Keeper keeps the suspicions of one cell. It is not safe for concurrent use.
type Keeper struct {
	job      trial.Job
	compiler *toolchain.Compiler
	kept     []*kept
}

// A kept suspicion is one with its program.
type kept struct {
	trial.Suspicion
	program trial.Program // the shortest so far
	tests   []string      // its test functions; none if it has a main
	saved   bool          // its files are written: it is as short as it gets

	// While it is made shorter:
	shown *string  // what it prints; nil before its first run
	out   []part   // statements that are out
	open  [][]part // groups of statements that may go and were not tried yet
}

// New returns the keeper of a job's cell.
func New(job trial.Job, c *toolchain.Compiler) *Keeper { return &Keeper{job: job, compiler: c} }

// Keep adds a suspicion with the program that fails with it: one that the job's executor takes. It
// returns it with its ID, for what is learnt later, or nil if the cell has the same assertion at the
// same place already.
func (k *Keeper) Keep(s trial.Suspicion, p trial.Program) *trial.Suspicion {
	for _, other := range k.kept {
		if other.Place == s.Place && other.Assertion == s.Assertion {
			return nil
		}
	}
	s.ID = fmt.Sprintf("s%03d", len(k.kept)+1)
	if s.Opinion.Verdict == "" {
		s.Opinion = trial.Opinion{Verdict: trial.Unasked, Why: "second opinions were switched off"}
	}
	p.ID = s.ID
	k.kept = append(k.kept, &kept{Suspicion: s, program: p})
	return &k.kept[len(k.kept)-1].Suspicion
}

// Suspicions returns what was kept, in the order in which it was found. Those that Shorten has not
// seen have no files.
func (k *Keeper) Suspicions() []trial.Suspicion {
	var list []trial.Suspicion
	for _, s := range k.kept {
		list = append(list, s.Suspicion)
	}
	return list
}

// Shorten makes the programs of new suspicions shorter and writes their files. The error is for
// what is no program's fault.
func (k *Keeper) Shorten(ctx context.Context) error {
	var todo []*kept
	for _, s := range k.kept {
		if !s.saved {
			todo = append(todo, s)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	if err := k.shorten(ctx, todo); err != nil {
		return fmt.Errorf("shorten %d suspicions: %w", len(todo), err)
	}
	for _, s := range todo {
		if err := k.save(s); err != nil {
			return err
		}
	}
	return nil
}

// save writes a suspicion's program, with a main that calls its tests, and its script.
func (k *Keeper) save(s *kept) error {
	dir := filepath.Join(k.job.Dir, below)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	file, script := s.ID+s.program.Lang.Ext(), s.ID+".sh"
	if err := os.WriteFile(filepath.Join(dir, file), []byte(withMain(s.program.Source, s.tests)), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, script), []byte(reproducer(k.job.Target, file, s.Suspicion)), 0o755); err != nil {
		return err
	}
	here := filepath.ToSlash(filepath.Join(filepath.Base(k.job.Dir), below))
	s.Program, s.Script, s.saved = here+"/"+file, here+"/"+script, true
	return nil
}
