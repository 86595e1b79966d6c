package smt

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// Symbol returns a name as an SMT-LIB quoted symbol. What must not stand between the bars is
// written as \xHH, so that different names stay different.
func Symbol(name string) string {
	var b strings.Builder
	b.WriteByte('|')
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '|' || c == '\\' || c < ' ' || c > '~':
			// The backslash may not stand between bars either; $x is not produced by the rest
			// because $ is written so too.
			fmt.Fprintf(&b, "$%02x", c)
		case c == '$':
			b.WriteString("$24")
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('|')
	return b.String()
}

// Symbols calls visit for each quoted symbol in an expression, bars included, in order and
// with repetitions.
func Symbols(expr string, visit func(symbol string)) {
	for {
		from := strings.IndexByte(expr, '|')
		if from < 0 {
			return
		}
		to := strings.IndexByte(expr[from+1:], '|')
		if to < 0 {
			return
		}
		visit(expr[from : from+to+2])
		expr = expr[from+to+2:]
	}
}

// BitVec returns the low bits of v, 1 to 64 of them, as a literal.
func BitVec(v uint64, bits int) string {
	if bits < 64 {
		v &= 1<<bits - 1
	}
	if bits%4 == 0 {
		return fmt.Sprintf("#x%0*x", bits/4, v)
	}
	return fmt.Sprintf("#b%0*b", bits, v)
}

// Float64 and Float32 return a number as a literal of the sort of that width (IEEE 754
// binary64 and binary32: sign, exponent, fraction).
func Float64(x float64) string {
	b := math.Float64bits(x)
	return fmt.Sprintf("(fp %s %s %s)", BitVec(b>>63, 1), BitVec(b>>52, 11), BitVec(b, 52))
}

// Float32 is Float64 for the narrower sort.
func Float32(x float32) string {
	b := uint64(math.Float32bits(x))
	return fmt.Sprintf("(fp %s %s %s)", BitVec(b>>31, 1), BitVec(b>>23, 8), BitVec(b, 23))
}

var errUnbalanced = errors.New("is not one balanced expression")

// check returns an error unless text is one atom or one balanced list, in the lexicon of
// SMT-LIB: strings in double quotes, symbols between bars, no comments.
func check(text string) error {
	depth, done, atom := 0, false, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == ' ' || c == '\n' || c == '\t' || c == ')' {
			if atom && depth == 0 {
				done = true
			}
			atom = false
		} else if done {
			return errUnbalanced
		}
		switch {
		case c == '(':
			if atom && depth == 0 {
				return errUnbalanced
			}
			depth++
			atom = false
		case c == ')':
			if depth--; depth < 0 {
				return errUnbalanced
			}
			done = depth == 0
		case c == '|' || c == '"':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				return errUnbalanced
			}
			i += end + 1
			atom = true
		case c == ';' || c >= 0x7f || c < ' ' && c != '\n' && c != '\t':
			return errUnbalanced
		case c != ' ' && c != '\n' && c != '\t':
			atom = true
		}
	}
	if depth != 0 || !done && !atom {
		return errUnbalanced
	}
	return nil
}
