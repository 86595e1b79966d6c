package invariant

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
	"github.com/lisa-bench/lisa-bench/pipeline/straightline"
)

// A program is a seed on its way to a finished test.
type program struct {
	seed  sequence.Seed
	test  trial.Program // that goes into the suite
	unit  string        // its name for the compiler, the same for every version
	base  *reading      // of the seed with the includes of assertions; nil if it does not compile
	parts split
	ready bool     // a valid seed: it may get assertions
	done  []string // chunks that are through, in order, with their assertions
	final *attempt // the latest version that was accepted; nil before the first

	last     *attempt                    // the latest version of the next chunk; nil before the first
	suspects map[string]*trial.Suspicion // assertions of the next chunk that failed, by their condition
	shown    bool                        // a prompt about the next chunk showed values
	late     map[string]bool             // conditions of the next chunk: whether they were first written after that
	mended   map[string]bool             // conditions of accepted chunks that were
	reached  []int                       // mutants that it comes to, where they are the feedback
}

// An attempt is one version of a chunk in its program, and what was found of it.
type attempt struct {
	program    *program
	text       string // of the chunk
	source     string // of the program: accepted chunks, this one, and the rest as it was
	assertions []assertion
	valid      bool // its plain runs passed
	failure    *failure
	shortened  bool // failing assertions were taken out after the last repair
}

// withoutFailing is the version without the assertion that fails; nil if none does, or if it is not
// in this chunk.
func (a *attempt) withoutFailing() *attempt {
	if a.failure.assertion == nil {
		return nil
	}
	d, from := *a.failure.assertion, len(a.program.prefix())
	d.begin, d.end = d.begin-from, d.end-from
	if d.begin < 0 || d.end > len(a.text) {
		return nil
	}
	shorter := a.program.attempt(without(a.text, d))
	shorter.shortened = true
	return shorter
}

// active reports whether there is a chunk to ask for.
func (p *program) active() bool { return p.ready && len(p.done) < len(p.parts.chunks) }

// chunk is the one that is worked on.
func (p *program) chunk() chunk { return p.parts.chunks[len(p.done)] }

// prefix is the program up to the next chunk.
func (p *program) prefix() string { return p.parts.head + strings.Join(p.done, "") }

// attempt makes one of a new text of the next chunk.
func (p *program) attempt(text string) *attempt {
	source := p.prefix() + text
	for _, c := range p.parts.chunks[min(len(p.done)+1, len(p.parts.chunks)):] {
		source += c.raw
	}
	return &attempt{program: p, text: text, source: source + p.parts.tail}
}

// current is the program as far as it is accepted.
func (p *program) current() *attempt {
	if p.active() {
		return p.attempt(p.chunk().raw)
	}
	return p.attempt("")
}

// assertions are those of the latest accepted version.
func (p *program) assertions() []assertion {
	if p.final == nil {
		return nil
	}
	return p.final.assertions
}

// An assertion that was written after a prompt had shown what the reference build returned may be
// argued from documents, and may be that value: nobody can tell. So it is no specification, but of a
// class of its own (trial.OracleRepaired). What was written before keeps its class, whatever else
// of its chunk is repaired.

// written notes the assertions of a new version of the next chunk.
func (p *program) written(text string) {
	if p.late == nil {
		p.late, p.mended = map[string]bool{}, map[string]bool{}
	}
	for _, a := range assertionsIn(text) {
		if _, known := p.late[squeezed(a.condition)]; !known {
			p.late[squeezed(a.condition)] = p.shown
		}
	}
}

// accept takes a text of the next chunk; version is the program with it.
func (p *program) accept(text string, version *attempt) {
	for _, a := range assertionsIn(text) {
		if p.late[squeezed(a.condition)] {
			p.mended[squeezed(a.condition)] = true
		}
	}
	clear(p.late)
	p.decide(trial.FateMended)
	p.done, p.final = append(p.done, text), version
	p.last, p.suspects, p.shown = nil, nil, false
}

// isMended reports whether an assertion was written after values were shown. One that is written
// alike in another step counts as well.
func (p *program) isMended(a assertion) bool { return p.mended[squeezed(a.condition)] }

// marked is the finished program with trial.RepairedMark behind its mended assertions. No line moves.
func (p *program) marked() string {
	lines := strings.SplitAfter(p.final.source, "\n")
	for _, a := range p.final.assertions {
		if at := &lines[a.last-1]; p.isMended(a) && !strings.Contains(*at, trial.RepairedMark) {
			*at = strings.TrimRight(*at, "\n") + " // " + trial.RepairedMark + "\n"
		}
	}
	return strings.Join(lines, "")
}

// included are the headers that assertions may use.
var included = []string{"assert.h", "limits.h", "math.h", "stdint.h", "string.h"}

// withIncludes adds the headers that assertions need to a program, after its own includes.
func withIncludes(source string) string {
	end := 0
	missing := slices.Clone(included)
	for _, in := range clex.Includes(source) {
		if in.Depth == 0 {
			end = in.End
		}
		missing = slices.DeleteFunc(missing, func(h string) bool { return h == in.Name })
	}
	head := source[:end]
	if head != "" && !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	for _, h := range missing {
		head += "#include <" + h + ">\n"
	}
	return head + source[end:]
}

// A chunk is a part of a program that is asked for at once.
type chunk struct {
	raw    string
	marker string   // its first line, "" for a whole program
	apis   []string // that it calls, in order of first call
}

// A split is a program in parts: the chunks joined between head and tail are the program.
type split struct {
	head, tail string
	chunks     []chunk
}

var stepMarker = regexp.MustCompile(`(?i)^\s*//\s*STEP\s*(\d{1,4})\b`)

// splitProgram splits a program at its step markers (paper, sec:chunk-inv-gen). One that has not one test with steps
// from 1 on, between its statements, or whose last line holds more than the end of the function, is one chunk; so is
// every one if one is set.
func splitProgram(source string, r straightline.Report, one bool) split {
	all := split{chunks: []chunk{{raw: source, apis: distinct(r.APIs())}}}
	tests := r.Program.Tests()
	if one || len(tests) != 1 {
		return all
	}
	body, lines := tests[0].Node.Body(), strings.SplitAfter(source, "\n")
	between := func(first, last int) string { return strings.Join(lines[first-1:last], "") } // 1-based
	last := int(body.End.Line)
	var starts []int
	for t := range clex.Tokens(source) {
		m := stepMarker.FindStringSubmatch(t.Text)
		if t.Kind != clex.Comment || !t.First || m == nil || t.Line <= int(body.Begin.Line) || t.Line > last {
			continue
		}
		inside := slices.ContainsFunc(body.Inner, func(n *cprog.Node) bool { return int(n.Begin.Line) < t.Line && t.Line <= int(n.End.Line) })
		if number, _ := strconv.Atoi(m[1]); inside || number != len(starts)+1 {
			return all
		}
		starts = append(starts, t.Line)
	}
	if len(starts) == 0 || strings.TrimSpace(between(last, last)) != "}" {
		return all
	}
	s := split{head: between(1, starts[0]-1), tail: between(last, len(lines))}
	for i, next := range append(starts[1:], last) {
		c := chunk{raw: between(starts[i], next-1), marker: strings.TrimSpace(between(starts[i], starts[i]))}
		for _, call := range r.Calls {
			if starts[i] <= call.Line && call.Line < next {
				c.apis = append(c.apis, call.API)
			}
		}
		c.apis = distinct(c.apis)
		s.chunks = append(s.chunks, c)
	}
	return s
}

// distinct leaves the first of each.
func distinct(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// chunkOf cuts a chunk out of an answer that may hold more: from its marker to the next one, or
// to the brace that ends the function. What it cannot find it leaves to the comparison.
func chunkOf(answer string, c chunk) string {
	if c.marker == "" {
		return answer
	}
	number := stepMarker.FindStringSubmatch(c.marker)[1]
	body, inside := "", false
	for line := range strings.Lines(answer) {
		if m := stepMarker.FindStringSubmatch(line); m != nil {
			if inside {
				break
			}
			inside = m[1] == number
		}
		if inside {
			body += line
		}
	}
	if !inside {
		body = c.marker + "\n" + answer
	}
	depth := 0
	for t := range clex.Tokens(body) {
		if t.Text == "{" {
			depth++
		} else if t.Text == "}" {
			depth--
		}
		if depth < 0 {
			body = body[:t.Start]
			break
		}
	}
	return strings.TrimSuffix(body, "\n") + "\n"
}

// maxObservables bounds the variables that a prompt lists.
const maxObservables = 60

// observables are the variables that an assertion at the end of the program's next chunk can read:
// results, what the library wrote through a pointer, and what callbacks kept in variables at file
// scope. Each is told with its type and the calls that it was handed to.
func (p *program) observables() []string {
	if p.base == nil {
		return nil
	}
	end := len(p.parts.head)
	for _, c := range p.parts.chunks[:min(len(p.done)+1, len(p.parts.chunks))] {
		end += len(c.raw)
	}
	var variables []*cprog.Node // that are no constants
	writers := map[*cprog.Decl][]string{}
	variable := func(n *cprog.Node) {
		if n.Kind == "VarDecl" && n.Type != nil && n.Decl != nil && !strings.HasPrefix(n.Type.Spelling, "const ") {
			variables = append(variables, n)
		}
	}
	for _, n := range p.base.Tree {
		if n.Begin.File != cprog.Main {
			continue
		}
		variable(n)
		if n.Kind != "FunctionDecl" || n.Body() == nil {
			continue
		}
		test := strings.HasPrefix(n.Name, "test")
		for _, statement := range n.Body().Inner {
			if test && int(statement.Begin.Offset) >= end {
				break
			}
			if test && statement.Kind == "DeclStmt" {
				for _, v := range statement.Inner {
					variable(v)
				}
			}
			for in := range statement.All() {
				switch {
				case in.Kind == "CallExpr" && in.Decl != nil && len(in.Inner) > 1:
					for _, arg := range in.Inner[1:] {
						if d := storage(arg, false); d != nil && writable(arg) {
							writers[d] = append(writers[d], in.Decl.Name)
						}
					}
				case !test && in.Kind == "BinaryOperator" && in.Op == "=" && in.Inner[0].Kind == "DeclRefExpr":
					writers[in.Inner[0].Decl] = append(writers[in.Inner[0].Decl], n.Name)
				}
			}
		}
	}
	var list []string
	for _, v := range variables[:min(len(variables), maxObservables)] {
		line := fmt.Sprintf("`%s`, %s", v.Name, v.Type.Spelling)
		if by := distinct(writers[v.Decl]); len(by) > 0 {
			line += ": written by " + strings.Join(by, ", ")
		}
		list = append(list, line)
	}
	return list
}
