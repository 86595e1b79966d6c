package agentspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/bounded"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/survivors"
)

// These bound what an agent writes, and what it is told.
const (
	maxSource  = 256 << 10 // bytes of a file
	maxFiles   = 2000      // in tests/
	maxAtATime = 100       // files that one check looks at
	maxWords   = 1500      // bytes that are told of one file
)

// testName is the name of a test, without a directory.
var testName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]*\.(c|cc|cpp|cxx)$`)

// Path returns where a test of that name lies; the error tells the agent why there is none. The name may begin with tests/.
func (s *Space) Path(name string) (string, error) {
	name = strings.TrimPrefix(name, testsDir+"/")
	if !testName.MatchString(name) {
		return "", fmt.Errorf("%q is no name of a test: it is a file of tests/ such as topic%s, in letters, digits, _ and -", name, s.job.Target.Language.Ext())
	}
	return filepath.Join(s.tests(), name), nil
}

// read returns a test as a program; the error tells the agent why it is none.
func (s *Space) read(name string) (p trial.Program, err error) {
	path, err := s.Path(name)
	if err != nil {
		return p, err
	}
	f, err := bounded.OpenIn(s.tests(), filepath.Base(path), maxSource)
	if err != nil {
		var refusal *bounded.Error
		if errors.As(err, &refusal) {
			return p, fmt.Errorf("%s: %s", name, refusal.Problem)
		}
		return p, fmt.Errorf("%s: there is no such file in %s/", name, testsDir)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSource))
	if err != nil {
		return p, fmt.Errorf("%s: it cannot be read", name)
	}
	p = trial.Program{ID: strings.TrimSuffix(filepath.Base(path), s.job.Target.Language.Ext()), Lang: trial.CXX, Source: strings.ToValidUTF8(string(text), "?"),
		Oracle: trial.OracleSpecification, Origin: testsDir + "/" + filepath.Base(path)}
	if filepath.Ext(path) == ".c" {
		p.Lang = trial.C
	}
	return p, nil
}

// changed are the names of the tests that are not kept as they are, in their order.
func (s *Space) changed() (names []string) {
	entries, err := os.ReadDir(s.tests())
	if err != nil {
		return nil
	}
	for _, e := range entries[:min(maxFiles, len(entries))] {
		if !testName.MatchString(e.Name()) {
			continue
		}
		if p, err := s.read(e.Name()); err == nil && !s.keeps(p) && s.checked[e.Name()].program != p {
			names = append(names, e.Name())
		}
	}
	return names
}

func (s *Space) keeps(p trial.Program) bool {
	return slices.ContainsFunc(s.kept, func(k trial.Program) bool { return k.Lang == p.Lang && k.Source == p.Source })
}

// check implements the command.
func (s *Space) check(ctx context.Context, names []string) (string, error) {
	if len(names) == 0 {
		if names = s.changed(); len(names) == 0 {
			return "Nothing in tests/ has changed since its last check.", nil
		}
	}
	var told []string
	if n := len(names) - maxAtATime; n > 0 {
		told = append(told, fmt.Sprintf("%d files are left for another check: one looks at %d.", n, maxAtATime))
		names = names[:maxAtATime]
	}
	var programs []trial.Program
	for _, name := range names {
		p, err := s.read(name)
		if err != nil {
			told = append(told, err.Error())
			continue
		}
		programs = append(programs, p)
	}
	results, err := s.run(ctx, programs)
	if err != nil {
		return "", err
	}
	before := len(s.kept)
	for i, p := range programs {
		name := filepath.Base(p.Origin)
		s.checked[name] = checked{p, results[i].Result}
		if results[i].Outcome != trial.OK {
			told = append(told, name+": "+results[i].words())
			continue
		}
		told = append(told, name+": passes")
		if s.keeps(p) {
			continue
		}
		kept := p
		kept.ID = fmt.Sprintf("p%05d", len(s.kept)+1)
		if err := s.job.Suite.Add(kept); errors.Is(err, trial.ErrBudget) {
			told[len(told)-1] += ", and is not kept: the suite is full"
			continue
		} else if err != nil {
			return "", err
		}
		s.kept = append(s.kept, kept)
		s.count.Add(1)
	}
	if len(s.kept) > before && covers(s.feedback) {
		c, err := s.job.Coverage.Cover(ctx, s.kept, false)
		if err != nil {
			return "", err
		}
		told = append(told, coverageWords(s.covered, c.Coverage))
		s.covered = c.Coverage
	}
	return strings.Join(told, "\n"), nil
}

func coverageWords(before, now trial.Coverage) string {
	return fmt.Sprintf("New: %d lines, %d branches. The suite covers %d of %d lines, %d of %d branches.",
		now.LinesCovered-before.LinesCovered, now.BranchesCovered-before.BranchesCovered,
		now.LinesCovered, now.LinesTotal, now.BranchesCovered, now.BranchesTotal)
}

// An ending is how a program did, and in which way of running it.
type ending struct {
	trial.Result
	way trial.ExecOptions
}

// run runs programs every way, as long as they pass.
func (s *Space) run(ctx context.Context, programs []trial.Program) ([]ending, error) {
	endings := make([]ending, len(programs))
	for i := range endings {
		endings[i].Outcome = trial.OK
	}
	for _, o := range trial.Ways(trial.ExecOptions{Runs: 2}) {
		var todo []trial.Program
		var at []int
		for i, p := range programs {
			if endings[i].Outcome == trial.OK {
				todo, at = append(todo, p), append(at, i)
			}
		}
		results, err := trial.Execute(ctx, s.job.Exec, todo, o)
		if err != nil {
			return nil, err
		}
		for k, i := range at {
			endings[i] = ending{results[k], o}
		}
	}
	return endings, nil
}

// assertLine is what assert prints, which is told in other words.
var assertLine = regexp.MustCompile("(?m)^.*: Assertion `.*' failed\\.\n?")

// words say why a program does not pass.
func (e ending) words() string {
	text := string(e.Outcome)
	switch {
	case e.way.Sanitize:
		text += ", only under the sanitizers"
	case e.way.Perturb:
		text += ", only with other contents of fresh memory, at another address, or on another date"
	}
	switch {
	case e.Assertion != nil:
		text += fmt.Sprintf("\nline %d: assert(%s) failed", e.Assertion.Line, e.Assertion.Expr)
	case e.Signal != 0:
		text += fmt.Sprintf("\nsignal %d", e.Signal)
	}
	for _, said := range []string{e.Diagnostic, assertLine.ReplaceAllString(e.Stderr, "")} {
		if said = strings.TrimSpace(llm.Portable(said)); said != "" && !strings.Contains(text, said) {
			text += "\n" + llm.Shorten(said, maxWords)
		}
	}
	return text
}

// suspect implements the command.
func (s *Space) suspect(name, sentence string) (string, error) {
	path, err := s.Path(name)
	if err != nil {
		return err.Error(), nil
	}
	c, known := s.checked[filepath.Base(path)]
	if !known || c.result.Outcome != trial.Assertion || c.result.Assertion == nil {
		return fmt.Sprintf("No assertion failed at the last check of %s: there is nothing to keep.", filepath.Base(path)), nil
	}
	of := trial.Suspicion{
		Place: c.program.Origin, Assertion: c.result.Assertion.Expr, Argument: sentence,
		Opinion: trial.Opinion{Verdict: trial.Unasked, Why: "an agent is not asked twice"},
	}
	told := "The sentence is in none of the documents, and is kept as your argument."
	if place, why := s.documents.Find(sentence); why == "" {
		of.Sentence, of.Document, of.Argument = sentence, place, ""
		told = "The sentence is at " + place + "."
	}
	kept := s.keeper.Keep(of, c.program)
	if kept == nil {
		return "That assertion is kept already.", nil
	}
	return fmt.Sprintf("Kept as %s: assert(%s). %s Take it out of the test and check that again.", kept.ID, kept.Assertion, told), nil
}

const (
	defaultGaps = 20
	mostGaps    = 100
	mostLearned = 50 // tests that one gaps runs on mutants, which takes minutes
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
		end := min(s.learned+mostLearned, len(s.kept))
		if _, err := s.account.Learn(ctx, s.kept[s.learned:end]); err != nil {
			return "", err
		}
		s.learned = end
		to := survivors.Audience{Inputs: true, Most: n}
		for _, f := range s.spec.APIs(s.job.Target.ExcludedAPIs) {
			to.APIs = append(to.APIs, f.Canonical())
		}
		add(survivors.Title, s.account.Text(to))
		if waiting := len(s.kept) - end; waiting > 0 {
			sections = append(sections, fmt.Sprintf("%s not run on changed libraries yet: call gaps again.", trial.Count(waiting, "test")))
		}
	}
	if len(sections) == 0 {
		return "There are none.", nil
	}
	return strings.Join(sections, "\n\n"), nil
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
	branches, at := map[trial.Uncalled]int{}, map[trial.Uncalled][]string{}
	var functions []trial.Uncalled // in the order of the branches
	for _, b := range u.Branches {
		f := trial.Uncalled{File: b.File, Function: b.Function}
		if branches[f]++; branches[f] == 1 {
			functions = append(functions, f)
		}
		if line := fmt.Sprintf("%d never %t", b.Line, b.Never); !slices.Contains(at[f], line) {
			at[f] = append(at[f], line)
		}
	}
	slices.SortStableFunc(functions, func(a, b trial.Uncalled) int { return branches[b] - branches[a] })
	var lines []string
	const shown = 8
	for _, f := range functions[:min(n, len(functions))] {
		lines = append(lines, fmt.Sprintf("- %s (%s): %d branches, at lines %s", f.Function, f.File, branches[f], listed(at[f], shown)))
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
