package straightline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A Report is what is known of one program.
type Report struct {
	ID         string      `json:"id"`       // of the program
	Compiles   bool        `json:"compiles"` // the rest is empty unless it does
	Violations []Violation `json:"violations,omitempty"`
	Tests      []Test      `json:"tests,omitempty"` // in order of definition
}

// A Test is one test function of a program.
type Test struct {
	Name        string `json:"name"`
	FirstLine   int    `json:"first_line"` // of its definition, 1-based
	LastLine    int    `json:"last_line"`
	Calls       []Call `json:"calls,omitempty"` // in the order of execution
	Steps       []Step `json:"steps,omitempty"`
	StepProblem string `json:"step_problem,omitempty"` // why it cannot be split at its markers; "" if it can
}

// APIs returns the names of the program's API calls, test after test, as package ngram takes
// them.
func (r Report) APIs() []string {
	var names []string
	for _, t := range r.Tests {
		for _, c := range t.Calls {
			names = append(names, c.API)
		}
	}
	return names
}

// A Checker checks programs for one library. It is safe for concurrent use.
type Checker struct {
	Compiler *toolchain.Compiler
	Flags    toolchain.Flags // as the programs are compiled with
	API      *apispec.Spec
}

// New returns the checker of programs for a library with that API.
func New(c *toolchain.Compiler, t trial.Target, api *apispec.Spec) Checker {
	return Checker{Compiler: c, API: api, Flags: toolchain.Flags{IncludeDirs: t.IncludeDirs, Defines: t.Defines}}
}

// Check reports on programs, result i on units[i]. dir is a directory for its use that holds
// nothing a program could include. Programs that share their includes share a process. The
// error is for what is no program's fault.
func (c *Checker) Check(ctx context.Context, dir string, units []toolchain.Unit) ([]Report, error) {
	read, err := c.Compiler.Read(ctx, dir, c.Flags, units)
	if err != nil {
		return nil, fmt.Errorf("check %d programs: %w", len(units), err)
	}
	return c.Report(read, units)
}

// Report reports on programs that were read already, result i on units[i] and read[i].
func (c *Checker) Report(read []toolchain.Compiled, units []toolchain.Unit) ([]Report, error) {
	api := newResolver(c.API)
	reports := make([]Report, len(units))
	for i, u := range units {
		reports[i] = Report{ID: u.ID}
		if !read[i].OK {
			continue
		}
		p, err := read[i].Program()
		if err != nil {
			return nil, err
		}
		reports[i] = analyze(p, u, api)
	}
	return reports, nil
}

// analyze reports on one program.
func analyze(p *cprog.Program, u toolchain.Unit, api *resolver) Report {
	r := Report{ID: u.ID, Compiles: true}
	check := &checker{Program: p, api: api}
	if p.Unreadable {
		check.found = append(check.found, Violation{Kind: TooLarge, What: "the program"})
	}
	check.check()
	check.predefined(u.Source)
	all := markers(u.Source)
	for _, f := range p.Tests() {
		if f.Node == nil {
			continue
		}
		trace := &tracer{api: api}
		calls, err := trace.trace(f)
		if errors.Is(err, errTooManyCalls) {
			check.report(TooLong, f.Node, f.Decl.Name)
		}
		t := Test{Name: f.Decl.Name, FirstLine: f.FirstLine, LastLine: f.LastLine, Calls: calls}
		t.Steps, t.StepProblem = steps(f.Node, all)
		assign(t.Calls, t.Steps)
		r.Tests = append(r.Tests, t)
	}
	if len(r.Tests) == 0 && !p.Unreadable {
		check.found = append(check.found, Violation{Kind: NoTest, What: "no test function"})
	}
	r.Violations = check.sorted()
	return r
}

// predefined reports macros that differ from build to build, which leave no trace in a tree.
func (c *checker) predefined(source string) {
	for t := range clex.Tokens(source) {
		if bad := bannedMacros[t.Text]; t.Kind == clex.Word && bad != "" {
			c.found = append(c.found, Violation{Kind: bad, Line: t.Line, What: t.Text})
		}
	}
}

// sorted returns the violations by line.
func (c *checker) sorted() []Violation {
	slices.SortStableFunc(c.found, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.What, b.What))
	})
	return c.found
}

// Reason joins violations into the text that a repair prompt or a log shows, one a line.
func Reason(violations []Violation) string {
	var lines []string
	for _, v := range violations {
		lines = append(lines, v.String())
	}
	return strings.Join(lines, "\n")
}
