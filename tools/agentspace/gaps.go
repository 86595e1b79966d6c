package agentspace

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/survivors"
)

const (
	defaultGaps = 20
	mostGaps    = 100
	// mutantTime bounds what one gaps takes: the tests that it runs on mutants have together so much processor time, if
	// each ran on all mutants that are left. A test comes to some tenth of them, and most are soon killed.
	mutantTime = 20 * time.Minute
)

// gaps implements the command.
func (s *Space) gaps(ctx context.Context, n int) (string, error) {
	n = min(cmp.Or(max(n, 0), defaultGaps), mostGaps)
	var sections []string
	add := func(title, text string) {
		if text != "" {
			sections = append(sections, title+"\n\n"+text)
		}
	}
	if covers(s.feedback) {
		functions, constants := s.unused()
		add(fmt.Sprintf("No test uses %d functions:", len(functions)), listed(functions, n))
		add(fmt.Sprintf("No test uses %d constants:", len(constants)), listed(constants, n))
		c, err := s.job.Coverage.Cover(ctx, s.kept, true)
		if err != nil {
			return "", err
		}
		add("Code that no test executes, by function:", unexecuted(*c.Uncovered, n))
	}
	if mutates(s.feedback) {
		waiting, err := s.learn(ctx)
		if err != nil {
			return "", err
		}
		to := survivors.Audience{Inputs: true, Most: n}
		for _, f := range s.spec.APIs(s.job.Target.ExcludedAPIs) {
			to.APIs = append(to.APIs, f.Canonical())
		}
		add(survivors.Title, s.account.Text(to))
		if waiting > 0 {
			sections = append(sections, fmt.Sprintf("%s not run on changed libraries yet: call gaps again.", trial.Count(waiting, "test")))
		}
	}
	if len(sections) == 0 {
		return "There are none.", nil
	}
	return strings.Join(sections, "\n\n"), nil
}

// learn runs kept tests on mutants that none has killed, each once, as many as the time is for. It returns how many
// are left.
func (s *Space) learn(ctx context.Context) (waiting int, err error) {
	left := time.Duration(s.account.Counts().Mutants - s.account.Counts().Killed)
	end, cost := s.learned, time.Duration(0)
	for end < len(s.kept) && (end == s.learned || cost+s.times[end]*left <= mutantTime) {
		cost += s.times[end] * left
		end++
	}
	if _, err := s.account.Learn(ctx, s.kept[s.learned:end]); err != nil {
		return 0, err
	}
	s.learned = end
	return len(s.kept) - end, nil
}

var word = regexp.MustCompile(`[A-Za-z_]\w*`)

// unused returns the public functions and the documented constants that no kept test names.
func (s *Space) unused() (functions, constants []string) {
	used := map[string]bool{}
	for _, p := range s.kept {
		for _, w := range word.FindAllString(p.Source, -1) {
			used[w] = true
		}
	}
	documented := map[string]bool{}
	for _, f := range s.spec.APIs(s.job.Target.ExcludedAPIs) {
		names := append([]string{f.Name[strings.LastIndex(f.Name, ":")+1:]}, s.spec.CalledThrough(f)...)
		if !slices.ContainsFunc(names, func(n string) bool { return used[n] }) {
			functions = append(functions, f.Canonical())
		}
		for _, w := range word.FindAllString(s.spec.DocOf(f), -1) {
			documented[w] = true
		}
	}
	for _, e := range s.spec.Enums {
		for _, c := range e.Constants {
			constants = append(constants, c.Name)
		}
	}
	for _, c := range s.spec.Constants {
		constants = append(constants, c.Name)
	}
	return functions, slices.DeleteFunc(constants, func(name string) bool { return used[name] || !documented[name] })
}

func listed(names []string, n int) string {
	text := strings.Join(names[:min(n, len(names))], ", ")
	if more := len(names) - n; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// unexecuted lists functions with the most branches that are not taken, then those that are not called.
func unexecuted(u trial.Uncovered, n int) string {
	type gap struct {
		function trial.Uncalled
		branches int
		lines    []string
	}
	var gaps []*gap
	for _, b := range u.Branches {
		i := slices.IndexFunc(gaps, func(g *gap) bool { return g.function.File == b.File && g.function.Function == b.Function })
		if i < 0 {
			i, gaps = len(gaps), append(gaps, &gap{function: b.Uncalled})
		}
		gaps[i].branches++
		if line := fmt.Sprintf("%d never %t", b.Line, b.Never); !slices.Contains(gaps[i].lines, line) {
			gaps[i].lines = append(gaps[i].lines, line)
		}
	}
	slices.SortStableFunc(gaps, func(a, b *gap) int { return b.branches - a.branches })
	var lines []string
	const shown = 8
	for _, g := range gaps[:min(n, len(gaps))] {
		lines = append(lines, fmt.Sprintf("- %s (%s): %d branches, at lines %s", g.function.Function, g.function.File, g.branches, listed(g.lines, shown)))
	}
	if len(u.Functions) > 0 {
		var names []string
		for _, f := range u.Functions {
			names = append(names, f.Function)
		}
		lines = append(lines, fmt.Sprintf("- never called, %d: %s", len(names), listed(names, n)))
	}
	return strings.Join(lines, "\n")
}
