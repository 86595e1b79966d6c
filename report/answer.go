package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/stats"
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

// total sums a count over the records of all libraries that have a part.
func (s standing) total(p part, of func(record) int) (sum int) {
	for _, g := range s.groups {
		sum += g.Total(p, of)
	}
	return sum
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
			for _, b := range a.BugTrials(g) {
				switch {
				case g.WithoutBugs():
				case b.Checked == 0:
					s.untried++
				default:
					s.checked, s.detected = s.checked+1, s.detected+measured.One(b.Detected > 0)
					s.bugs += a.Label(g.Library) + " " + b.Bug.ID + "\n"
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
	return lists.Filter(all, func(s standing) bool { return s.checked > 0 && s.bugs == most.bugs })
}

// budget describes what each cell of a group could spend; "" if it is not known.
func (a *analysis) budget(g *group) string {
	var cells []trial.Cell
	for _, r := range g.Records {
		cells = append(cells, r.Cell)
	}
	for _, m := range g.Missing {
		cells = append(cells, m.Cell)
	}
	var all []string
	for _, c := range cells {
		if b, ok := a.Run.Budgets[c.ID()]; ok {
			all = append(all, b.String())
		}
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " or ")
}

// answer is what a reader looks for first: a sentence, a picture, and the tools ranked.
func (a *analysis) answer(s *doc.Section) {
	standings := a.standings()
	best := ranked(standings)
	rank := func(s standing) doc.Cell {
		switch {
		case s.checked == 0:
			return doc.NA("not ranked: no bug could be checked")
		case s.bugs != best[0].bugs:
			return doc.NA("not ranked: it was checked on other bugs")
		}
		return doc.Int(1 + slices.IndexFunc(best, func(o standing) bool { return o.share() == s.share() }))
	}
	of := func(n int, why string, cell func() doc.Cell) doc.Cell { // a cell of a tool that has n of something
		if n == 0 {
			return doc.NA(why)
		}
		return cell()
	}
	columns := []figure[standing]{
		{doc.Number("rank", "Rank", 0), rank},
		{toolColumn, func(s standing) doc.Cell { return doc.Words(s.String()) }},
		{doc.Count("detected", "Bugs"), func(s standing) doc.Cell {
			return of(s.checked, "no bug could be checked", func() doc.Cell { return doc.Of(s.detected, s.checked) })
		}},
		{doc.Range("interval", "95% interval %", 0).In("pct"), func(s standing) doc.Cell {
			return of(s.checked, "no bug could be checked", func() doc.Cell { return doc.ShareInterval(s.detected, s.checked) })
		}},
		{doc.Percent("lines", "Lines %", 1), func(s standing) doc.Cell { // the tables of coverage have the cautions
			return of(len(s.lines), "no coverage was measured",
				func() doc.Cell { return doc.Cell{Values: doc.MeanOf(s.lines).Values} })
		}},
	}
	if a.asked(mutated) {
		columns = append(columns, figure[standing]{doc.Count("killed", "Mutants"), func(s standing) doc.Cell {
			all := s.total(mutated, func(r record) int { return r.Mutation.Mutants })
			return of(all, "it was not run on mutants", func() doc.Cell {
				return doc.Of(s.total(mutated, func(r record) int { return r.Mutation.Killed }), all)
			})
		}})
	}
	if steps := a.stepCounts(); len(steps) > 0 {
		columns = append(columns, figure[standing]{doc.Count("reached", "Reached"), func(s standing) doc.Cell {
			i := 1 + slices.IndexFunc(steps, func(c stepCounts) bool { return c.tool == s.tool })
			return of(i, "its steps towards bugs were not measured", func() doc.Cell {
				return doc.Of(steps[i-1].reached,
					steps[i-1].bugs)
			})
		}})
	}
	s.Put(tableOf("answer", "Tools ranked by bugs detected", standings, append(columns, []figure[standing]{
		{doc.Count("complete", "Cells"), func(s standing) doc.Cell {
			planned := 0
			for _, g := range s.groups {
				planned += g.Planned
			}
			return doc.Of(s.total(always, func(record) int { return 1 }), planned)
		}},
		{doc.Number("untried", "Untried", 0), func(s standing) doc.Cell { return doc.Int(s.untried) }},
		{doc.Text("conditions", "Budget of a cell"), func(s standing) doc.Cell {
			return doc.Words(cmp.Or(s.conditions,
				"–"))
		}},
	}...)))
	s.Lead = doc.Clean(a.sentence(standings, best))
	for _, note := range slices.Concat(a.named(), a.unequal(standings), a.failures()) {
		s.Notes = append(s.Notes, doc.Clean(note))
	}
	c := doc.Chart{ID: "answer-ranks", Title: "Bugs detected in any trial", Kind: doc.Rows, XLabel: "bugs detected, %",
		Caption: "Of the bugs that all of these tools were checked on. A bar is the 95% interval of the share."}
	for _, s := range best {
		ends := doc.ShareInterval(s.detected, s.checked).Values
		c.AddRow("", a.series(s.tool), doc.Point{Mean: 100 * s.share(), Min: ends[0], Max: ends[1]})
	}
	s.Draw(c)
}

// named lists the bugs by name, each with the first test that detects it. It does so only for one tool on one library.
func (a *analysis) named() []string {
	if len(a.Groups) != 1 {
		return nil
	}
	var detects, misses []string
	for _, b := range a.BugTrials(a.Groups[0]) {
		switch {
		case len(b.First) > 0:
			detects = append(detects, b.Bug.ID+" by "+cmp.Or(b.First[0].Test.Origin, b.First[0].Test.ID))
		case b.Detected > 0:
			detects = append(detects, b.Bug.ID)
		case b.Checked > 0:
			misses = append(misses, b.Bug.ID)
		}
	}
	if len(detects)+len(misses) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Detected: %s. Missed: %s.",
		cmp.Or(strings.Join(detects, ", "), "none"), cmp.Or(strings.Join(misses, ", "), "none"))}
}

// unequal warns, once for all tables, that tools had different means: budgets, models, or numbers of complete trials.
func (a *analysis) unequal(standings []standing) []string {
	parts := means(standings)
	if len(parts) == 1 {
		parts = nil
	}
	var complete []string
	for _, g := range a.Groups {
		complete = append(complete, fmt.Sprint(len(g.Records)))
	}
	slices.Sort(complete)
	if complete = slices.Compact(complete); len(complete) > 1 {
		parts = append(parts, strings.Join(complete, " or ")+" complete trials")
	}
	if parts == nil {
		return nil
	}
	return []string{"Unequal: the tools had " + strings.Join(parts, "; ") +
		". Tables of pairs compare only the trials that both tools have."}
}

// means returns the different conditions of some tools.
func means(standings []standing) (all []string) {
	for _, s := range standings {
		if had := cmp.Or(s.conditions, "no stated budget"); !slices.Contains(all, had) {
			all = append(all, had)
		}
	}
	return all
}

// subject is the tool that the benchmark is about. An answer names it, whatever its rank.
const subject = "lisa"

// mostNamed is how many tools a sentence names beside the subject.
const mostNamed = 5

// sentence gives the answer in words: how many bugs each tool detects of those that were checked for all, whether
// budgets were equal, and whether the difference is more than chance.
func (a *analysis) sentence(all, checked []standing) string {
	tools := lists.Filter(checked, func(s standing) bool { return a.Stands(s.tool) })
	switch {
	case len(a.Run.Cells) == 0:
		return "No cell is complete: there is no result yet."
	case len(tools) == 0: // no bug could be checked
		best := slices.MaxFunc(all, func(x, y standing) int { return cmp.Compare(x.meanLines(), y.meanLines()) })
		switch {
		case best.meanLines() < 0:
			return "Neither bugs nor coverage were measured."
		case len(all) == 1:
			return fmt.Sprintf("%s covers %.1f %% of the lines; no bug was checked.", best, best.meanLines())
		}
		return fmt.Sprintf("%s covers most lines (%.1f %% on average); no bug was checked.", best, best.meanLines())
	}
	best := tools[0]
	text := fmt.Sprintf("%s detects %d", best, best.detected)
	for i, s := range tools[1:] {
		if i+1 < mostNamed || s.Name == subject {
			text += fmt.Sprintf(", %s %d", s, s.detected)
		}
	}
	text += " of " + trial.Count(best.checked, "bug")
	for _, s := range all {
		if s.Name == subject && s.checked > 0 && s.bugs != best.bugs && a.Stands(s.tool) {
			text += fmt.Sprintf("; %s %d of %d others", s, s.detected, s.checked)
		}
	}
	if len(means(tools)) > 1 {
		text += "; budgets unequal"
	}
	for i, s := range tools[1:] {
		if i == 0 || s.Name == subject {
			text += a.corrected(best, s)
		}
	}
	return text + "."
}

// corrected returns McNemar's test of the best tool against another, corrected for all comparisons of the run.
func (a *analysis) corrected(best, other standing) string {
	at, rows := -1, 0
	var ps []float64
	for _, p := range a.pairs {
		both := a.found(p, a.Libraries...)
		if both.libraries > 0 {
			rows++
		}
		if both.n == 0 {
			continue
		}
		if p == (pair{best.tool, other.tool}) || p == (pair{other.tool, best.tool}) {
			at = len(ps)
		}
		ps = append(ps, stats.McNemarExact(both.onlyA, both.onlyB).P)
	}
	if best.detected == other.detected || at < 0 {
		return ""
	}
	p := doc.Num(stats.Holm(ps)[at])
	text := fmt.Sprintf("; %s against %s: p = %s", best, other, doc.P("", "").Format(p))
	if rows > 1 {
		text += fmt.Sprintf(" after correction for %d comparisons", rows)
	}
	if !p.Significant() {
		text += ", which may be chance"
	}
	return text
}

// failures lists what the answer lacks: the cells without a record, by reason, and the programs that do not pass.
func (a *analysis) failures() (notes []string) {
	type lost struct{ kind, why, where string }
	var missing []lost
	for _, g := range a.Groups {
		for _, m := range g.Missing {
			missing = append(missing, lost{m.Kind, trial.Brief(m.Message), fmt.Sprintf("%s on %s", g.Tool, a.Label(g.Library))})
		}
	}
	for _, same := range lists.Group(missing, func(f lost) lost { return lost{f.kind, f.why, ""} }) {
		var places []string
		for _, f := range same {
			places = append(places, f.where)
		}
		notes = append(notes, fmt.Sprintf("No result in %s (%s): %s: %s", trial.Count(len(same), "cell"),
			someOf(slices.Compact(places), 3), same[0].kind, same[0].why))
	}
	for _, t := range a.Tools {
		s := standing{tool: t, groups: a.Those(func(g *group) bool { return g.Tool == t })}
		all, first := 0, ""
		var parts []string
		for _, o := range trial.Outcomes[1:] { // all but ok
			if n := s.total(success, func(r record) int { return r.Programs.Outcomes[o] }); n > 0 {
				all, parts = all+n, append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(o), "_", " ")))
			}
		}
		for _, g := range s.groups {
			for _, r := range g.Records {
				for _, t := range slices.Concat(r.Failures, r.Alarms) {
					first = cmp.Or(first, fmt.Sprintf("; %s: %s", strings.TrimSpace(t.ID+" "+t.Origin), cmp.Or(failure(t),
						string(t.Outcome))))
				}
			}
		}
		if all > 0 {
			notes = append(notes, fmt.Sprintf("Programs of %s that do not pass on the reference build: %d (%s)%s.",
				t, all, strings.Join(parts, ", "), first))
		}
	}
	return notes
}

// someOf names the first few of a list, and how many more there are.
func someOf(list []string, most int) string {
	text := strings.Join(list[:min(most, len(list))], ", ")
	if more := len(list) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
