package property

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/pipeline/survivors"
	"github.com/lisa-bench/lisa-bench/pipeline/suspicion"
)

type (
	item     = genloop.Item[*work]
	question = genloop.Question[*work]
	round    = genloop.Round[*work]
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
func parseVerdicts(text string) (list []verdict) {
	for _, m := range verdictLine.FindAllStringSubmatch(text, -1) {
		list = slices.DeleteFunc(list, func(old verdict) bool { return old.test == m[1] })
		list = append(list, verdict{m[1], strings.EqualFold(m[2], "library"), strings.TrimSpace(m[3])})
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

// Ask asks about programs that wait, and for the next of the plan.
func (p *policy) Ask(_ context.Context, r *round) (list []question, _ error) {
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

// titles of failures in a question; of other kinds "It cannot be used:".
var titles = map[string]string{
	failCompile:   "It does not compile:",
	failProperty:  "A property does not hold:",
	failCrash:     "It crashes:",
	failSanitizer: "It fails under AddressSanitizer and UndefinedBehaviorSanitizer:",
	failPerturbed: "It fails where fresh memory has another content:",
	failFlaky:     "It does not end the same way each time:",
	failCannot:    "It cannot fail:",
}

// about is the question about a program that fails: whether test or library is wrong, or for a
// repair.
func (p *policy) about(it *item) question {
	w := it.Data
	g := p.lib.page(p.plan, w.task)
	g.Program = strings.TrimRight(it.Source, "\n")
	for _, f := range w.version.failures {
		title := cmp.Or(titles[f.kind], "It cannot be used:")
		if f.test != "" {
			title = f.test + ". " + title
		}
		g.Failures = append(g.Failures, section{title, f.text})
	}
	w.sentBack = w.sentBack || w.version.cannotFail()
	q := question{Stage: stageRepair, Prompt: "repair", Page: g, Item: it}
	if slices.ContainsFunc(w.version.failures, failure.opinion) {
		w.shown = true
		q.Stage, q.Prompt = stageJudge, "judge"
		q.Read = func(a llm.Answer) (llm.Outcome, bool) { return readOpinion(it, a) }
	}
	return q
}

// readOpinion takes verdicts and a program. Where the model holds the library for wrong and
// gives no program, its test is left out.
func readOpinion(it *item, a llm.Answer) (llm.Outcome, bool) {
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
	v := w.version
	if !r.Last {
		for _, f := range v.failures {
			p.counts.Add("failures", f.kind)
		}
		p.opinions(w)
		p.suspect(it)
	}
	if len(v.failures) > 0 && r.Again(it) {
		return nil
	}
	if len(v.failures) > 0 && !v.cannotFail() {
		for _, s := range w.suspected {
			s.Fate = trial.FateRemoved
		}
		if v = v.rest; v == nil {
			return nil
		}
		it.Outcome = trial.OK
	}
	return p.keep(r, it, v)
}

// opinions adds the verdicts of an answer to the suspicions that it was about.
func (p *policy) opinions(w *work) {
	for _, v := range w.verdicts {
		s := w.suspected[v.test]
		if s == nil {
			continue
		}
		s.Opinion, s.Fate = trial.Opinion{Verdict: trial.Contested, Why: v.reason}, trial.FateMended
		wrong := "test"
		if v.library {
			s.Opinion.Verdict, s.Fate, wrong = trial.Upheld, trial.FateRemoved, "library"
		}
		p.counts.Add("verdicts", wrong)
	}
	w.verdicts = nil
}

// suspect keeps what fails on the reference build as suspicions, with the one case that shows it.
// A second opinion, if there will be one, is added by opinions.
func (p *policy) suspect(it *item) {
	w := it.Data
	found := map[string]*trial.Suspicion{}
	for _, f := range w.version.failures {
		if !f.opinion() {
			continue
		}
		s, program := p.suspicionOf(it.ID, w.version, f, "the budget ended before the question")
		if old := w.suspected[f.test]; old != nil && old.Assertion == s.Assertion {
			old.Insisted++
			found[f.test] = old
		} else if s := p.keeper.Keep(s, program); s != nil {
			found[f.test] = s
		}
	}
	w.suspected = found
}

// suspicionOf describes how a test of a version fails.
func (p *policy) suspicionOf(id string, v *version, f failure, unasked string) (trial.Suspicion, trial.Program) {
	s := trial.Suspicion{
		Place: id + ", " + f.test, Assertion: "the program runs to its end", Kind: f.kind,
		Opinion: trial.Opinion{Verdict: trial.Unasked, Why: unasked},
	}
	alone := v.alone(f.test)
	if f.failed != nil {
		s.Assertion, s.Values, alone.draws = f.failed.condition, f.failed.lines, f.failed.draws
		if place, why := p.lib.documents.Find(f.failed.sentence); why == "" {
			s.Sentence, s.Document = f.failed.sentence, place
		} else {
			s.Argument = f.failed.sentence
		}
	}
	source := alone.program(v.source)
	return s, trial.Program{Lang: p.job.Target.Language, Source: source, Oracle: trial.OracleSpecification}
}

// keep adds a program to the suite, once for each class of its properties.
func (p *policy) keep(r *round, it *item, v *version) error {
	k := &keptProgram{id: it.ID, task: it.Data.task, version: v}
	p.classify(k, it.Data.repaired(v.source))
	for _, s := range v.report.sites {
		if s.exclusion {
			p.counts.AddN("exclusions", s.text, s.count)
		}
	}
	p.kept = append(p.kept, k)
	for _, program := range k.programs(p.job.Target.Language, v.setting) {
		if err := r.Keep(it, program); err != nil {
			return err
		}
		program.ID = fmt.Sprintf("%s-%s", k.id, program.Oracle)
		p.fresh = append(p.fresh, program)
	}
	return nil
}

// classify tells the sentences of a program's properties apart. One that stands at several properties has the
// weakest of their classes.
func (p *policy) classify(k *keptProgram, repaired map[int]bool) {
	k.class = map[string]trial.OracleClass{}
	late := map[string]bool{} // by sentence
	for _, s := range k.version.report.properties() {
		late[s.text] = late[s.text] || repaired[s.line]
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

// programs are a kept program's with only the properties of one oracle class each.
func (k *keptProgram) programs(lang trial.Language, s setting) (list []trial.Program) {
	s.large = true
	for _, class := range []trial.OracleClass{trial.OracleSpecification, trial.OracleRepaired, trial.OracleJudgement} {
		s.off = slices.DeleteFunc(slices.Clone(k.sentences), func(s string) bool { return k.class[s] == class })
		if len(s.off) < len(k.sentences) {
			source := fmt.Sprintf("// %s: %s\n#line 1\n", k.id, k.task) + s.program(k.version.source)
			list = append(list, trial.Program{Lang: lang, Source: source, Oracle: class})
		}
	}
	return list
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

// Amplification: times the cases of one run, and programs that run together.
const (
	amplifiedScale = 4
	amplifiedGroup = 8
)

// amplify runs the kept programs with other seeds and more cases, a few at a time, until the budget ends. What passes
// goes into the suite as well; what fails is a suspicion.
func (p *policy) amplify(ctx context.Context) error {
	for n := range p.options.Seeds {
		for group := range slices.Chunk(p.kept, amplifiedGroup) {
			if p.job.Ledger.Closed() != "" {
				return nil
			}
			runs := make([]*version, len(group))
			for i, k := range group {
				runs[i] = &version{id: k.id, source: k.version.source, setting: k.version.setting}
				runs[i].seed, runs[i].scale = n+2, amplifiedScale
			}
			if err := p.checker.run(ctx, runs, amplifiedWays); err != nil {
				return err
			}
			if err := p.checker.isolate(ctx, runs); err != nil {
				return err
			}
			for i, v := range runs {
				for _, f := range v.failures {
					if f.opinion() {
						p.keeper.Keep(p.suspicionOf(fmt.Sprintf("%s, seed %d", v.id, v.seed), v, f, "found by another seed"))
					}
				}
				if len(v.failures) > 0 {
					continue
				}
				for _, program := range group[i].programs(p.job.Target.Language, v.setting) {
					if err := p.job.Suite.Add(program); err != nil {
						return err
					}
				}
			}
		}
	}
	return p.keeper.Shorten(ctx)
}

func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
