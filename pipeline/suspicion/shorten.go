package suspicion

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Statements are taken out in rounds, for each allows for those that the one before made superfluous: first in few groups
// of neighbours (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002), so that most of
// the rounds run short programs, then one by one.
var groupsOfRound = [...]int{8, 64, single, single, single, single, single, single}

// single says that each statement is a group.
const single = math.MaxInt

// A shorter is one suspicion's program while it is made shorter.
type shorter struct {
	*kept
	shown string   // what it prints: its values
	where []part   // statements of its test that may go
	out   []part   // of them, those that are out
	open  [][]part // groups that may go, not tried yet together with those that are out
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
	for _, groups := range groupsOfRound {
		if !slices.ContainsFunc(list, func(s *shorter) bool { return !s.done }) {
			break
		}
		if err := k.read(ctx, list); err != nil {
			return nil, err
		}
		if err := k.round(ctx, list, groups); err != nil {
			return nil, err
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

// round takes statements out: it tries each group alone, then all together that can go alone. Where these cannot go
// together it tries either half.
func (k *Keeper) round(ctx context.Context, list []*shorter, groups int) error {
	var tried []string
	var of []*shorter
	for _, s := range list {
		if s.open, s.out = nil, nil; s.done {
			continue
		}
		for g := range slices.Chunk(s.where, (len(s.where)-1)/groups+1) {
			s.open = append(s.open, g)
			tried, of = append(tried, without(s.program.Source, g)), append(of, s)
		}
	}
	alone, err := k.alike(ctx, tried, of)
	if err != nil {
		return err
	}
	for _, s := range list {
		n := len(s.open)
		var may []part
		for i, g := range s.open {
			if alone[i] {
				may = append(may, g...)
			}
		}
		if s.open, alone = nil, alone[n:]; len(may) > 0 {
			s.open = [][]part{may}
		}
	}
	for {
		open := slices.DeleteFunc(slices.Clone(list), func(s *shorter) bool { return len(s.open) == 0 })
		if len(open) == 0 {
			break
		}
		if err := k.takeOut(ctx, open); err != nil {
			return err
		}
	}
	for _, s := range list {
		s.done = s.done || groups == single && len(s.out) == 0
		s.program.Source = without(s.program.Source, s.out)
	}
	return nil
}

// takeOut tries the next group of each program together with what is out of it.
func (k *Keeper) takeOut(ctx context.Context, open []*shorter) error {
	texts := make([]string, len(open))
	for i, s := range open {
		texts[i] = without(s.program.Source, merged(s.out, s.open[0]))
	}
	good, err := k.same(ctx, texts, open)
	if err != nil {
		return err
	}
	for i, s := range open {
		g := s.open[0]
		s.open = s.open[1:]
		if good[i] {
			s.out = merged(s.out, g)
		} else if half := len(g) / 2; half > 0 {
			s.open = slices.Insert(s.open, 0, g[:half], g[half:])
		}
	}
	return nil
}

// merged are the parts of both lists, in the order of the text.
func merged(a, b []part) []part {
	return slices.SortedFunc(slices.Values(slices.Concat(a, b)), func(a, b part) int { return cmp.Compare(a.begin, b.begin) })
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
var ways = trial.Ways(trial.ExecOptions{Stdout: true})

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
		if read[i].OK && !p.Unreadable {
			s.outline(p)
		} else {
			s.done = true
		}
	}
	return nil
}

// outline notes the names of the tests, and the statements of the one that holds the assertion.
func (s *shorter) outline(p *cprog.Program) {
	if p.Main() != nil {
		return
	}
	shared := map[string]bool{}
	for _, n := range p.Tree {
		if n.Kind == "VarDecl" && n.Type != nil && !strings.HasPrefix(n.Type.Spelling, "const ") {
			shared[n.Name] = true
		}
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
				s.where = unrelated(s.program.Source, shared, body.Inner[:i+1], parts[:i+1])
				if i+1 < len(parts) { // what is never reached goes in one piece
					s.where = append(s.where, part{parts[i+1].begin, parts[len(parts)-1].end})
				}
				break
			}
		}
	}
}

// unrelated are the statements before the last, the assertion, that have nothing to do with it: they
// mention no variable, local or shared, that is linked with its own by statements. Without the call that stored a value, a program
// may well fail with the same values, but would say nothing. What only checks or prints may go.
func unrelated(source string, shared map[string]bool, body []*cprog.Node, parts []part) []part {
	known := maps.Clone(shared)
	for _, n := range body {
		for in := range n.All() {
			if in.Kind == "VarDecl" {
				known[in.Name] = true
			}
		}
	}
	text := func(i int) string { return source[parts[i].begin:parts[i].end] }
	last := len(parts) - 1
	linked := variables(text(last), known)
	for grown := true; grown; {
		grown = false
		for i := range last {
			if own := variables(text(i), known); !idle(text(i)) && meets(own, linked) {
				for name := range own {
					grown = grown || !linked[name]
					linked[name] = true
				}
			}
		}
	}
	var free []part
	for i := range last {
		if idle(text(i)) || !meets(variables(text(i), known), linked) {
			free = append(free, parts[i])
		}
	}
	return free
}

// idle reports whether a statement only checks, prints or throws a value away.
func idle(statement string) bool {
	return strings.HasPrefix(statement, "assert(") || strings.HasPrefix(statement, "printf(") || strings.HasPrefix(statement, "fflush(") || strings.HasPrefix(statement, "(void)")
}

// variables are those of the known ones that a text names.
func variables(text string, known map[string]bool) map[string]bool {
	names := map[string]bool{}
	for t := range clex.Tokens(text) {
		if t.Kind == clex.Word && known[t.Text] {
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
