package mutation

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
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
	Driver  *Driver
	Workers int
}

// Options says on how many mutants a suite is run.
type Options struct {
	// Sample is how many mutants are drawn, systematically by function; 0 means DefaultSample,
	// a negative number all.
	Sample int
	// Among are the IDs of the mutants, in their order, in place of a sample; nil: the sample.
	Among []int
	// Matrix runs every test on every mutant that it reaches; else a mutant that was killed is
	// left alone by the tests that follow.
	Matrix bool
}

// A MutantVerdict is what a suite does to one mutant.
type MutantVerdict struct {
	Mutant
	Reached  int               `json:"reached"` // tests that come to its place
	Reachers []int             `json:"-"`       // their indexes
	Killers  []Killer          `json:"killers,omitempty"`
	Oracle   trial.OracleClass `json:"oracle,omitempty"` // of the first killer
}

// A Killer is a test that tells a mutant from the library.
type Killer struct {
	Test    string            `json:"test"` // its ID
	Outcome Outcome           `json:"outcome"`
	Oracle  trial.OracleClass `json:"oracle"`
}

// A TestVerdict is how a test got on with the reference.
type TestVerdict struct {
	ID      string        `json:"id"`
	Usable  bool          `json:"usable"`           // it passed every time, so that it may kill
	Reason  string        `json:"reason,omitempty"` // why not
	Reached int           `json:"reached"`          // mutants of the sample
	CPU     time.Duration `json:"cpu_ns"`           // of all its runs
}

// A Result is what a suite does to the mutants of a library.
type Result struct {
	Mutants []MutantVerdict `json:"mutants"`
	Tests   []TestVerdict   `json:"tests"`
	Score   trial.Mutation  `json:"score"`
}

// Evaluate runs the programs on mutants of lib. The tests are asked in their order, and the result
// does not depend on how many run at a time.
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
	res := &Result{Mutants: make([]MutantVerdict, len(sample)), Tests: make([]TestVerdict, len(programs))}
	workers := max(e.Workers, 1)
	tests := make([][]TestVerdict, workers)
	g, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		row := &rows{programs: programs, linked: linked, matrix: o.Matrix}
		for i := w; i < len(sample); i += workers {
			res.Mutants[i] = MutantVerdict{Mutant: sample[i]}
			row.verdicts = append(row.verdicts, &res.Mutants[i])
		}
		g.Go(func() error {
			var err error
			tests[w], err = row.run(ctx, e.Driver, lib)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("mutants: %w", err)
	}
	res.Tests = merge(tests)
	res.Score = score(lib, sample, res)
	if o.Among != nil { // they stand for themselves
		res.Score.Low, res.Score.High = res.Score.Score, res.Score.Score
	}
	return res, nil
}

// rows are the mutants of one worker: their verdicts depend on nothing of the others.
type rows struct {
	programs []trial.Program
	linked   []testrun.Linked
	matrix   bool
	verdicts []*MutantVerdict
}

// run asks every test about the mutants that are left.
func (r *rows) run(ctx context.Context, driver *Driver, lib *MutableLibrary) ([]TestVerdict, error) {
	tests := make([]TestVerdict, len(r.programs))
	for i, p := range r.programs {
		tests[i] = TestVerdict{ID: p.ID}
		switch t := r.linked[i]; {
		case t.Outcome != "":
			tests[i].Reason = string(t.Outcome)
		case t.Shared == "":
			tests[i].Reason = "it defines symbols of the library, so that only the plain way can run it"
		default:
			if err := r.ask(ctx, driver, lib, i, &tests[i]); err != nil {
				return nil, fmt.Errorf("program %s: %w", p.ID, err)
			}
		}
	}
	return tests, nil
}

func (r *rows) ask(ctx context.Context, driver *Driver, lib *MutableLibrary, test int, verdict *TestVerdict) error {
	p, t := r.programs[test], r.linked[test]
	var left []*MutantVerdict
	var mutants []Mutant
	for _, v := range r.verdicts {
		if r.matrix || len(v.Killers) == 0 {
			left, mutants = append(left, v), append(mutants, v.Mutant)
		}
	}
	d, err := driver.run(ctx, lib, t, mutants)
	if err != nil {
		return err
	}
	verdict.CPU = d.cpu
	if verdict.Usable = d.passes(); !verdict.Usable {
		verdict.Reason = d.reason()
		return nil
	}
	for _, v := range r.verdicts {
		if d.reaches(v.Site) {
			v.Reached++
			v.Reachers = append(v.Reachers, test)
			verdict.Reached++
		}
	}
	for i, v := range left {
		if o := d.outcomes[i]; o.Fails() {
			v.Killers = append(v.Killers, Killer{Test: p.ID, Outcome: o, Oracle: oracleOf(o, p)})
			v.Oracle = v.Killers[0].Oracle
		}
	}
	return nil
}

// oracleOf returns the class of what killed a mutant: a crash or a hang is an oracle of its
// own, whatever the test asserts. Which assertion failed is not known.
func oracleOf(o Outcome, p trial.Program) trial.OracleClass {
	switch o {
	case Crashed:
		return trial.OracleCrash
	case Hung:
		return trial.OracleHang
	default:
		return p.OracleAt(0)
	}
}

// reason says why a test does not pass on the reference.
func (d *driven) reason() string {
	if d.refused != "" {
		return d.refused
	}
	return fmt.Sprintf("with no mutant selected run %[2]d ended in: %[1]s", d.reference[len(d.reference)-1], len(d.reference))
}

// merge joins what the workers found of the same tests. A test that one of them saw fail is of
// no use, but what it killed for another before stays: it had passed there three times.
func merge(workers [][]TestVerdict) []TestVerdict {
	all := workers[0]
	for _, tests := range workers[1:] {
		for i, t := range tests {
			all[i].Reached += t.Reached
			all[i].CPU += t.CPU
			if !t.Usable && all[i].Usable {
				all[i].Usable, all[i].Reason = false, t.Reason
			}
		}
	}
	return all
}
