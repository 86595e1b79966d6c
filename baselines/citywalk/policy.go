package citywalk

import (
	"context"
	"fmt"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
)

type (
	item     = genloop.Item[draft]
	question = genloop.Question[draft]
	round    = genloop.Round[draft]
)

// The post-processing passes, after what the model wrote: two of rules, and one more round of the
// model.
const (
	passNone = iota
	passSyntax
	passErrors
	passModel
)

var passNames = [...]string{"model", "syntax rules", "compile-error rules", "model round"}

// A draft is what is known of a test file beside what the loop knows. The item's source is the
// file as a model sees it; program makes of it what is compiled.
type draft struct {
	focal      *focal
	diagnostic string
	written    *item                // as the model wrote it; nil before it was checked
	ruled      int                  // times that the rules of the second pass were applied
	compiled   [len(passNames)]bool // after each pass
}

// roundSize is how many focal functions one round asks for.
const roundSize = 32

// A policy is how CITYWALK asks and checks: for the test file of one function after another, and once more
// where the first two passes leave one that does not compile.
type policy struct {
	*workbook
	job trial.Job

	next     int                 // index of the next focal function
	compiled [len(passNames)]int // test files in the suite, by pass
}

// Ask asks for corrected versions of what the last round left and for new test files.
func (p *policy) Ask(_ context.Context, r *round) ([]question, error) {
	var list []question
	for i, it := range r.Waiting {
		list = append(list, question{ID: requestID(r.N, "a-fix", i), Stage: stageFix, Prompt: "fix", Page: p.fixPage(it), Item: it, Read: p.reader(it)})
	}
	fresh := p.focals[p.next:][:r.Room(min(roundSize, len(p.focals)-p.next))]
	for i, f := range fresh {
		it := &item{Data: draft{focal: f}}
		list = append(list, question{ID: requestID(r.N, "b-test", i), Stage: stageTest, Prompt: "test", Page: p.testPage(f), Item: it, Read: p.reader(it)})
	}
	p.next += len(fresh)
	return list, nil
}

// requestID names a request in the transcript, so that its lines sort in the order of asking.
func requestID(round int, part string, n int) string {
	return fmt.Sprintf("r%04d-%s%04d", round, part, n+1)
}

// reader takes the test file of an answer. One that was cut off holds it as far as it goes: the
// first pass closes it. A correction goes through the first pass at once.
func (p *policy) reader(it *item) func(llm.Answer) (llm.Outcome, bool) {
	return func(a llm.Answer) (llm.Outcome, bool) {
		code, o := llm.Program(a)
		if o == llm.Truncated || o == llm.TooLong {
			code, _ = llm.ExtractCode(a.Text)
		}
		if code != "" && it.Repairs > 0 {
			code = p.syntaxRules(it.Data.focal, code)
		}
		return o, it.Put(code)
	}
}

// Check compiles and runs test files in the sandbox, and sets their outcomes and diagnostics.
func (p *policy) Check(ctx context.Context, items []*item) error {
	programs := genloop.Programs(items, p.target.Language)
	for i := range programs {
		programs[i].Source = p.program(programs[i].Source)
	}
	results, err := p.job.Exec.Run(ctx, programs, trial.ExecOptions{})
	if err != nil {
		return err
	}
	for i, it := range items {
		it.Outcome, it.Data.diagnostic = results[i].Outcome, llm.Portable(results[i].Diagnostic)
	}
	return nil
}

// Mend applies the first two passes to what the model wrote at first. What becomes of a file that
// runs is noted and nothing else: only errors of the compiler and the linker are mended.
func (p *policy) Mend(it *item) (changed bool, err error) {
	d, source := &it.Data, it.Source
	if it.Repairs > 0 {
		return false, nil
	}
	if d.written == nil {
		written := *it
		d.written, d.compiled[passNone] = &written, it.Outcome.Compiled()
		if !p.options.Fixing {
			return false, nil
		}
		if it.Source = p.syntaxRules(d.focal, source); it.Source != source {
			return true, nil
		}
	}
	if d.ruled == 0 {
		if w := d.written; w.Outcome.Compiled() && !it.Outcome.Compiled() { // the first pass did that
			it.Source, it.Outcome, d.diagnostic = w.Source, w.Outcome, w.Data.diagnostic
		}
		d.compiled[passSyntax] = it.Outcome.Compiled()
	}
	if d.compiled[passErrors] = it.Outcome.Compiled(); d.compiled[passErrors] || d.ruled == fixRounds {
		return false, nil
	}
	d.ruled++
	it.Source = p.compileErrors(source, d.diagnostic)
	return it.Source != source, nil
}

// Settle has what does not compile mended once by the model and keeps it then, whatever it has
// become. Its expected values are argued from documents and code, not recorded.
func (p *policy) Settle(r *round, it *item) error {
	if !it.Outcome.Compiled() && r.Again(it) {
		return nil
	}
	d := &it.Data
	err := r.Keep(it, trial.Program{
		Lang: p.target.Language, Oracle: trial.OracleSpecification,
		Source: "// " + it.ID + " " + d.focal.spec.Canonical() + "\n" + p.program(it.Source),
	})
	if err != nil {
		return err
	}
	d.compiled[passModel] = it.Outcome.Compiled()
	for i, ok := range d.compiled {
		if ok {
			p.compiled[i]++
		}
	}
	return nil
}

// End logs the round.
func (p *policy) End(_ context.Context, r *round) error {
	p.job.Log.Info("round", "round", r.N, "functions", p.next, "of", len(p.focals), "programs", r.Programs)
	return nil
}

// passes tells how many of the test files in the suite compile after each pass.
func (p *policy) passes(programs int) []trial.Pass {
	var list []trial.Pass
	for i, name := range passNames {
		if i == 0 || p.options.Fixing {
			list = append(list, trial.Pass{Name: name, Compiled: p.compiled[i], Programs: programs})
		}
	}
	return list
}
