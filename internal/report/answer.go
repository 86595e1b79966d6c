package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/stats"
)

// A place is a contender in the ranking of a run, over all libraries that it was planned for.
type place struct {
	contender
	detected, checked int // bugs, in any trial
	untried           int // bugs that no trial could be checked for
	lines             []float64
	groups            []*group
}

func (p place) share() float64 { return float64(p.detected) / float64(max(1, p.checked)) }

// answer is what a reader looks for first: one sentence, and the contenders ranked.
func (a *analysis) answer() Section {
	places := a.places()
	t := Table{ID: "answer", Title: "Tools ranked by bugs detected", Columns: []Column{
		{Key: "rank", Name: "Rank", Kind: Number},
		{Key: "tool", Name: "Tool", Kind: Words},
		{Key: "detected", Name: "Bugs", Kind: Count, Bar: true},
		{Key: "interval", Name: "95% interval %", Kind: Range, Unit: "pct", Decimals: 0, Bar: true},
		{Key: "untried", Name: "Untried", Kind: Number},
		{Key: "lines", Name: "Lines %", Kind: Estimate, Unit: "pct", Decimals: 1, Bar: true},
		{Key: "complete", Name: "Cells", Kind: Count},
		{Key: "conditions", Name: "Budget of a cell", Kind: Words},
	}}
	for i, p := range places {
		row := []Cell{whole(i + 1), words(p.String()), notApplicable("no bug could be checked"), notApplicable("no bug could be checked"), whole(p.untried), notApplicable("no coverage was measured")}
		if i > 0 && p.checked > 0 && places[i-1].share() == p.share() && places[i-1].checked > 0 {
			row[0] = t.Rows[i-1][0]
		}
		if p.checked > 0 {
			row[2], row[3] = count(p.detected, p.checked), shareInterval(p.detected, p.checked)
		} else {
			row[0] = notApplicable("not ranked: no bug could be checked")
		}
		if len(p.lines) > 0 {
			row[5] = estimate(p.lines)
			row[5].Notes = nil // the tables of coverage have the cautions
		}
		complete, planned := 0, 0
		var had []string
		for _, g := range p.groups {
			complete, planned = complete+len(g.records), planned+g.planned
			for _, text := range []string{strings.TrimPrefix(a.budget(g), "budget "), a.run.Models[g.contender.String()]} {
				if text != "" && !slices.Contains(had, text) {
					had = append(had, text)
				}
			}
		}
		t.Rows = append(t.Rows, append(row, count(complete, planned), words(cmp.Or(strings.Join(had, ", "), "–"))))
	}
	return Section{ID: "answer", Title: "Answer", Lead: Clean(a.sentence(places)), Tables: []Table{t}}
}

// places ranks the contenders: the larger share of bugs first, and those with nothing last.
func (a *analysis) places() []place {
	var list []place
	for _, c := range a.contenders {
		p := place{contender: c}
		for _, g := range a.groups {
			if g.contender != c {
				continue
			}
			p.groups = append(p.groups, g)
			p.lines = append(p.lines, g.sample(linePct)...)
			if g.withoutBugs() {
				continue
			}
			k, n := tally(a.verdicts(g), anyOracle)
			p.detected, p.checked = p.detected+k, p.checked+n
			p.untried += len(a.bugs[g.subject.library]) - n
		}
		list = append(list, p)
	}
	slices.SortStableFunc(list, func(x, y place) int {
		return cmp.Or(cmp.Compare(min(y.checked, 1), min(x.checked, 1)), cmp.Compare(y.share(), x.share()), cmp.Compare(y.checked, x.checked), cmp.Compare(y.meanLines(), x.meanLines()))
	})
	return list
}

func (p place) meanLines() float64 {
	if len(p.lines) == 0 {
		return -1
	}
	return meanOf(p.lines)
}

// sentence answers in words what the run was made to find out.
func (a *analysis) sentence(places []place) string {
	ranked := slices.DeleteFunc(slices.Clone(places), func(p place) bool { return p.checked == 0 || !a.stands(p.contender) })
	switch {
	case !slices.ContainsFunc(places, func(p place) bool {
		return slices.ContainsFunc(p.groups, func(g *group) bool { return len(g.records) > 0 })
	}):
		return "No cell is complete: there is no result yet."
	case len(ranked) == 0:
		return a.coverageSentence(places)
	case len(ranked) == 1:
		return fmt.Sprintf("%s detects %d of %s%s.", ranked[0], ranked[0].detected, trial.Count(ranked[0].checked, "bug"), a.untold(places))
	case ranked[0].detected == 0:
		return fmt.Sprintf("None of %d tools detects any of %s%s.", len(ranked), trial.Count(ranked[0].checked, "bug"), a.untold(places))
	}
	first, second := ranked[0].contender, ranked[1].contender
	var parts []string
	compared := 0
	for _, s := range a.subjects {
		both := a.sharedBugs(s, pair{first, second})
		if both.n == 0 {
			continue
		}
		p := sure(stats.McNemarExact(both.onlyA, both.onlyB)).P
		verb, more := "finds more bugs than", "more"
		switch {
		case both.a == both.b:
			verb, more = "finds as many bugs as", "as many"
		case both.a < both.b:
			verb, more = "finds fewer bugs than", "fewer"
		}
		chance := ", which may be chance"
		if p < stats.Alpha || both.a == both.b {
			chance = ""
		}
		if compared == 0 {
			parts = append(parts, fmt.Sprintf("%s %s %s on %s", first, verb, second, a.label(s)))
		} else {
			parts = append(parts, fmt.Sprintf("%s on %s", more, a.label(s)))
		}
		parts[compared] += fmt.Sprintf(": %d against %d of %d, p = %s%s", both.a, both.b, both.n, Column{Kind: PValue}.Format(number(p)), chance)
		compared++
	}
	if compared == 0 {
		return fmt.Sprintf("%s detects %d of %s; no other tool was checked on the same bugs%s.", ranked[0], ranked[0].detected, trial.Count(ranked[0].checked, "bug"), a.untold(places))
	}
	return strings.Join(parts, "; ") + a.untold(places) + "."
}

// coverageSentence is the answer of a run in which no bug could be checked.
func (a *analysis) coverageSentence(places []place) string {
	best := places[0]
	for _, p := range places {
		if p.meanLines() > best.meanLines() {
			best = p
		}
	}
	if best.meanLines() < 0 {
		return "Neither bugs nor coverage were measured."
	}
	if len(places) == 1 {
		return fmt.Sprintf("%s covers %.1f %% of the lines; no bug was checked.", best, best.meanLines())
	}
	return fmt.Sprintf("%s covers most lines (%.1f %% on average); no bug was checked.", best, best.meanLines())
}

// untold names what the sentence leaves out, for it could not be measured.
func (a *analysis) untold(places []place) string {
	var without []string
	for _, p := range places {
		for _, g := range p.groups {
			if len(g.records) == 0 && a.stands(g.contender) {
				without = append(without, fmt.Sprintf("%s on %s", g.contender, a.label(g.subject)))
			}
		}
	}
	if len(without) == 0 {
		return ""
	}
	const most = 3
	text := strings.Join(without[:min(most, len(without))], ", ")
	if n := len(without) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return "; without a result: " + text
}
