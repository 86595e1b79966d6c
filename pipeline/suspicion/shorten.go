package suspicion

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/code/clex"
	"github.com/lisa-bench/lisa-bench/internal/code/cprog"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// mostRounds bounds the rounds in which statements are taken out; each allows for those that the
// round before made superfluous.
const mostRounds = 6

// A shorter is one suspicion's program while it is made shorter.
type shorter struct {
	*kept
	shown string // what it prints: its values
	where []part // statements of its test that may go
	tests []string
	done  bool
}

// A part is a statement's bytes in a program: up to the next statement.
type part struct{ begin, end int }

// shorten makes programs as short as it can, all together, and returns the names of their tests.
func (k *Keeper) shorten(ctx context.Context, todo []*kept) ([][]string, error) {
	list := make([]*shorter, len(todo))
	for i, s := range todo {
		list[i] = &shorter{kept: s}
	}
	if err := k.baseline(ctx, list); err != nil {
		return nil, err
	}
	for range mostRounds {
		if err := k.read(ctx, list); err != nil {
			return nil, err
		}
		if err := k.round(ctx, list); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(list, func(s *shorter) bool { return !s.done }) {
			break
		}
	}
	err := k.read(ctx, list) // for the names, and the line
	tests := make([][]string, len(list))
	for i, s := range list {
		tests[i] = s.tests
	}
	return tests, err
}

// baseline runs the programs as they are. One that does not fail in each way with its assertion is
// left as it is.
func (k *Keeper) baseline(ctx context.Context, list []*shorter) error {
	results, err := k.run(ctx, sources(list), list, trial.ExecOptions{Stdout: true})
	if err != nil {
		return err
	}
	for i, s := range list {
		r := results[i]
		if r.Outcome != trial.Assertion {
			s.done = true
			continue
		}
		s.shown, s.Line = r.Stdout, r.Assertion.Line
		if v := Values(r.Stdout); len(v) > 0 {
			s.Values = v
		}
	}
	good, err := k.same(ctx, sources(list), list)
	for i, s := range list {
		s.done = s.done || err == nil && !good[i]
	}
	return err
}

// round takes statements out: first tries each alone, then all together that can go alone, then
// one after another what is left of them.
func (k *Keeper) round(ctx context.Context, list []*shorter) error {
	var tried []string
	var of []*shorter
	for _, s := range list {
		for _, p := range s.where {
			if !s.done {
				tried, of = append(tried, s.program.Source[:p.begin]+s.program.Source[p.end:]), append(of, s)
			}
		}
	}
	alone, err := k.alike(ctx, tried, of)
	if err != nil {
		return err
	}
	n := 0
	var open []*shorter
	for _, s := range list {
		if s.done {
			continue
		}
		var may []part
		for _, p := range s.where {
			if alone[n] {
				may = append(may, p)
			}
			n++
		}
		if s.where = may; len(may) == 0 {
			s.done = true
			continue
		}
		open = append(open, s)
	}
	for len(open) > 0 {
		texts := make([]string, len(open))
		for i, s := range open {
			texts[i] = without(s.program.Source, s.where)
		}
		good, err := k.same(ctx, texts, open)
		if err != nil {
			return err
		}
		var next []*shorter
		for i, s := range open {
			switch {
			case good[i]:
				s.program.Source = texts[i]
			case len(s.where) == 1:
				s.done = true // it can go by itself only as it is, not with other memory or sanitizers
			default: // the first half; the rest is tried in the next round
				s.where = s.where[:len(s.where)/2]
				next = append(next, s)
			}
		}
		open = next
	}
	return nil
}

// without takes parts out of a text.
func without(text string, parts []part) string {
	var b strings.Builder
	at := 0
	for _, p := range parts {
		b.WriteString(text[at:p.begin])
		at = p.end
	}
	return b.String() + text[at:]
}

// ways are how a program must fail to be the same.
var ways = []trial.ExecOptions{{Stdout: true}, {Stdout: true, Perturb: true}, {Stdout: true, Sanitize: true}}

// same reports which texts fail as their suspicions do, in every way.
func (k *Keeper) same(ctx context.Context, texts []string, of []*shorter) ([]bool, error) {
	good := slices.Repeat([]bool{true}, len(texts))
	for _, o := range ways {
		results, err := k.run(ctx, texts, of, o)
		if err != nil {
			return nil, err
		}
		for i, r := range results {
			good[i] = good[i] && alike(r, of[i])
		}
	}
	return good, nil
}

// alike reports which texts fail as their suspicions do, as the programs are.
func (k *Keeper) alike(ctx context.Context, texts []string, of []*shorter) ([]bool, error) {
	results, err := k.run(ctx, texts, of, ways[0])
	good := make([]bool, len(results))
	for i, r := range results {
		good[i] = alike(r, of[i])
	}
	return good, err
}

func alike(r trial.Result, s *shorter) bool {
	return r.Outcome == trial.Assertion && squeezed(r.Assertion.Expr) == squeezed(s.Assertion) && r.Stdout == s.shown
}

// squeezed is text without blanks, which the preprocessor writes as it likes.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

func sources(list []*shorter) []string {
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = s.program.Source
	}
	return texts
}

// run runs texts, each in place of a suspicion's program.
func (k *Keeper) run(ctx context.Context, texts []string, of []*shorter, o trial.ExecOptions) ([]trial.Result, error) {
	programs := make([]trial.Program, len(texts))
	for i, text := range texts {
		programs[i] = trial.Program{ID: fmt.Sprintf("%s-%d", of[i].ID, i), Lang: of[i].program.Lang, Source: text}
	}
	return trial.Execute(ctx, k.job.Exec, programs, o)
}

// read finds the tests of the programs, their statements before the assertion, and its line.
func (k *Keeper) read(ctx context.Context, list []*shorter) error {
	units := make([]toolchain.Unit, len(list))
	for i, s := range list {
		units[i] = toolchain.Unit{ID: s.ID, Lang: s.program.Lang, Source: s.program.Source}
	}
	t := k.job.Target
	read, err := k.compiler.Read(ctx, filepath.Join(k.job.Dir, "syntax"), toolchain.Flags{IncludeDirs: t.IncludeDirs, Defines: t.Defines}, units)
	if err != nil {
		return err
	}
	for i, s := range list {
		s.where, s.tests = nil, nil
		p, err := read[i].Program()
		if err != nil {
			return err
		}
		if s.done = !read[i].OK || p.Unreadable; !s.done {
			s.outline(p)
		}
	}
	return nil
}

// outline notes the names of the tests, and the statements of the one that holds the assertion.
func (s *shorter) outline(p *cprog.Program) {
	if p.Main() != nil {
		return
	}
	for _, f := range p.Tests() {
		s.tests = append(s.tests, f.Decl.Name)
		if f.Node == nil || f.Node.Body() == nil {
			continue
		}
		body := f.Node.Body()
		parts := statements(body)
		for i, n := range body.Inner {
			if i < len(parts) && s.holds(n) {
				s.Line = int(n.Begin.Line)
				s.where = unrelated(s.program.Source, body.Inner[:i+1], parts[:i+1])
				if i+1 < len(parts) { // what is never reached goes in one piece
					s.where = append(s.where, part{parts[i+1].begin, parts[len(parts)-1].end})
				}
				break
			}
		}
	}
}

// unrelated are the statements before the last, the assertion, that have nothing to do with it: they
// mention no variable that is linked with its own by statements. Without the call that stored a value, a program
// may well fail with the same values, but would say nothing. What only checks or prints may go.
func unrelated(source string, body []*cprog.Node, parts []part) []part {
	locals := map[string]bool{}
	for _, n := range body {
		for in := range n.All() {
			if in.Kind == "VarDecl" {
				locals[in.Name] = true
			}
		}
	}
	text := func(i int) string { return source[parts[i].begin:parts[i].end] }
	last := len(parts) - 1
	linked := variables(text(last), locals)
	for grown := true; grown; {
		grown = false
		for i := range last {
			if own := variables(text(i), locals); !idle(text(i)) && meets(own, linked) {
				for name := range own {
					grown = grown || !linked[name]
					linked[name] = true
				}
			}
		}
	}
	var free []part
	for i := range last {
		if idle(text(i)) || !meets(variables(text(i), locals), linked) {
			free = append(free, parts[i])
		}
	}
	return free
}

// idle reports whether a statement only checks, prints or throws a value away.
func idle(statement string) bool {
	return strings.HasPrefix(statement, "assert(") || strings.HasPrefix(statement, "printf(") || strings.HasPrefix(statement, "fflush(") || strings.HasPrefix(statement, "(void)")
}

// variables are the local variables that a text names.
func variables(text string, locals map[string]bool) map[string]bool {
	names := map[string]bool{}
	for t := range clex.Tokens(text) {
		if t.Kind == clex.Word && locals[t.Text] {
			names[t.Text] = true
		}
	}
	return names
}

func meets(a, b map[string]bool) bool {
	for name := range a {
		if b[name] {
			return true
		}
	}
	return false
}

// holds reports whether a statement is the suspicion's assertion.
func (s *shorter) holds(n *cprog.Node) bool {
	at := int(n.Begin.Offset)
	rest, found := strings.CutPrefix(s.program.Source[at:], "assert")
	return found && strings.HasPrefix(squeezed(rest), "("+squeezed(s.Assertion)+")")
}

// statements are the parts of a block; nil if their places are not all known.
func statements(body *cprog.Node) []part {
	var parts []part
	for i, n := range body.Inner {
		if n.Begin.File != cprog.Main {
			return nil
		}
		end := body.End
		if i+1 < len(body.Inner) {
			end = body.Inner[i+1].Begin
		}
		if end.File != cprog.Main || end.Offset < n.Begin.Offset {
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
