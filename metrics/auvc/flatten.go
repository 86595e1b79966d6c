package auvc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/smt"
)

// maxCongruences bounds what flatten adds to a query.
const maxCongruences = 500

// flatten replaces the applications of uninterpreted functions by constants, and says of each
// two of one function that equal arguments give equal results (Ackermann's reduction; Kroening
// and Strichman, Decision Procedures, 2016, section 4.2). What remains is floating point and
// bit vectors, for which the solver has a much faster way. ok is false where that would take
// too much.
func flatten(formulas []string) (flat []string, ok bool) {
	f := flattener{constants: map[string]string{}, byFunction: map[string][]application{}}
	for _, text := range formulas {
		out, rest := f.expr(text)
		if strings.TrimSpace(rest) != "" {
			return nil, false
		}
		flat = append(flat, out)
	}
	return slices.Concat(flat, f.congruences), len(f.congruences) <= maxCongruences
}

type application struct {
	constant string
	args     []string
}

type flattener struct {
	constants   map[string]string // by application, flattened
	byFunction  map[string][]application
	congruences []string
}

// expr flattens the expression at the beginning of text and returns what follows it.
func (f *flattener) expr(text string) (flat, rest string) {
	text = strings.TrimLeft(text, " ")
	if !strings.HasPrefix(text, "(") {
		end := strings.IndexAny(text, " )")
		if strings.HasPrefix(text, "|") {
			end = strings.IndexByte(text[1:], '|') + 2
		}
		if end < 0 || end > len(text) {
			end = len(text)
		}
		return text[:end], text[end:]
	}
	var parts []string
	rest = text[1:]
	for {
		rest = strings.TrimLeft(rest, " ")
		if rest == "" {
			return text, ""
		}
		if rest[0] == ')' {
			rest = rest[1:]
			break
		}
		var part string
		part, rest = f.expr(rest)
		if part == "" {
			return text, rest
		}
		parts = append(parts, part)
	}
	flat = "(" + strings.Join(parts, " ") + ")"
	if len(parts) < 2 || !strings.HasPrefix(parts[0], "|") {
		return flat, rest
	}
	return f.constant(flat, parts[0], parts[1:]), rest
}

// constant stands for an application.
func (f *flattener) constant(flat, function string, args []string) string {
	if c, ok := f.constants[flat]; ok {
		return c
	}
	result := function[strings.LastIndexByte(function, '>')+1:]
	c := smt.Symbol(fmt.Sprintf("application %d:>%s", len(f.constants), strings.TrimSuffix(result, "|")))
	f.constants[flat] = c
	for _, other := range f.byFunction[function] {
		if len(other.args) != len(args) || len(f.congruences) > maxCongruences {
			continue
		}
		equal := []string{"true"}
		for i, a := range args {
			equal = append(equal, fmt.Sprintf("(= %s %s)", a, other.args[i]))
		}
		f.congruences = append(f.congruences, fmt.Sprintf("(=> (and %s) (= %s %s))", strings.Join(equal, " "), c, other.constant))
	}
	f.byFunction[function] = append(f.byFunction[function], application{constant: c, args: args})
	return c
}
