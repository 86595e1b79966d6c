package agentspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/bounded"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
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
		again := s.keeps(p)
		told = append(told, name+": passes")
		if again {
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
		s.kept, s.times = append(s.kept, kept), append(s.times, timeOf(results[i].Result))
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

// timeOf returns the processor time of a run, as 100 ms or a doubling of it: a measurement never comes out the same
// twice, and what gaps tells is to depend on it as little as can be.
func timeOf(r trial.Result) time.Duration {
	return testrun.Patience{Floor: 100 * time.Millisecond, Factor: 1}.Limit(r.CPU())
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

// run runs programs every way, as long as they pass. A program that passes has the time of its plain run.
func (s *Space) run(ctx context.Context, programs []trial.Program) ([]ending, error) {
	endings := make([]ending, len(programs))
	left := make([]int, len(programs))
	for i := range programs {
		left[i] = i
	}
	for n, o := range trial.Ways(trial.ExecOptions{Runs: 2}) {
		var todo []trial.Program
		for _, i := range left {
			todo = append(todo, programs[i])
		}
		results, err := trial.Execute(ctx, s.job.Exec, todo, o)
		if err != nil {
			return nil, err
		}
		var passing []int
		for k, i := range left {
			took := endings[i].CPUMs
			if endings[i] = (ending{results[k], o}); results[k].Outcome == trial.OK {
				passing = append(passing, i)
			}
			if n > 0 {
				endings[i].CPUMs = took
			} else {
				endings[i].CPUMs /= float64(o.Runs)
			}
		}
		left = passing
	}
	return endings, nil
}

// assertLine is what assert prints, which is told in other words.
var assertLine = regexp.MustCompile("(?m)^.*: Assertion `.*' failed\\.\n?")

// words say why a program does not pass.
func (e ending) words() string {
	var lines []string
	switch {
	case e.way.Sanitize:
		lines = append(lines, string(e.Outcome)+", only under the sanitizers")
	case e.way.Perturb:
		lines = append(lines, string(e.Outcome)+", only with other contents of fresh memory, at another address, or on another date")
	default:
		lines = append(lines, string(e.Outcome))
	}
	if e.Assertion != nil {
		lines = append(lines, fmt.Sprintf("line %d: assert(%s) failed", e.Assertion.Line, e.Assertion.Expr))
	}
	if e.Signal != 0 && e.Assertion == nil {
		lines = append(lines, fmt.Sprintf("signal %d", e.Signal))
	}
	for _, text := range []string{e.Diagnostic, assertLine.ReplaceAllString(e.Stderr, "")} {
		if text = strings.TrimSpace(llm.Portable(text)); text != "" && !strings.Contains(strings.Join(lines, "\n"), text) {
			lines = append(lines, llm.Shorten(text, maxWords))
		}
	}
	return strings.Join(lines, "\n")
}
