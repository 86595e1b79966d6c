package property

import (
	"cmp"
	"maps"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// counts are by list, then name.
type counts map[string]map[string]int

func (c counts) add(list, name string) { c.addN(list, name, 1) }

func (c counts) addN(list, name string, n int) {
	if c[list] == nil {
		c[list] = map[string]int{}
	}
	c[list][name] += n
}

// keep counts what is in a program that is kept.
func (c counts) keep(k *keptProgram) {
	c.add("", "programs")
	c.addN("", "tests", len(k.version.tests()))
	c.addN("", "dropped", len(k.version.setting.without))
	for sentence, class := range k.class {
		c.add("properties", string(class))
		if class == trial.OracleJudgement {
			c.add("uncited", uncited(sentence))
		}
	}
	for _, t := range k.version.report.tests {
		c.addN("", "cases", t.cases)
		for _, s := range t.exclusions {
			c.addN("exclusions", s.text, s.count)
		}
	}
}

func (c counts) list(name string) []trial.NamedCount {
	var list []trial.NamedCount
	for _, key := range sorted(c[name]) {
		list = append(list, trial.NamedCount{Name: key, Count: c[name][key]})
	}
	return list
}

// report is the stage's part of the record.
func (p *policy) report() *trial.Properties {
	n, properties := p.counts[""], p.counts["properties"]
	return &trial.Properties{
		Families: len(p.plan.families), Planned: len(p.plan.tasks), Asked: p.next,
		Programs: n["programs"], Tests: n["tests"], Dropped: n["dropped"],
		Cited: properties[string(trial.OracleSpecification)], Own: properties[string(trial.OracleJudgement)], Repaired: properties[string(trial.OracleRepaired)],
		Uncited:    p.counts.list("uncited"),
		Cases:      n["cases"],
		Exclusions: p.counts.list("exclusions"), Failures: p.counts.list("failures"), GivenUp: p.counts.list("given up"), Verdicts: p.counts.list("verdicts"),
		Altered: p.checker.altered, SentBack: p.counts["failures"][failCannot], Amplified: n["amplified"],
	}
}

func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
