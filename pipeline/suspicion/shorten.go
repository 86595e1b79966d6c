package suspicion

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A part is a statement's bytes in a program: up to the next statement.
type part struct{ begin, end int }

// shorten takes the statements that may go out of programs that fail the same without them.
func (k *Keeper) shorten(ctx context.Context, todo []*kept) error {
	if err := k.read(ctx, todo); err != nil {
		return err
	}
	same, err := k.same(ctx, todo, func(s *kept) string { return s.program.Source })
	if err != nil {
		return err
	}
	var open []*kept
	for i, s := range todo {
		if !same[i] {
			continue
		}
		if v := Values(*s.shown); len(v) > 0 {
			s.Values = v
		}
		if len(s.free) > 0 {
			open = append(open, s)
		}
	}
	if same, err = k.same(ctx, open, func(s *kept) string { return s.without() }); err != nil {
		return err
	}
	for i, s := range open {
		if !same[i] {
			continue
		}
		for _, p := range s.free {
			if p.begin < s.at {
				s.Line -= strings.Count(s.program.Source[p.begin:p.end], "\n")
			}
		}
		s.program.Source = s.without()
	}
	return nil
}

// without is the program without what may go.
func (s *kept) without() string {
	text := s.program.Source
	for _, p := range slices.Backward(s.free) {
		text = text[:p.begin] + text[p.end:]
	}
	return text
}

// same reports which programs fail as their suspicions do, in every way, with another text.
func (k *Keeper) same(ctx context.Context, list []*kept, text func(*kept) string) ([]bool, error) {
	programs := make([]trial.Program, len(list))
	for i, s := range list {
		programs[i] = trial.Program{ID: s.ID, Lang: s.program.Lang, Source: text(s)}
	}
	same := slices.Repeat([]bool{true}, len(list))
	for _, o := range trial.Ways(trial.ExecOptions{Stdout: true}) {
		results, err := trial.Execute(ctx, k.job.Exec, programs, o)
		if err != nil {
			return nil, err
		}
		for i, s := range list {
			if s.shown == nil {
				s.shown = &results[i].Stdout
			}
			same[i] = same[i] && shows(results[i], s.Suspicion) && results[i].Stdout == *s.shown
		}
	}
	return same, nil
}

// read finds the tests of programs, the statements that may go, and the line of the assertion.
func (k *Keeper) read(ctx context.Context, list []*kept) error {
	units := make([]toolchain.Unit, len(list))
	for i, s := range list {
		units[i] = toolchain.Unit{ID: s.ID, Lang: s.program.Lang, Source: s.program.Source}
	}
	t := k.job.Target
	flags := toolchain.Flags{IncludeDirs: t.IncludeDirs, Defines: t.Defines}
	read, err := k.compiler.Read(ctx, filepath.Join(k.job.Dir, "syntax"), flags, units)
	if err != nil {
		return err
	}
	for i, s := range list {
		p, err := read[i].Program()
		if err != nil {
			return err
		}
		if !read[i].OK || p.Main() != nil {
			continue
		}
		own := declared(p)
		for _, f := range p.Tests() {
			s.tests = append(s.tests, f.Decl.Name)
			if f.Node != nil && f.Node.Body() != nil {
				s.outline(f.Node.Body(), own)
			}
		}
	}
	return nil
}

// outline notes where the assertion is in a test that holds it, and the statements that may go: those before it that
// have nothing to do with it, and all behind it.
func (s *kept) outline(body *cprog.Node, own map[*cprog.Decl]bool) {
	parts := statements(body)
	at := slices.IndexFunc(body.Inner[:len(parts)], func(n *cprog.Node) bool {
		rest, found := strings.CutPrefix(s.program.Source[n.Begin.Offset:], "assert")
		return found && strings.HasPrefix(squeezed(rest), "("+squeezed(s.Assertion)+")")
	})
	if at < 0 {
		return
	}
	s.Line, s.at, s.free = int(body.Inner[at].Begin.Line), parts[at].begin, nil
	related := s.related(body.Inner[:at+1], parts, own)
	for i, p := range parts {
		if i > at || !related[i] {
			s.free = append(s.free, p)
		}
	}
}

// related says which statements up to the last, the assertion, have to do with it: they show its values, or name a
// variable that is linked with its own by statements. Without the call that stored a value, a program may well fail with
// the same values, but would say nothing. What only checks, prints or throws a value away may go.
func (s *kept) related(body []*cprog.Node, parts []part, own map[*cprog.Decl]bool) []bool {
	related := make([]bool, len(body))
	related[len(body)-1] = true
	linked := variables(body[len(body)-1], own)
	for known := -1; known < len(linked); {
		known = len(linked)
		for i, n := range body {
			begins := func(with string) bool { return strings.HasPrefix(s.program.Source[parts[i].begin:], with) }
			named := variables(n, own)
			switch {
			case begins(`printf("`+ValueMark) || begins("fflush("):
				related[i] = true
			case related[i] || begins("assert(") || begins("printf(") || begins("(void)"):
			case slices.ContainsFunc(named, func(d *cprog.Decl) bool { return slices.Contains(linked, d) }):
				related[i] = true
				for _, d := range named {
					if !slices.Contains(linked, d) {
						linked = append(linked, d)
					}
				}
			}
		}
	}
	return related
}

// variables are those of own that a statement names.
func variables(n *cprog.Node, own map[*cprog.Decl]bool) []*cprog.Decl {
	var list []*cprog.Decl
	for in := range n.All() {
		if own[in.Decl] && !slices.Contains(list, in.Decl) {
			list = append(list, in.Decl)
		}
	}
	return list
}

// declared are the variables of a program, but for constants at file scope.
func declared(p *cprog.Program) map[*cprog.Decl]bool {
	own := map[*cprog.Decl]bool{}
	for _, top := range p.Tree {
		for n := range top.All() {
			constant := n == top && n.Type != nil && strings.HasPrefix(n.Type.Spelling, "const ")
			if n.Kind == "VarDecl" && n.Decl != nil && !constant {
				own[n.Decl] = true
			}
		}
	}
	return own
}

// statements are the parts of a block; nil if their places are not all known.
func statements(body *cprog.Node) []part {
	var parts []part
	for i, n := range body.Inner {
		end := body.End
		if i+1 < len(body.Inner) {
			end = body.Inner[i+1].Begin
		}
		if n.Begin.File != cprog.Main || end.File != cprog.Main || end.Offset < n.Begin.Offset {
			return nil
		}
		parts = append(parts, part{int(n.Begin.Offset), int(end.Offset)})
	}
	return parts
}
