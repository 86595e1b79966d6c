package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
)

// A standing is how a tool stands in a run, over all libraries that it was planned for.
type standing struct {
	tool
	groups            []*group
	detected, checked int    // bugs, in any trial
	bugs              string // those checked, to tell whether two tools faced the same
	untried           int    // bugs that no trial could be checked for
	lines             []float64
	conditions        string // what the tool could spend in a cell and the models that it asks
}

func (s standing) share() float64 { return float64(s.detected) / float64(max(1, s.checked)) }

func (s standing) meanLines() float64 {
	if len(s.lines) == 0 {
		return -1
	}
	return doc.Mean(s.lines)
}

// standings orders the tools: those with a larger share of bugs first, and those with nothing last.
func (a *analysis) standings() []standing {
	var list []standing
	for _, t := range a.Tools {
		s := standing{tool: t, groups: a.Those(func(g *group) bool { return g.Tool == t })}
		var had []string
		for _, g := range s.groups {
			s.lines = append(s.lines, g.Sample(lineMetric)...)
			if text := a.budget(g); text != "" && !slices.Contains(had, text) {
				had = append(had, text)
			}
			for _, b := range a.bugTrials(g) {
				switch {
				case withoutBugs(g):
				case b.checked == 0:
					s.untried++
				default:
					s.checked, s.detected = s.checked+1, s.detected+one(b.detected > 0)
					s.bugs += a.Label(g.Library) + " " + b.bug.ID + "\n"
				}
			}
		}
		if model := a.Run.Models[t.String()]; model != "" {
			had = append(had, model)
		}
		s.conditions = strings.Join(had, ", ")
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(x, y standing) int {
		return cmp.Or(cmp.Compare(min(y.checked, 1), min(x.checked, 1)), cmp.Compare(y.share(), x.share()),
			cmp.Compare(y.checked, x.checked), cmp.Compare(y.meanLines(), x.meanLines()))
	})
	return list
}

// ranked are the standings of the tools that were checked on the same bugs, the first of the largest such sets: only
// they are ranked.
func ranked(all []standing) []standing {
	most := standing{}
	for _, s := range all {
		if s.checked > most.checked {
			most = s
		}
	}
	return filter(all, func(s standing) bool { return s.checked > 0 && s.bugs == most.bugs })
}

// budget describes what each cell of a group could spend; "" if it is not known.
func (a *analysis) budget(g *group) string {
	var all []string
	add := func(c trial.Cell) {
		if b, ok := a.Run.Budgets[c.ID()]; ok {
			all = append(all, b.String())
		}
	}
	for _, r := range g.Records {
		add(r.Cell)
	}
	for _, m := range g.Missing {
		add(m.Cell)
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " or ")
}

// answer is what a reader looks for first: a sentence, a picture, and the tools ranked.
func (a *analysis) answer(s *doc.Section) {
	standings := a.standings()
	best := ranked(standings)
	checked := func(of func(standing) doc.Cell) func(standing) doc.Cell {
		return func(s standing) doc.Cell {
			if s.checked == 0 {
				return doc.NA("no bug could be checked")
			}
			return of(s)
		}
	}
	s.Tables = []doc.Table{tableOf("answer", "Tools ranked by bugs detected", standings, []figure[standing]{
		{doc.Number("rank", "Rank", 0), func(s standing) doc.Cell {
			switch {
			case s.checked == 0:
				return doc.NA("not ranked: no bug could be checked")
			case s.bugs != best[0].bugs:
				return doc.NA("not ranked: it was checked on other bugs")
			}
			return doc.Int(1 + slices.IndexFunc(best, func(o standing) bool { return o.share() == s.share() }))
		}},
		{toolColumn, func(s standing) doc.Cell { return doc.Words(s.String()) }},
		{doc.Count("detected", "Bugs").WithBar(),
			checked(func(s standing) doc.Cell { return doc.Of(s.detected, s.checked) })},
		{doc.Range("interval", "95% interval %", 0).In("pct").WithBar(),
			checked(func(s standing) doc.Cell { return doc.ShareInterval(s.detected, s.checked) })},
		{doc.Number("untried", "Untried", 0), func(s standing) doc.Cell { return doc.Int(s.untried) }},
		{doc.Percent("lines", "Lines %", 1).WithBar(), func(s standing) doc.Cell {
			if len(s.lines) == 0 {
				return doc.NA("no coverage was measured")
			}
			return doc.Cell{Values: doc.MeanOf(s.lines).Values} // the tables of coverage have the cautions
		}},
		{doc.Count("complete", "Cells"), func(s standing) doc.Cell {
			complete, planned := 0, 0
			for _, g := range s.groups {
				complete, planned = complete+len(g.Records), planned+g.Planned
			}
			return doc.Of(complete, planned)
		}},
		{doc.Text("conditions", "Budget of a cell"), func(s standing) doc.Cell {
			return doc.Words(cmp.Or(s.conditions, "–"))
		}},
	})}
	s.Lead, s.Notes = doc.Clean(a.sentence(standings, best)), a.unequal(standings)
	c := doc.Chart{ID: "answer-ranks", Title: "Bugs detected in any trial", Kind: doc.Changes, XLabel: "bugs detected, %",
		Caption: "Of the bugs that all of these tools were checked on. A bar is the 95% interval of the share."}
	for _, s := range best {
		ends := doc.ShareInterval(s.detected, s.checked).Values
		c.AddRow("all libraries", a.series(s.tool), doc.Point{Mean: 100 * s.share(), Min: ends[0], Max: ends[1]})
	}
	s.Draw(c)
}

// unequal warns, once for all tables, that tools had different means: budgets, models, or numbers of complete trials.
func (a *analysis) unequal(standings []standing) []string {
	var means, complete, parts []string
	for _, s := range standings {
		if had := cmp.Or(s.conditions, "no stated budget"); !slices.Contains(means, had) {
			means = append(means, had)
		}
		for _, g := range s.groups {
			complete = append(complete, fmt.Sprint(len(g.Records)))
		}
	}
	if len(means) > 1 {
		parts = means
	}
	slices.Sort(complete)
	if complete = slices.Compact(complete); len(complete) > 1 {
		parts = append(parts, strings.Join(complete, " or ")+" complete trials")
	}
	if parts == nil {
		return nil
	}
	return []string{doc.Clean("Unequal: the tools had " + strings.Join(parts, "; ") +
		". Tables of pairs compare only the trials that both tools have.")}
}

// sentence answers in words what the run was made to find out, from the tools that were checked on the same bugs.
func (a *analysis) sentence(all, checked []standing) string {
	tools := filter(checked, func(s standing) bool { return a.Stands(s.tool) })
	switch {
	case len(a.Run.Cells) == 0:
		return "No cell is complete: there is no result yet."
	case len(tools) == 0:
		return coverageSentence(all)
	}
	best := tools[0]
	text := fmt.Sprintf("%s detects %d", best, best.detected)
	for _, s := range tools[1:] {
		text += fmt.Sprintf(", %s %d", s, s.detected)
	}
	text += " of " + trial.Count(best.checked, "bug")
	if len(tools) > 1 && best.detected > tools[1].detected {
		second, both := tools[1], shared{}
		for _, l := range a.Libraries {
			both.add(a.sharedBugs(l, pair{best.tool, second.tool}))
		}
		p := doc.McNemar(both.onlyA, both.onlyB)
		text += fmt.Sprintf("; %s against %s: p = %s", best, second, doc.P("", "").Format(p))
		if !p.Significant() {
			text += ", which may be chance"
		}
	}
	var without []string
	for _, g := range a.Groups {
		if len(g.Records) == 0 && a.Stands(g.Tool) {
			without = append(without, fmt.Sprintf("%s on %s", g.Tool, a.Label(g.Library)))
		}
	}
	if len(without) > 0 {
		text += "; without a result: " + someOf(without, 3)
	}
	return text + "."
}

// coverageSentence is the answer of a run in which no bug could be checked.
func coverageSentence(all []standing) string {
	best := slices.MaxFunc(all, func(x, y standing) int { return cmp.Compare(x.meanLines(), y.meanLines()) })
	switch {
	case best.meanLines() < 0:
		return "Neither bugs nor coverage were measured."
	case len(all) == 1:
		return fmt.Sprintf("%s covers %.1f %% of the lines; no bug was checked.", best, best.meanLines())
	}
	return fmt.Sprintf("%s covers most lines (%.1f %% on average); no bug was checked.", best, best.meanLines())
}

// someOf names the first few of a list, and how many more there are.
func someOf(list []string, most int) string {
	text := strings.Join(list[:min(most, len(list))], ", ")
	if more := len(list) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
