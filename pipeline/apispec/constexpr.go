package apispec

import (
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/code/clex"
)

// An evaluator computes the integer constant expressions of macros: literals, enumerators,
// other macros, casts to integer types, and C's operators. Everything else has no value.
type evaluator struct {
	macros      map[string]*macroDef
	enumerators map[string]int64
	lookup      func(typedef string) *Type
}

// maxExpansion bounds the nesting of expressions and macros, which may be recursive.
const maxExpansion = 100

// integer evaluates an expression.
func (e *evaluator) integer(expr string) (int64, bool) { return e.evaluate(expr, 0) }

// text evaluates a sequence of string literals.
func (e *evaluator) text(expr string) (string, bool) {
	tokens := lexC(expr)
	if len(tokens) == 0 {
		return "", false
	}
	var sb strings.Builder
	for _, tok := range tokens {
		if !strings.HasPrefix(tok, `"`) {
			return "", false
		}
		s, err := strconv.Unquote(tok)
		if err != nil {
			return "", false
		}
		sb.WriteString(s)
	}
	return sb.String(), true
}

func (e *evaluator) evaluate(expr string, depth int) (int64, bool) {
	if depth > maxExpansion {
		return 0, false
	}
	p := &exprParser{evaluator: e, tokens: tokens{list: lexC(expr)}, depth: depth}
	v, ok := p.binary(0)
	return v, ok && p.pos == len(p.list)
}

type exprParser struct {
	*evaluator
	tokens
	depth int
}

// precedence lists binary operators from the loosest.
var precedence = map[string]int{
	"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
	"<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}

func (p *exprParser) binary(loosest int) (int64, bool) {
	left, ok := p.unary()
	for ok {
		op := p.peek()
		prec := precedence[op]
		if prec == 0 || prec <= loosest {
			break
		}
		p.pos++
		var right int64
		if right, ok = p.binary(prec); ok {
			left, ok = apply(op, left, right)
		}
	}
	return left, ok
}

func apply(op string, a, b int64) (int64, bool) {
	truth := func(v bool) (int64, bool) {
		if v {
			return 1, true
		}
		return 0, true
	}
	switch op {
	case "||":
		return truth(a != 0 || b != 0)
	case "&&":
		return truth(a != 0 && b != 0)
	case "==":
		return truth(a == b)
	case "!=":
		return truth(a != b)
	case "<":
		return truth(a < b)
	case ">":
		return truth(a > b)
	case "<=":
		return truth(a <= b)
	case ">=":
		return truth(a >= b)
	case "|":
		return a | b, true
	case "^":
		return a ^ b, true
	case "&":
		return a & b, true
	case "+":
		return a + b, true
	case "-":
		return a - b, true
	case "*":
		return a * b, true
	case "<<", ">>":
		if b < 0 || b > 63 {
			return 0, false
		}
		if op == "<<" {
			return a << b, true
		}
		return a >> b, true
	}
	if b == 0 {
		return 0, false
	}
	if op == "/" {
		return a / b, true
	}
	return a % b, true
}

func (p *exprParser) unary() (int64, bool) {
	if p.depth++; p.depth > maxExpansion {
		return 0, false
	}
	defer func() { p.depth-- }()
	tok := p.peek()
	p.pos++
	switch tok {
	case "":
		return 0, false
	case "+":
		return p.unary()
	case "-":
		v, ok := p.unary()
		return -v, ok
	case "~":
		v, ok := p.unary()
		return ^v, ok
	case "!":
		v, ok := p.unary()
		if v == 0 {
			return 1, ok
		}
		return 0, ok
	case "(":
		if t := p.castType(); t != nil {
			v, ok := p.unary()
			return truncate(v, t), ok
		}
		v, ok := p.binary(0)
		return v, p.accept(")") && ok
	}
	return p.primary(tok)
}

// castType consumes `type)` after an opening parenthesis and returns the integer type,
// or consumes nothing and returns nil.
func (p *exprParser) castType() *Type {
	end := p.pos
	for end < len(p.list) && clex.WordByte(p.list[end][0]) {
		end++
	}
	if end == p.pos || end >= len(p.list) || p.list[end] != ")" {
		return nil
	}
	t, err := parseType(strings.Join(p.list[p.pos:end], " "), p.lookup)
	if err != nil || t.Kind != Int {
		return nil
	}
	p.pos = end + 1
	return t
}

func truncate(v int64, t *Type) int64 {
	if t.Bits >= 64 || t.Bits == 0 {
		return v
	}
	shift := 64 - t.Bits
	if t.Signed {
		return v << shift >> shift
	}
	return int64(uint64(v) << shift >> shift)
}

func (p *exprParser) primary(tok string) (int64, bool) {
	if c := tok[0]; c >= '0' && c <= '9' {
		return integerLiteral(tok)
	}
	if strings.HasPrefix(tok, "'") {
		s, err := strconv.Unquote(tok)
		return int64([]rune(s + "\x00")[0]), err == nil
	}
	if v, ok := p.enumerators[tok]; ok {
		return v, true
	}
	if m := p.macros[tok]; m != nil && !m.isFunc {
		return p.evaluate(m.body, p.depth+1)
	}
	return 0, false
}

func integerLiteral(tok string) (int64, bool) {
	digits := strings.TrimRight(tok, "uUlL")
	if len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '7' {
		digits = "0o" + digits[1:]
	}
	u, err := strconv.ParseUint(digits, 0, 64)
	return int64(u), err == nil && !strings.Contains(digits, "_")
}

// lexC splits a macro body into words, literals and operators. A binary operator of two marks
// is one token.
func lexC(s string) []string {
	var out []string
	end := -1 // of the mark before, if it may begin an operator
	for t := range clex.Tokens(s) {
		n := len(out) - 1
		if t.Kind == clex.Punct && t.Start == end && precedence[out[n]+t.Text] > 0 {
			out[n] += t.Text
			end = -1
			continue
		}
		out = append(out, t.Text)
		if end = -1; t.Kind == clex.Punct {
			end = t.End
		}
	}
	return out
}
