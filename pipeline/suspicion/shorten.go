package suspicion

import (
	"cmp"
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

// shorten makes programs as short as it can, all together. It takes out all statements that may go;
// where a program is another one without them, it tries either half
// (after Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002).
func (k *Keeper) shorten(ctx context.Context, todo []*kept) error {
	if err := k.read(ctx, todo); err != nil {
		return err
	}
	same, err := k.same(ctx, todo, func(s *kept) string { return s.program.Source })
	if err != nil {
		return err
	}
	for i, s := range todo {
		if !same[i] {
			s.open = nil
		} else if v := Values(*s.shown); len(v) > 0 {
			s.Values = v
		}
	}
	for {
		open := slices.DeleteFunc(slices.Clone(todo), func(s *kept) bool { return len(s.open) == 0 })
		if len(open) == 0 {
			break
		}
		same, err := k.same(ctx, open, func(s *kept) string { return without(s.program.Source, merged(s.out, s.open[0])) })
		if err != nil {
			return err
		}
		for i, s := range open {
			g := s.open[0]
			s.open = s.open[1:]
			if same[i] {
				s.out = merged(s.out, g)
			} else if half := len(g) / 2; half > 0 { // what uses a variable before what declares it
				s.open = slices.Insert(s.open, 0, g[half:], g[:half])
			}
		}
	}
	for _, s := range todo {
		s.program.Source, s.out = without(s.program.Source, s.out), nil
	}
	return k.read(ctx, todo) // for the line
}

// merged are the parts of both lists, in the order of the text.
func merged(a, b []part) []part {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(a, b part) int { return cmp.Compare(a.begin, b.begin) })
	return all
}

// without takes parts out of a text.
func without(text string, parts []part) string {
	for _, p := range slices.Backward(parts) {
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

// squeezed is text without blanks, which the preprocessor writes as it likes.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

// read finds the tests of the programs, the statements that may go, and the line of the assertion.
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
		s.tests, s.open = nil, nil
		if read[i].OK && p.Main() == nil {
			s.outline(p)
		}
	}
	return nil
}

// outline notes the names of the tests, and the statements that may go of the one that holds the
// assertion.
func (s *kept) outline(p *cprog.Program) {
	for _, f := range p.Tests() {
		s.tests = append(s.tests, f.Decl.Name)
		if f.Node == nil || f.Node.Body() == nil {
			continue
		}
		body := f.Node.Body()
		parts := statements(body)
		at := slices.IndexFunc(body.Inner[:len(parts)], s.holds)
		if at < 0 {
			continue
		}
		s.Line = int(body.Inner[at].Begin.Line)
		group := s.unrelated(body.Inner[:at+1], parts, declared(p))
		if at+1 < len(parts) { // what is never reached goes in one piece
			group = append(group, part{parts[at+1].begin, parts[len(parts)-1].end})
		}
		if len(group) > 0 {
			s.open = [][]part{group}
		}
	}
}

// unrelated are the statements before the last, the assertion, that have nothing to do with it: they
// name no variable that is linked with its own by statements. Without the call that stored a value, a
// program may well fail with the same values, but would say nothing. What only checks, prints or
// throws a value away may go.
func (s *kept) unrelated(body []*cprog.Node, parts []part, own map[*cprog.Decl]bool) (free []part) {
	last := len(body) - 1
	linked := variables(body[last], own)
	related := func(i int) bool {
		text := s.program.Source[parts[i].begin:parts[i].end]
		idle := func(word string) bool { return strings.HasPrefix(text, word) }
		return !slices.ContainsFunc([]string{"assert(", "printf(", "fflush(", "(void)"}, idle) &&
			slices.ContainsFunc(variables(body[i], own), func(d *cprog.Decl) bool { return slices.Contains(linked, d) })
	}
	for known := 0; known < len(linked); {
		known = len(linked)
		for i := range last {
			if !related(i) {
				continue
			}
			for _, d := range variables(body[i], own) {
				if !slices.Contains(linked, d) {
					linked = append(linked, d)
				}
			}
		}
	}
	for i := range last {
		if !related(i) {
			free = append(free, parts[i])
		}
	}
	return free
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

// holds reports whether a statement is the suspicion's assertion.
func (s *kept) holds(n *cprog.Node) bool {
	rest, found := strings.CutPrefix(s.program.Source[n.Begin.Offset:], "assert")
	return found && strings.HasPrefix(squeezed(rest), "("+squeezed(s.Assertion)+")")
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

// ValueMark begins the lines with which a program shows a value; it may print others.
const ValueMark = "@value "

// Values are those that a program printed.
func Values(stdout string) []string {
	var list []string
	for line := range strings.Lines(stdout) {
		if v, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), ValueMark); ok {
			list = append(list, v)
		}
	}
	return list
}
