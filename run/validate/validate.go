// Package validate proves the corpus: it consumes bugs with their witnesses and the builds of both sides, and
// produces one Result per bug. A witness must exit 0 on the reference build and fail on the buggy build in
// every run. The witnesses of the library's other bugs must pass on that buggy build, which shows that
// re-introducing one bug does not bring in another. A Result that is not OK says why.
package validate

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// DefaultRuns is how often a witness is run on each build.
const DefaultRuns = 3

// A Runner compiles and runs witnesses (testrun.Engine): one stand-alone, or many as shared
// objects that are compiled once for all builds with the same headers.
type Runner interface {
	Run(ctx context.Context, b *libbuild.Build, programs []trial.Program, o testrun.Options) ([]trial.Result, error)
	Plain(ctx context.Context, b *libbuild.Build, p trial.Program, o testrun.PlainOptions) ([]trial.Result, error)
}

// Builds makes the two sides of a bug, and the sanitizer build of the fixed side.
type Builds interface {
	Bug(ctx context.Context, bug *lisabench.Bug) (fixed, buggy *libbuild.Build, err error)
	Sanitized(ctx context.Context, bug *lisabench.Bug) (*libbuild.Build, error)
}

// A Result is what was found of one bug in one edition.
type Result struct {
	Library   string                  `json:"library"`
	Bug       string                  `json:"bug"`
	Edition   lisabench.Edition       `json:"edition"`
	Strategy  lisabench.Strategy      `json:"strategy"`
	Selection lisabench.Selection     `json:"selection"`
	Reference []trial.Outcome         `json:"reference,omitempty"` // one per run
	Buggy     []trial.Outcome         `json:"buggy,omitempty"`     // one per run
	Sanitizer trial.Outcome           `json:"sanitizer,omitempty"` // of the reference under ASan and UBSan
	Assertion *trial.AssertionFailure `json:"assertion,omitempty"` // that failed on the buggy build
	Others    *Matrix                 `json:"others,omitempty"`    // the other bugs' witnesses on the buggy build
	OK        bool                    `json:"ok"`
	Problem   string                  `json:"problem,omitempty"` // why it is not OK, or the reason of an absent bug
}

// Absent reports whether the bug is declared not to exist in the edition.
func (r Result) Absent() bool { return r.Strategy == lisabench.Absent }

// Verdict is a result in one word: proven, absent or FAILED.
func (r Result) Verdict() string {
	switch {
	case r.Absent():
		return "absent"
	case r.OK:
		return "proven"
	}
	return "FAILED"
}

// A Matrix is one row of the matrix of buggy builds and witnesses: what the witnesses of the library's other bugs do on
// one bug's buggy build. A witness is dragged in if it passes on the bug's fixed side and fails on its buggy side.
type Matrix struct {
	Passed    int      `json:"passed"`
	DraggedIn []Also   `json:"dragged_in,omitempty"`
	Elsewhere []string `json:"elsewhere,omitempty"` // fail on the fixed side too, which for a pair is an older commit than the reference
}

// Also is another bug's witness that fails on a buggy build.
type Also struct {
	Bug      string        `json:"bug"`
	Outcome  trial.Outcome `json:"outcome"`
	Declared bool          `json:"declared"` // the corpus says so, with a reason
}

// A validator validates the bugs of one library in one edition.
type validator struct {
	Library *lisabench.Library
	Edition lisabench.Edition
	Builds  Builds
	Runner  Runner
	Runs    int // of the witness on each build
}

// result begins what is found of a bug. A bug that is absent from the edition is OK already.
func (v *validator) result(bug *lisabench.Bug) Result {
	r := Result{Library: v.Library.Name, Bug: bug.ID, Edition: v.Edition, Selection: bug.Selection, Strategy: lisabench.Absent,
		Problem: "the bug says nothing of this edition"}
	if how := bug.In(v.Edition); how != nil {
		r.Strategy, r.Problem = how.Strategy, how.Reason
	}
	if r.OK = r.Absent(); !r.OK {
		r.Problem = ""
	}
	return r
}

// Bug validates one bug. The error is ctx's; everything else is in the Result.
func (v *validator) Bug(ctx context.Context, bug *lisabench.Bug) (Result, error) {
	res := v.result(bug)
	if res.OK {
		return res, nil
	}
	if err := v.run(ctx, bug, &res); ctx.Err() != nil {
		return res, err
	} else if err != nil {
		res.Problem = err.Error()
	}
	res.OK = res.Problem == ""
	return res, nil
}

// run fills res; a harness error or a witness that does not discriminate is its Problem.
func (v *validator) run(ctx context.Context, bug *lisabench.Bug, res *Result) error {
	fixed, buggy, err := v.Builds.Bug(ctx, bug)
	if err != nil {
		return err
	}
	sanitized, err := v.Builds.Sanitized(ctx, bug)
	if err != nil {
		return err
	}
	good, bad, err := v.both(ctx, bug, fixed, buggy)
	if err != nil {
		return err
	}
	quiet, err := v.plain(ctx, bug, sanitized, 1)
	if err != nil {
		return err
	}
	res.Reference, res.Buggy, res.Sanitizer = outcomes(good), outcomes(bad), quiet[0].Outcome
	res.Assertion = bad[0].Assertion
	if res.Problem = judge(good, bad, quiet[0]); res.Problem != "" {
		return nil
	}
	if res.Others, err = v.others(ctx, bug, fixed, buggy); err != nil {
		return err
	}
	res.Problem = res.Others.judge(bug.In(v.Edition))
	return nil
}

// plain runs a witness stand-alone. Its own limit of time is 0 if it does with the engine's.
func (v *validator) plain(ctx context.Context, bug *lisabench.Bug, b *libbuild.Build, runs int) ([]trial.Result, error) {
	return v.Runner.Plain(ctx, b, v.program(bug), testrun.PlainOptions{Runs: runs, Timeout: time.Duration(bug.Witness.TimeoutSec) * time.Second})
}

// both runs a witness on both builds of a bug.
func (v *validator) both(ctx context.Context, bug *lisabench.Bug, fixed, buggy *libbuild.Build) (good, bad []trial.Result, err error) {
	if good, err = v.plain(ctx, bug, fixed, v.Runs); err == nil {
		bad, err = v.plain(ctx, bug, buggy, v.Runs)
	}
	return good, bad, err
}

// program is a bug's witness as the engine takes it.
func (v *validator) program(b *lisabench.Bug) trial.Program {
	return trial.Program{ID: b.ID, Lang: v.Library.Language, Source: b.Witness.Source, Oracle: trial.OracleSpecification}
}

// Discriminates runs a bug's witness on both of its builds, and says what is wrong with it there. The answer is "" if it
// passes on the first and fails on the second in every run.
func Discriminates(ctx context.Context, run Runner, lib *lisabench.Library, bug *lisabench.Bug, fixed, buggy *libbuild.Build) (problem string, err error) {
	v := validator{Library: lib, Runner: run, Runs: DefaultRuns}
	good, bad, err := v.both(ctx, bug, fixed, buggy)
	if err != nil {
		return "", err
	}
	return judge(good, bad, trial.Result{Outcome: trial.OK}), nil
}

// judge says what is wrong with a witness's runs; "" if nothing is.
func judge(good, bad []trial.Result, quiet trial.Result) string {
	for i, r := range good {
		if r.Outcome != trial.OK {
			return fmt.Sprintf("the witness does not pass on the reference build: run %d is %s%s", i+1, r.Outcome, words(r))
		}
	}
	for i, r := range bad {
		switch {
		case !r.Outcome.Compiled():
			return fmt.Sprintf("the witness does not build against the buggy build: %s%s", r.Outcome, words(r))
		case r.Outcome == trial.OK:
			return fmt.Sprintf("the witness does not discriminate: it passes on the buggy build in run %d of %d", i+1, len(bad))
		case r.Outcome != bad[0].Outcome:
			return fmt.Sprintf("the witness is not stable on the buggy build: run 1 is %s, run %d is %s", bad[0].Outcome, i+1, r.Outcome)
		}
	}
	if quiet.Outcome != trial.OK {
		return fmt.Sprintf("the witness is not quiet on the reference's sanitizer build: %s%s", quiet.Outcome, words(quiet))
	}
	return ""
}

// words returns what a failed run said, for the end of a message.
func words(r trial.Result) string {
	switch {
	case r.Assertion != nil:
		return fmt.Sprintf(" (%s:%d: assert %s)", r.Assertion.File, r.Assertion.Line, r.Assertion.Expr)
	case strings.TrimSpace(r.Diagnostic) != "":
		return ":\n" + strings.TrimSpace(r.Diagnostic)
	}
	return ""
}

func outcomes(results []trial.Result) (list []trial.Outcome) {
	for _, r := range results {
		list = append(list, r.Outcome)
	}
	return list
}

// others fills in the row of bug. The witnesses run once, as compiled before for another
// build; one that fails is judged by v.Runs runs on the plain way.
func (v *validator) others(ctx context.Context, bug *lisabench.Bug, fixed, buggy *libbuild.Build) (*Matrix, error) {
	var bugs []*lisabench.Bug
	var programs []trial.Program
	for _, b := range v.Library.Bugs {
		if how := b.In(v.Edition); b != bug && how != nil && how.Strategy != lisabench.Absent {
			bugs, programs = append(bugs, b), append(programs, v.program(b))
		}
	}
	m := &Matrix{}
	if len(programs) == 0 {
		return m, nil
	}
	results, err := v.Runner.Run(ctx, buggy, programs, testrun.Options{})
	if err != nil {
		return nil, err
	}
	notOK := func(r trial.Result) bool { return r.Outcome != trial.OK }
	for i, r := range results {
		if !notOK(r) {
			m.Passed++
			continue
		}
		good, bad, err := v.both(ctx, bugs[i], fixed, buggy)
		if err != nil {
			return nil, err
		}
		failed, id := slices.IndexFunc(bad, notOK), bugs[i].ID
		switch {
		case failed < 0:
			m.Passed++
		case slices.ContainsFunc(good, notOK):
			m.Elsewhere = append(m.Elsewhere, id)
		default:
			declared := slices.ContainsFunc(bug.In(v.Edition).AlsoFails, func(a lisabench.AlsoFails) bool { return a.Bug == id })
			m.DraggedIn = append(m.DraggedIn, Also{Bug: id, Outcome: bad[failed].Outcome, Declared: declared})
		}
	}
	return m, nil
}

// judge says what is wrong with a row; "" if nothing is.
func (m *Matrix) judge(how *lisabench.Reintroduce) string {
	var undeclared, surplus []string
	for _, a := range m.DraggedIn {
		if !a.Declared {
			undeclared = append(undeclared, fmt.Sprintf("%s (%s)", a.Bug, a.Outcome))
		}
	}
	for _, d := range how.AlsoFails {
		if !slices.ContainsFunc(m.DraggedIn, func(a Also) bool { return a.Bug == d.Bug }) {
			surplus = append(surplus, d.Bug)
		}
	}
	switch {
	case len(undeclared) > 0:
		return fmt.Sprintf("on its buggy build the witness of another bug fails too: %s; re-introduce less, "+
			"or declare it in also_fails with the reason", strings.Join(undeclared, ", "))
	case len(surplus) > 0:
		return fmt.Sprintf("also_fails declares %s, whose witness does not fail on its buggy build alone: remove it", strings.Join(surplus, ", "))
	}
	return ""
}

// A Choice is a library with the bugs to validate.
type Choice struct {
	Library *lisabench.Library
	Bugs    []*lisabench.Bug
}

// Choose resolves names of libraries and bugs; none means everything the edition has. The error is one of the names.
func Choose(bench *lisabench.Bench, names []string, ed lisabench.Edition) (chosen []Choice, err error) {
	var known []string
	for _, l := range bench.Libraries {
		c, named := Choice{Library: l}, slices.Contains(names, l.Name)
		known = append(known, l.Name)
		for _, b := range l.Bugs {
			known = append(known, b.ID)
			if len(names) == 0 || named || slices.Contains(names, b.ID) {
				c.Bugs = append(c.Bugs, b)
			}
		}
		switch {
		case len(c.Bugs) == 0 && !named:
		case l.Has(ed):
			chosen = append(chosen, c)
		case len(names) > 0:
			err = fmt.Errorf("library %s has no %s edition", l.Name, ed)
		}
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, lisabench.NewUnknownError("library or bug", n, known)
		}
	}
	return chosen, err
}

// A Proof is one validation of bugs of one edition.
type Proof struct {
	Edition lisabench.Edition
	Runs    int                                                               // of each witness on each build
	Open    func(context.Context, *lisabench.Library) (Builds, Runner, error) // fetches and builds the reference
	Out     io.Writer                                                         // for progress
}

// All validates the chosen bugs and returns their results in that order. It opens one library after the other. The bugs
// are validated as many at a time as there are processors, a library's last ones while the next library is fetched and
// built. If a library cannot be had, its bugs fail, and the other libraries are validated all the same.
func (p *Proof) All(ctx context.Context, chosen []Choice) ([]Result, error) {
	var mu sync.Mutex // of what follows, and of p.Out
	done, results := 0, make([][]Result, len(chosen))
	tell := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(p.Out, format+"\n", args...)
	}
	total := 0
	for i, c := range chosen {
		total += len(c.Bugs)
		results[i] = make([]Result, len(c.Bugs))
	}
	finished := func(r Result) {
		mu.Lock()
		defer mu.Unlock()
		done++
		fmt.Fprintf(p.Out, "[%d/%d] %s: %s\n", done, total, r.Bug, r.Verdict())
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU())
	for i, c := range chosen {
		tell("%s (%s): fetching and building", c.Library.Name, p.Edition)
		builds, run, err := p.Open(ctx, c.Library)
		if err != nil && (len(chosen) == 1 || len(c.Bugs) == 0 || ctx.Err() != nil) {
			return nil, cmp.Or(err, g.Wait())
		}
		if len(c.Bugs) == 0 {
			tell("%s: builds as plain, coverage and sanitizer variant; it has no bugs yet", c.Library.Name)
		}
		v := validator{Library: c.Library, Edition: p.Edition, Builds: builds, Runner: run, Runs: p.Runs}
		for k, bug := range c.Bugs {
			r := &results[i][k]
			if err != nil {
				if *r = v.result(bug); !r.OK { // what is absent asks nothing of the library
					r.Problem = err.Error()
				}
				finished(*r)
				continue
			}
			g.Go(func() (err error) {
				if *r, err = v.Bug(ctx, bug); err == nil {
					finished(*r)
				}
				return err
			})
		}
	}
	err := g.Wait()
	return slices.Concat(results...), err
}
