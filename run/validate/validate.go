// Package validate proves the corpus: it consumes bugs with their witnesses and the builds of both sides, and
// produces one Result per bug. A witness must exit 0 on the reference build and fail on the buggy build in
// every run. The witnesses of the library's other bugs must pass on that buggy build, which shows that
// re-introducing one bug does not bring in another. A Result that is not OK says why.
package validate

import (
	"context"
	"fmt"
	"strings"

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

// A validator validates the bugs of one library in one edition.
type validator struct {
	Library *lisabench.Library
	Edition lisabench.Edition
	Builds  Builds
	Runner  Runner
	Runs    int // of the witness on each build
}

// Bug validates one bug. The error is ctx's; everything else is in the Result.
func (v *validator) Bug(ctx context.Context, bug *lisabench.Bug) (Result, error) {
	res := Result{Library: v.Library.Name, Bug: bug.ID, Edition: v.Edition, Selection: bug.Selection}
	how := bug.In(v.Edition)
	if how == nil {
		how = &lisabench.Reintroduce{Strategy: lisabench.Absent, Reason: "the bug says nothing of this edition"}
	}
	res.Strategy = how.Strategy
	if how.Strategy == lisabench.Absent {
		res.OK, res.Problem = true, how.Reason
		return res, nil
	}
	if err := v.run(ctx, bug, &res); err != nil {
		if ctx.Err() != nil {
			return res, err
		}
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
	p := v.program(bug)
	o := testrun.PlainOptions{Runs: v.Runs, Timeout: witnessTimeout(bug)}
	good, err := v.Runner.Plain(ctx, fixed, p, o)
	if err != nil {
		return err
	}
	bad, err := v.Runner.Plain(ctx, buggy, p, o)
	if err != nil {
		return err
	}
	o.Runs = 1
	quiet, err := v.Runner.Plain(ctx, sanitized, p, o)
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
	res.Problem = judgeMatrix(bug.In(v.Edition), res.Others)
	return nil
}

// Discriminates runs a bug's witness on both of its builds, and says what is wrong with it there. The answer is "" if it
// passes on the first and fails on the second in every run.
func Discriminates(ctx context.Context, run Runner, lib *lisabench.Library, bug *lisabench.Bug, fixed, buggy *libbuild.Build) (problem string, err error) {
	v := validator{Library: lib}
	o := testrun.PlainOptions{Runs: DefaultRuns, Timeout: witnessTimeout(bug)}
	good, err := run.Plain(ctx, fixed, v.program(bug), o)
	if err != nil {
		return "", err
	}
	bad, err := run.Plain(ctx, buggy, v.program(bug), o)
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

func outcomes(results []trial.Result) []trial.Outcome {
	list := make([]trial.Outcome, len(results))
	for i, r := range results {
		list[i] = r.Outcome
	}
	return list
}
