package straightline

import (
	"cmp"
	"context"
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
	Program    *cprog.Program // as clang read it; nil if it does not compile, and the rest is empty then
	Violations []Violation    // by line
	Calls      []Call         // in the order of execution, test after test
}

// APIs returns the names of the program's API calls, as package ngram takes them.
func (r Report) APIs() []string {
	var names []string
	for _, c := range r.Calls {
		names = append(names, c.API)
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
	api := newResolver(c.API)
	reports := make([]Report, len(units))
	for i, u := range units {
		if !read[i].OK {
			continue
		}
		p, err := read[i].Program()
		if err != nil {
			return nil, err
		}
		reports[i] = analyze(p, u.Source, api)
	}
	return reports, nil
}

// analyze reports on one program.
func analyze(p *cprog.Program, source string, api *resolver) Report {
	r := Report{Program: p}
	c := &checker{Program: p, api: api}
	c.check()
	for t := range clex.Tokens(source) { // macros that differ from build to build leave no trace in a tree
		if t.Kind == clex.Word && strings.HasPrefix(t.Text, "__") && strings.HasSuffix(t.Text, "__") && banned[t.Text] != "" {
			c.found = append(c.found, Violation{Kind: banned[t.Text], Line: t.Line, What: t.Text})
		}
	}
	tests := slices.DeleteFunc(p.Tests(), func(f *cprog.Function) bool { return f.Node == nil })
	for _, f := range tests {
		t := &tracer{api: api}
		t.evaluate(f.Node.Body(), &frame{f: f}, false)
		if t.full {
			c.report(TooLong, f.Node, f.Decl.Name)
		}
		r.Calls = append(r.Calls, t.calls...)
	}
	switch {
	case p.Unreadable:
		c.found = append(c.found, Violation{Kind: TooLarge, What: "the program"})
	case len(tests) == 0:
		c.found = append(c.found, Violation{Kind: NoTest, What: "no test function"})
	}
	slices.SortStableFunc(c.found, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.What, b.What))
	})
	r.Violations = c.found
	return r
}
