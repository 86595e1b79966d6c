package property

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// suspect keeps what fails on the reference build as suspicions, with the one case that shows it.
// A second opinion, if there will be one, is added by opinions.
func (p *policy) suspect(it *item) {
	w := it.Data
	found := map[string]*trial.Suspicion{}
	for _, f := range w.version.failures {
		if !f.opinion() {
			continue
		}
		s, program := p.suspicionOf(it.ID, w.version.alone(f.test), f)
		if old := w.suspected[f.test]; old != nil && old.Assertion == s.Assertion {
			old.Insisted++
			found[f.test] = old
		} else if s := p.keeper.Keep(s, program); s != nil {
			found[f.test] = s
		}
	}
	w.suspected = found
}

// suspicionOf describes how a test fails. v is the program with that test alone.
func (p *policy) suspicionOf(id string, v *version, f failure) (trial.Suspicion, trial.Program) {
	s := trial.Suspicion{
		Place: id + ", " + f.test, Assertion: "the program runs to its end", Kind: f.kind,
		Opinion: trial.Opinion{Verdict: trial.Unasked, Why: "the budget ended before the question"},
	}
	setting := v.setting
	if f.failed != nil {
		s.Assertion, s.Values, setting.draws = f.failed.condition, f.failed.lines, f.failed.draws
		if place, why := p.lib.documents.Find(f.failed.sentence); why == "" {
			s.Sentence, s.Document = f.failed.sentence, place
		} else {
			s.Argument = f.failed.sentence
		}
	}
	source := setting.program(v.source)
	return s, trial.Program{Lang: p.job.Target.Language, Source: source, Oracle: trial.OracleSpecification}
}

// opinions adds the verdicts of an answer to the suspicions that it was about.
func (p *policy) opinions(it *item) {
	w := it.Data
	for _, v := range w.verdicts {
		s := w.suspected[v.test]
		if s == nil {
			continue
		}
		s.Opinion, s.Fate = trial.Opinion{Verdict: trial.Contested, Why: v.reason}, trial.FateMended
		if v.library {
			s.Opinion.Verdict, s.Fate = trial.Upheld, trial.FateRemoved
		}
		p.counts.Add("verdicts", map[bool]string{true: "library", false: "test"}[v.library])
	}
	w.verdicts = nil
}

// giveUp notes that tests go for good.
func (p *policy) giveUp(w *work) {
	for _, f := range w.version.failures {
		p.counts.Add("given up", f.kind)
		if s := w.suspected[f.test]; s != nil {
			s.Fate = trial.FateRemoved
		}
	}
}

// amplify runs what was kept with other seeds and four times the cases. What passes goes into the suite
// as well; what fails is a suspicion. It ends with the budget.
func (p *policy) amplify(runs []*version, of []*keptProgram) error {
	for i, v := range runs {
		k := of[i]
		if len(v.failures) == 0 {
			for _, part := range k.parts() {
				part.setting.seed, part.setting.scale = v.setting.seed, v.setting.scale
				if err := p.job.Suite.Add(p.program(k, part)); err != nil {
					return err
				}
			}
			p.counts.Add("", "amplified")
			continue
		}
		for _, f := range v.failures {
			p.counts.Add("amplified failures", f.kind)
			if !f.opinion() {
				continue
			}
			s, program := p.suspicionOf(fmt.Sprintf("%s, seed %d", k.id, v.setting.seed), v.alone(f.test), f)
			s.Place, s.Opinion.Why = strings.TrimSpace(s.Place), "found by another seed"
			p.keeper.Keep(s, program)
		}
	}
	return nil
}
