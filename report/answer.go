package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A standing is how a tool stands in a run, over all libraries that it was planned for.
type standing struct {
	tool
	groups            []*group
	detected, checked int    // bugs, in any trial
	bugs              string // those checked, to tell whether two tools faced the same
	untried           int    // bugs that no trial could be checked for
	lines             []float64
	had               []string // budgets and models
}

func (s standing) share() float64 { return float64(s.detected) / float64(max(1, s.checked)) }

func (s standing) meanLines() float64 {
	if len(s.lines) == 0 {
		return -1
	}
	return meanOf(s.lines)
}

// conditions names what the tool could spend in a cell and the models that it asks.
func (s standing) conditions() string { return strings.Join(s.had, ", ") }

// standings orders the tools: those with a larger share of bugs first, and those with nothing last.
func (a *analysis) standings() []standing {
	var list []standing
	for _, t := range a.tools {
		s := standing{tool: t}
		for _, g := range a.groups {
			if g.tool == t {
				a.stand(&s, g)
			}
		}
		if model := a.run.Models[t.String()]; model != "" {
			s.had = append(s.had, model)
		}
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(x, y standing) int {
		return cmp.Or(cmp.Compare(min(y.checked, 1), min(x.checked, 1)), cmp.Compare(y.share(), x.share()),
			cmp.Compare(y.checked, x.checked), cmp.Compare(y.meanLines(), x.meanLines()))
	})
	return list
}

// stand adds a tool's group to its standing.
func (a *analysis) stand(s *standing, g *group) {
	s.groups, s.lines = append(s.groups, g), append(s.lines, g.sample(linePct)...)
	if text := a.budget(g); text != "" && !slices.Contains(s.had, text) {
		s.had = append(s.had, text)
	}
	if g.withoutBugs() {
		return
	}
	for _, b := range a.bugTrials(g) {
		if b.checked == 0 {
			s.untried++
			continue
		}
		s.checked, s.detected = s.checked+1, s.detected+one(b.detected > 0)
		s.bugs += a.label(g.library) + " " + b.bug.ID + "\n"
	}
}

// budget describes what each cell of a group could spend; "" if it is not known.
func (a *analysis) budget(g *group) string {
	var all []string
	add := func(c trial.Cell) {
		if b, ok := a.run.Budgets[c.ID()]; ok && !slices.Contains(all, b.String()) {
			all = append(all, b.String())
		}
	}
	for _, r := range g.records {
		add(r.Cell)
	}
	for _, m := range g.missing {
		add(m.Cell)
	}
	slices.Sort(all)
	return strings.Join(all, " or ")
}

// answer is what a reader looks for first: a sentence, and the tools ranked. Only tools that were checked on the same
// bugs have a rank: those of the largest set.
func (a *analysis) answer(s *Section) {
	standings := a.standings()
	t := newTable("answer", "Tools ranked by bugs detected", numberColumn("rank", "Rank", 0), textColumn("tool", "Tool"),
		countColumn("detected", "Bugs").withBar(), rangeColumn("interval", "95% interval %", 0).in("pct").withBar(),
		numberColumn("untried", "Untried", 0), percentColumn("lines", "Lines %", 1).withBar(),
		countColumn("complete", "Cells"), textColumn("conditions", "Budget of a cell"))
	largest := standing{}
	for _, st := range standings {
		if st.checked > largest.checked {
			largest = st
		}
	}
	rank, ranked, last := 0, 0, 0.0
	for _, st := range standings {
		none := notApplicable("no bug could be checked")
		row := []Cell{notApplicable("not ranked: no bug could be checked"), words(st.String()), none, none, whole(st.untried),
			notApplicable("no coverage was measured")}
		if st.checked > 0 {
			row[2], row[3] = count(st.detected, st.checked), shareInterval(st.detected, st.checked)
			row[0] = notApplicable("not ranked: it was checked on other bugs")
		}
		if st.checked > 0 && st.bugs == largest.bugs {
			if ranked++; ranked == 1 || st.share() != last {
				rank, last = ranked, st.share()
			}
			row[0] = whole(rank)
		}
		if len(st.lines) > 0 {
			row[5] = estimate(st.lines)
			row[5].Notes = nil // the tables of coverage have the cautions
		}
		complete, planned := 0, 0
		for _, g := range st.groups {
			complete, planned = complete+len(g.records), planned+g.planned
		}
		t.add(append(row, count(complete, planned), words(cmp.Or(st.conditions(), "–")))...)
	}
	s.Lead, s.Tables, s.Notes = Clean(a.sentence(standings, largest.bugs)), []Table{t}, a.unequal(standings)
}

// unequal warns, once for all tables, that tools had different means: budgets, models, or numbers of complete trials.
func (a *analysis) unequal(standings []standing) []string {
	var means, trials []string
	add := func(list *[]string, text string) {
		if !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	for _, s := range standings {
		add(&means, cmp.Or(s.conditions(), "no stated budget"))
		for _, g := range s.groups {
			add(&trials, fmt.Sprint(len(g.records)))
		}
	}
	var parts []string
	if len(means) > 1 {
		parts = means
	}
	if len(trials) > 1 {
		slices.Sort(trials)
		parts = append(parts, strings.Join(trials, " or ")+" complete trials")
	}
	if parts == nil {
		return nil
	}
	return []string{Clean("Unequal: the tools had " + strings.Join(parts, "; ") + ". Tables of pairs compare only the trials that both tools have.")}
}

// sentence answers in words what the run was made to find out, from the tools that were checked on the same bugs.
func (a *analysis) sentence(all []standing, bugs string) string {
	ranked := slices.DeleteFunc(slices.Clone(all), func(s standing) bool {
		return s.checked == 0 || s.bugs != bugs || !a.stands(s.tool)
	})
	switch {
	case !slices.ContainsFunc(a.groups, func(g *group) bool { return len(g.records) > 0 }):
		return "No cell is complete: there is no result yet."
	case len(ranked) == 0:
		return coverageSentence(all)
	}
	var parts []string
	for i, s := range ranked {
		verb := map[bool]string{true: " detects"}[i == 0]
		parts = append(parts, fmt.Sprintf("%s%s %d", s, verb, s.detected))
	}
	text := strings.Join(parts, ", ") + " of " + trial.Count(ranked[0].checked, "bug")
	if len(ranked) > 1 && ranked[0].detected > ranked[1].detected {
		best, both := pair{ranked[0].tool, ranked[1].tool}, shared{}
		for _, l := range a.libraries {
			both.add(a.sharedBugs(l, best))
		}
		p := mcnemar(both.onlyA, both.onlyB)
		chance := map[bool]string{false: ", which may be chance"}[p.significant()]
		text += fmt.Sprintf("; %s against %s: p = %s%s", best.a, best.b, pColumn("", "").Format(p), chance)
	}
	return text + a.untold() + "."
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

// untold names what the sentence leaves out, for it could not be measured.
func (a *analysis) untold() string {
	var without []string
	for _, g := range a.groups {
		if len(g.records) == 0 && a.stands(g.tool) {
			without = append(without, fmt.Sprintf("%s on %s", g.tool, a.label(g.library)))
		}
	}
	if len(without) == 0 {
		return ""
	}
	return "; without a result: " + someOf(without, 3)
}

// someOf names the first few of a list, and how many more there are.
func someOf(list []string, most int) string {
	text := strings.Join(list[:min(most, len(list))], ", ")
	if more := len(list) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
