package auvc

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/smt"
)

// A term is an expression's value as an SMT expression.
type term struct {
	text string
	sort sort
	typ  ctype
	// root is the object that a pointer points into; 0 if none is known. field is the member
	// array that it walks through.
	root  int
	field string
	// given are facts that hold wherever the program goes on: signed arithmetic does not
	// overflow, divisors are not 0 (C17 6.5, 6.5.5, 6.5.7).
	given []string
	// opaque: some part could not be translated and stands as a function of its parts.
	opaque bool
}

func (t term) with(others ...term) term {
	for _, o := range others {
		t.opaque = t.opaque || o.opaque
		for _, g := range o.given {
			if !slices.Contains(t.given, g) {
				t.given = append(slices.Clip(t.given), g)
			}
		}
	}
	return t
}

// under limits the facts of t to where a condition holds.
func (t term) under(condition term) term {
	var given []string
	for _, g := range t.given {
		given = append(given, fmt.Sprintf("(=> %s %s)", condition.text, g))
	}
	t.given = given
	return t
}

// assuming adds a fact.
func (t term) assuming(fact string) term {
	if !slices.Contains(t.given, fact) {
		t.given = append(slices.Clip(t.given), fact)
	}
	return t
}

func truth(text string, from ...term) term {
	return term{text: text, sort: boolSort, typ: intType}.with(from...)
}

func intConst(v uint64, typ ctype) term {
	if typ.bits > 64 {
		return term{text: fmt.Sprintf("((_ zero_extend %d) %s)", typ.bits-64, smt.BitVec(v, 64)), sort: typ.sort(), typ: typ}
	}
	return term{text: smt.BitVec(v, typ.bits), sort: typ.sort(), typ: typ}
}

// zero returns the value of a type whose bytes are all 0; ok is false for records.
func zero(typ ctype) (t term, ok bool) {
	switch typ.kind {
	case boolean:
		return term{text: "false", sort: boolSort, typ: typ}, true
	case integer, pointer:
		return intConst(0, typ), true
	case floating:
		return term{text: strings.Replace(string(typ.sort()), "FloatingPoint", "+zero", 1), sort: typ.sort(), typ: typ}, true
	}
	return term{}, false
}

// not negates a truth value.
func not(t term) term {
	if inner, ok := strings.CutPrefix(t.text, "(not "); ok {
		t.text = strings.TrimSuffix(inner, ")")
		return t
	}
	switch t.text {
	case "true":
		t.text = "false"
	case "false":
		t.text = "true"
	default:
		t.text = "(not " + t.text + ")"
	}
	return t
}

// asTruth compares a value with 0 as a condition does.
func asTruth(t term) term {
	switch {
	case t.sort == boolSort:
		return t
	case t.typ.kind == floating:
		return truth("(not (fp.isZero "+t.text+"))", t)
	case t.sort == objectSort || t.sort == textSort:
		return term{text: "(" + smt.Symbol("true:"+string(t.sort)) + " " + t.text + ")", sort: boolSort, typ: intType, opaque: true}.with(t)
	}
	return not(truth("(= "+t.text+" "+zeroBits(t)+")", t))
}

func zeroBits(t term) string { return fmt.Sprintf("(_ bv0 %d)", width(t.sort)) }

// width returns the bits of a bit-vector sort.
func width(s sort) int {
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(string(s), "(_ BitVec "), ")"))
	if err != nil {
		return 0
	}
	return n
}

// asBits makes a bit-vector of the width of t's type from a truth value, which is 1 or 0.
func asBits(t term) term {
	if t.sort != boolSort {
		return t
	}
	typ := t.typ
	if typ.kind != integer {
		typ = intType
	}
	one, none := intConst(1, typ), intConst(0, typ)
	return term{text: fmt.Sprintf("(ite %s %s %s)", t.text, one.text, none.text), sort: typ.sort(), typ: typ}.with(t)
}

// convert converts a value as C does (C17 6.3.1).
func convert(t term, to ctype) term {
	out := t
	out.typ = to
	switch {
	case to.kind == boolean:
		out = asTruth(t)
		out.typ = to
		return out
	case to.kind == integer && t.sort == boolSort:
		return out // 0 or 1 in any width; asBits makes it one
	case (to.kind == integer || to.kind == pointer) && width(t.sort) > 0:
		return resize(t, to)
	case to.kind == integer && t.typ.kind == floating:
		op := "fp.to_ubv"
		if to.signed {
			op = "fp.to_sbv"
		}
		out.text = fmt.Sprintf("((_ %s %d) RTZ %s)", op, to.bits, t.text)
	case to.kind == pointer && t.sort == boolSort:
		return resize(asBits(t), to)
	case to.kind == floating && t.typ.kind == floating && t.sort != objectSort:
		if t.sort == to.sort() {
			return out
		}
		out.text = fmt.Sprintf("((_ to_fp %s) RNE %s)", fpWidths(to), t.text)
	case to.kind == floating && (t.sort == boolSort || width(t.sort) > 0):
		b := asBits(t)
		op := "to_fp_unsigned"
		if b.typ.signed {
			op = "to_fp"
		}
		out.text = fmt.Sprintf("((_ %s %s) RNE %s)", op, fpWidths(to), b.text)
	default:
		if t.sort == to.sort() {
			return out
		}
		return opaqueTerm("convert:"+string(t.sort), to, t)
	}
	out.sort = to.sort()
	return out
}

func fpWidths(c ctype) string {
	return strings.TrimSuffix(strings.TrimPrefix(string(c.sort()), "(_ FloatingPoint "), ")")
}

// resize extends or cuts a bit-vector; what is extended is what the value's own type says.
func resize(t term, to ctype) term {
	from, bits := width(t.sort), width(to.sort())
	out := t
	out.typ, out.sort = to, to.sort()
	literal, known := constantBits(t.text)
	switch {
	case known && bits <= 64 && from <= 64:
		if t.typ.signed {
			literal = uint64(int64(literal) << (64 - from) >> (64 - from))
		}
		out.text = smt.BitVec(literal, bits)
	case bits > from && t.typ.signed:
		out.text = fmt.Sprintf("((_ sign_extend %d) %s)", bits-from, t.text)
	case bits > from:
		out.text = fmt.Sprintf("((_ zero_extend %d) %s)", bits-from, t.text)
	case bits < from:
		out.text = fmt.Sprintf("((_ extract %d 0) %s)", bits-1, t.text)
	}
	if to.kind != pointer {
		out.root = 0
	}
	return out
}

// opaqueTerm is a value that is a function of its parts and nothing else is known of it.
func opaqueTerm(what string, typ ctype, parts ...term) term {
	t := apply(what, typ.sort(), parts...)
	t.typ, t.opaque = typ, true
	return t
}

// apply applies an uninterpreted function. Its name carries the sorts, so that one name is
// never declared twice.
func apply(name string, result sort, parts ...term) term {
	var args, texts []string
	for _, p := range parts {
		args = append(args, string(p.sort))
		texts = append(texts, p.text)
	}
	symbol := smt.Symbol(fmt.Sprintf("%s:%s>%s", name, strings.Join(args, ","), result))
	text := symbol
	if len(texts) > 0 {
		text = "(" + symbol + " " + strings.Join(texts, " ") + ")"
	}
	return term{text: text, sort: result}.with(parts...)
}

// declaration returns the command that declares a symbol made by apply, from its name.
func declaration(symbol string) string {
	name := strings.Trim(symbol, "|")
	args, result := "", ""
	if i := strings.LastIndexByte(name, '>'); i >= 0 {
		result = name[i+1:]
		name = name[:i]
	}
	// The sorts follow the last colon; sorts hold none.
	args = strings.ReplaceAll(name[strings.LastIndexByte(name, ':')+1:], ",", " ")
	return fmt.Sprintf("(declare-fun %s (%s) %s)", symbol, args, result)
}
