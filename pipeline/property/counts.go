package property

import (
	"cmp"
	"maps"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
)

// count counts what is in a program that is kept.
func count(c genloop.Counts, k *keptProgram) {
	c.Add("", "programs")
	c.AddN("", "tests", len(k.version.tests()))
	c.AddN("", "dropped", len(k.version.setting.without))
	for sentence, class := range k.class {
		c.Add("properties", string(class))
		if class == trial.OracleJudgement {
			c.Add("uncited", uncited(sentence))
		}
	}
	for _, t := range k.version.report.tests {
		c.AddN("", "cases", t.cases)
		for _, s := range t.exclusions {
			c.AddN("exclusions", s.text, s.count)
		}
	}
}

// report is the stage's part of the record.
func (p *policy) report() *trial.Properties {
	n, properties := p.counts[""], p.counts["properties"]
	return &trial.Properties{
		Families: len(p.plan.families), Planned: len(p.plan.tasks), Asked: p.next,
		Programs: n["programs"], Tests: n["tests"], Dropped: n["dropped"],
		Cited: properties[string(trial.OracleSpecification)], Own: properties[string(trial.OracleJudgement)],
		Repaired: properties[string(trial.OracleRepaired)], Uncited: p.counts.List("uncited"), Cases: n["cases"],
		Exclusions: p.counts.List("exclusions"), Failures: p.counts.List("failures"),
		GivenUp: p.counts.List("given up"), Verdicts: p.counts.List("verdicts"),
		Altered: p.checker.altered, SentBack: p.counts["failures"][failCannot], Amplified: n["amplified"],
	}
}

func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
