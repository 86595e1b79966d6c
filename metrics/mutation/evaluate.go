package mutation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// DefaultSample is how many mutants a suite is run on unless a caller asks for another number.
// The interval of a score from so many is at most 0.044 wide.
const DefaultSample = 2000

// A TestLinker compiles and links test programs (testrun.Engine).
type TestLinker interface {
	Link(ctx context.Context, b *libbuild.Build, programs []trial.Program) ([]testrun.Linked, error)
}

// An Evaluator runs suites on mutants. Safe for concurrent use.
type Evaluator struct {
	Linker  TestLinker
	Driver  string // the program's path (BuildDriver)
	Sandbox sandbox.Executor
	Limits  sandbox.Limits // of each run with no mutant; CPU is their wall limit too
	Workers int
}

// Options says on how many mutants a suite is run.
type Options struct {
	// Sample is how many mutants are drawn, systematically by function; 0 means DefaultSample,
	// a negative number all.
	Sample int
	// Among are the IDs of the mutants, in their order, in place of a sample; nil: the sample.
	Among []int
}

// A MutantVerdict is what a suite does to one mutant.
type MutantVerdict struct {
	Mutant
	Reachers []int             // indexes of the tests that come to its place
	Killer   string            // ID of the first test that tells it from the library; "": none does
	Outcome  Outcome           // of the killer
	Oracle   trial.OracleClass // of the killer
}

// A Result is what a suite does to the mutants of a library.
type Result struct {
	Mutants []MutantVerdict
	Score   trial.Mutation
	unused  map[string]string // why tests may not kill, by ID: they do not pass every time
}

// Evaluate runs the programs on mutants of lib. The tests are asked in their order, each about the mutants that are left,
// and the result does not depend on how many run at a time.
func (e *Evaluator) Evaluate(ctx context.Context, lib *MutableLibrary, programs []trial.Program, o Options) (*Result, error) {
	linked, err := e.Linker.Link(ctx, lib.Build, programs)
	if err != nil {
		return nil, fmt.Errorf("mutants: %w", err)
	}
	sample := sampleOf(lib.Mutants, o.Sample)
	if o.Among != nil {
		sample = nil
		for _, id := range o.Among {
			if id < 1 || id > len(lib.Mutants) {
				return nil, fmt.Errorf("mutants: there is no mutant %d of the library: it has 1 to %d", id, len(lib.Mutants))
			}
			sample = append(sample, lib.Mutants[id-1])
		}
	}
	res := &Result{unused: map[string]string{}}
	for _, m := range sample {
		res.Mutants = append(res.Mutants, MutantVerdict{Mutant: m})
	}
	var cpu time.Duration
	for i, p := range programs {
		why := ""
		switch t := linked[i]; {
		case t.Outcome != "":
			why = string(t.Outcome)
		case t.Shared == "":
			why = "it defines symbols of the library, so that only the plain way can run it"
		default:
			var took time.Duration
			if why, took, err = e.ask(ctx, lib, i, p, t, res.Mutants); err != nil {
				return nil, fmt.Errorf("mutants: program %s: %w", p.ID, err)
			}
			cpu += took
		}
		if why != "" {
			res.unused[p.ID] = why
		}
	}
	res.Score = score(lib, sample, res.Mutants, programs)
	res.Score.Usable, res.Score.CPU = len(programs)-len(res.unused), cpu
	if o.Among != nil { // they stand for themselves
		res.Score.Low, res.Score.High = res.Score.Score, res.Score.Score
	}
	return res, nil
}

// ask runs a test on the mutants that it reaches and none before it has killed. If it does not pass on the reference, why
// says so, and it kills none. cpu is what all its runs took.
func (e *Evaluator) ask(ctx context.Context, lib *MutableLibrary, test int, p trial.Program, t testrun.Linked, all []MutantVerdict) (why string, cpu time.Duration, err error) {
	var left []int // indexes
	var mutants []Mutant
	for i := range all {
		if all[i].Killer == "" {
			left, mutants = append(left, i), append(mutants, all[i].Mutant)
		}
	}
	workers := max(e.Workers, 1)
	parts := slices.Collect(slices.Chunk(mutants, min(max(len(mutants)/workers, 1)+1, pairsAtATime)))
	if len(parts) == 0 {
		parts = [][]Mutant{nil} // what it reaches is asked all the same
	}
	found := make([]*driven, len(parts))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(workers)
	for k, part := range parts {
		g.Go(func() (err error) {
			found[k], err = e.run(ctx, lib, t, part)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return "", 0, err
	}
	var outcomes []Outcome
	for _, d := range found {
		cpu += d.cpu
		if !d.passes() {
			why = d.reason()
		}
		outcomes = append(outcomes, d.outcomes...)
	}
	if why != "" {
		return why, cpu, nil
	}
	for i := range all {
		if found[0].reaches(all[i].Site) {
			all[i].Reachers = append(all[i].Reachers, test)
		}
	}
	for k, o := range outcomes {
		if o.Fails() {
			v := &all[left[k]]
			v.Killer, v.Outcome, v.Oracle = p.ID, o, p.OracleAt(0) // which assertion failed is not known
			switch o {                                             // a crash or a hang is an oracle of its own
			case Crashed:
				v.Oracle = trial.OracleCrash
			case Hung:
				v.Oracle = trial.OracleHang
			}
		}
	}
	return "", cpu, nil
}
