package property

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	interpose "github.com/lisa-bench/lisa-bench/pipeline/recorded"
	"github.com/lisa-bench/lisa-bench/pipeline/survivors"
	"github.com/lisa-bench/lisa-bench/pipeline/suspicion"
)

// A work is what the tool knows of a program on its way into the suite.
type work struct {
	task     task
	leftOut  []string // tests whose exclusion the model did not write
	version  *version // as it was checked last
	verdicts []verdict
	sentBack bool // because it could not fail

	shown  bool            // a question has shown what the reference build made of a case
	argued map[string]bool // definitions that were written before that

	suspected map[string]*trial.Suspicion // what the tests that fail now became, by test
}

// A verdict is the model's second opinion on a test that fails.
type verdict struct {
	test    string
	library bool   // is wrong
	reason  string // with the sentence
}

var verdictLine = regexp.MustCompile(`(?mi)^[\s>*-]*VERDICT\s+(\w+)\s*:\s*\W*(test|library)\b\W*(.*)$`)

// parseVerdicts reads the lines before the program. The last one about a test counts.
func parseVerdicts(text string) []verdict {
	var list []verdict
	for _, m := range verdictLine.FindAllStringSubmatch(text, -1) {
		v := verdict{m[1], strings.EqualFold(m[2], "library"), strings.TrimSpace(m[3])}
		list = slices.DeleteFunc(list, func(old verdict) bool { return old.test == v.test })
		list = append(list, v)
	}
	return list
}

// A policy decides what is asked and what becomes of the answers.
type policy struct {
	job     trial.Job
	options options
	lib     *library
	plan    *plan
	checker *checker
	next    int // task
	kept    []*keptProgram
	counts  genloop.Counts
	keeper  *suspicion.Keeper

	survivors *survivors.Account // nil unless they are the feedback
	fresh     []trial.Program    // of this round, of which it knows nothing yet
}

// A keptProgram is a program of the suite with what was learnt of it.
type keptProgram struct {
	id        string
	task      task
	version   *version
	sentences []string                     // of its properties: those that the documents have first
	class     map[string]trial.OracleClass // by sentence
}

func newPolicy(job trial.Job, o options, lib *library, p *plan, k *suspicion.Keeper) *policy {
	c := &checker{exec: job.Exec, target: job.Target}
	c.alterer = &alterer{checker: c, headers: job.Target.Headers, most: o.Alter}
	if job.Target.Language == trial.C {
		c.alterer.functions = interpose.Functions(lib.spec, job.Target.ExcludedAPIs)
	}
	return &policy{job: job, options: o, lib: lib, plan: p, checker: c, counts: genloop.Counts{}, keeper: k}
}

// Ask asks about programs that wait, and for the next of the plan.
func (p *policy) Ask(_ context.Context, r *round) ([]question, error) {
	var list []question
	for i, it := range r.Waiting {
		q := p.about(it)
		q.ID = fmt.Sprintf("r%04d-a%03d", r.N, i+1)
		list = append(list, q)
	}
	for i := range r.Room(min(p.options.Wave, len(p.plan.tasks)-p.next)) {
		t := p.plan.tasks[p.next]
		p.next++
		id := fmt.Sprintf("r%04d-b%03d", r.N, i+1)
		it := &item{Data: &work{task: t}}
		list = append(list, question{ID: id, Stage: stageTest, Prompt: "test", Page: p.testPage(t), Item: it})
	}
	return list, nil
}

// about is the question about a program that fails: whether test or library is wrong, or for a
// repair.
func (p *policy) about(it *item) question {
	w := it.Data
	g := p.lib.page(p.plan, w.task)
	g.Program = strings.TrimRight(it.Source, "\n")
	opinion := false
	for _, f := range w.version.failures {
		opinion = opinion || f.opinion()
		g.Failures = append(g.Failures, section{title(f), f.text})
	}
	w.sentBack = w.sentBack || w.version.cannotFail()
	q := question{Stage: stageRepair, Prompt: "repair", Page: g, Item: it}
	if opinion {
		w.shown = true
		q.Stage, q.Prompt = stageJudge, "judge"
		q.Read = func(a llm.Answer) (llm.Outcome, bool) { return p.readOpinion(it, a) }
	}
	return q
}

var titles = map[string]string{
	failCompile:   "It does not compile:",
	failProperty:  "A property does not hold:",
	failCrash:     "It crashes:",
	failSanitizer: "It fails under AddressSanitizer and UndefinedBehaviorSanitizer:",
	failPerturbed: "It fails where fresh memory has another content:",
	failFlaky:     "It does not end the same way each time:",
	failCannot:    "It cannot fail:",
}

func title(f failure) string {
	name := cmp.Or(titles[f.kind], "It cannot be used:")
	if f.test != "" {
		name = f.test + ". " + name
	}
	return name
}

// readOpinion takes verdicts and a program. Where the model holds the library for wrong and
// gives no program, its test is left out.
func (p *policy) readOpinion(it *item, a llm.Answer) (llm.Outcome, bool) {
	w := it.Data
	w.verdicts = parseVerdicts(llm.Said(a.Text))
	code, outcome := llm.Program(a)
	if code != "" {
		w.leftOut = nil
		it.Source = code
		return outcome, true
	}
	for _, v := range w.verdicts {
		if v.library && !slices.Contains(w.leftOut, v.test) {
			w.leftOut = append(w.leftOut, v.test)
		}
	}
	if len(w.verdicts) > 0 && outcome != llm.Refusal {
		outcome = llm.Answered
	}
	return outcome, true
}

// Mend leaves repairs to the model.
func (p *policy) Mend(*item) (bool, error) { return false, nil }

// Settle keeps what holds, and has what fails repaired or judged. When no repair is left the tests
// that fail go, and the others stay.
func (p *policy) Settle(r *round, it *item) error {
	w := it.Data
	if !r.Last {
		for _, f := range w.version.failures {
			p.counts.Add("failures", f.kind)
		}
		p.opinions(it)
		p.suspect(it)
	}
	v := w.version
	if len(v.failures) > 0 && r.Again(it) {
		return nil
	}
	if len(v.failures) > 0 && !v.cannotFail() {
		p.giveUp(w)
		if v = v.rest; v == nil {
			return nil
		}
		it.Outcome = trial.OK
	}
	return p.keep(r, it, v)
}

// keep adds a program to the suite, once for each class of its properties.
func (p *policy) keep(r *round, it *item, v *version) error {
	k := &keptProgram{id: it.ID, task: it.Data.task, version: v}
	p.classify(k, it.Data.repaired(v.source))
	count(p.counts, k)
	p.kept = append(p.kept, k)
	for _, part := range k.parts() {
		program := p.program(k, part)
		if err := r.Keep(it, program); err != nil {
			return err
		}
		program.ID = fmt.Sprintf("%s-%s", k.id, part.oracle)
		p.fresh = append(p.fresh, program)
	}
	return nil
}

// classify tells the sentences of a program's properties apart. One that stands at several properties has the
// weakest of their classes.
func (p *policy) classify(k *keptProgram, repaired map[int]bool) {
	k.class = map[string]trial.OracleClass{}
	late := map[string]bool{} // by sentence
	for _, t := range k.version.report.tests {
		for _, s := range t.properties {
			late[s.text] = late[s.text] || repaired[s.line]
		}
	}
	var own []string
	for _, s := range sorted(late) {
		if _, why := p.lib.documents.Find(s); why == "" {
			k.sentences, k.class[s] = append(k.sentences, s), trial.OracleSpecification
		} else {
			own, k.class[s] = append(own, s), trial.OracleJudgement
		}
		if late[s] {
			k.class[s] = trial.OracleRepaired
		}
	}
	k.sentences = append(k.sentences, own...)
}

// uncited names what stands in place of a sentence of the documents.
func uncited(s string) string {
	switch {
	case strings.HasPrefix(s, "by meaning:"):
		return "by meaning"
	case len(strings.Fields(s)) < 3:
		return "no sentence"
	}
	return "in no document"
}

// A part is a kept program with only the properties of one oracle class.
type part struct {
	oracle  trial.OracleClass
	setting setting
}

func (k *keptProgram) parts() []part {
	var list []part
	for _, class := range []trial.OracleClass{trial.OracleSpecification, trial.OracleRepaired, trial.OracleJudgement} {
		s := k.version.setting
		s.off = slices.DeleteFunc(slices.Clone(k.sentences), func(s string) bool { return k.class[s] == class })
		if len(s.off) < len(k.sentences) {
			list = append(list, part{class, s})
		}
	}
	return list
}

func (p *policy) program(k *keptProgram, part part) trial.Program {
	head := fmt.Sprintf("// %s: %s\n#line 1\n", k.id, k.task)
	part.setting.large = true
	source := head + part.setting.program(k.version.source)
	return trial.Program{Lang: p.job.Target.Language, Source: source, Oracle: part.oracle}
}

// End runs the round's programs on mutants if they are the feedback, makes new suspicions short and logs the round.
func (p *policy) End(ctx context.Context, r *round) error {
	if _, err := p.survivors.Learn(ctx, p.fresh); err != nil {
		return err
	}
	p.fresh = nil
	p.job.Log.Info("properties", "round", r.N, "asked", p.next, "planned", len(p.plan.tasks), "programs", r.Programs,
		"waiting", len(r.Waiting), "suspicions", len(p.keeper.Suspicions()))
	return p.keeper.Shorten(ctx)
}
