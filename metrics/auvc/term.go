package auvc

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// A kind sorts values by how they are computed with.
type kind byte

const (
	number  kind = iota // integers and truth values
	address             // pointers, and where arrays and functions are
	float
	text  // the value of a C string or of a class that holds one text
	other // records, of which only equality is known
)

// A shape is what a term's values are.
type shape struct {
	kind   kind
	bits   int
	signed bool
}

var (
	intShape     = shape{number, 32, true}
	sizeShape    = shape{number, 64, false}
	byteShape    = shape{number, 8, false}
	addressShape = shape{address, 64, false}
	textShape    = shape{kind: text}
	otherShape   = shape{kind: other}
)

// shapeOf returns the shape of a type's values.
func shapeOf(t *cprog.Type) shape {
	switch {
	case t.Kind == cprog.Bool:
		return shape{number, 1, false}
	case isInteger(t) && t.Bits > 0:
		return shape{number, min(t.Bits, 64), signed(t)}
	case t.Kind == cprog.Float:
		return shape{float, t.Bits, true}
	case isPointer(t) || t.Kind == cprog.Array || t.Kind == cprog.FunctionType:
		return addressShape
	case stringLike(t):
		return textShape
	case isRecord(t):
		return otherShape
	}
	return sizeShape
}

// A term is a value that a program computes, or what an object holds, as a function of unknowns.
// Two terms of one table are the same pointer if they are written alike.
type term struct {
	id    int
	op    string // of C, of a function that is known (known.go), or one of those below
	name  string // of what is unknown
	shape shape
	args  []*term
	value val // of a constant
	depth int // of a memory: changes since nothing was known of it
}

// The operations beside those of C.
const (
	constant = "constant"
	unknown  = "unknown" // a function of args of which nothing is known
	cast     = "cast"    // to the term's shape
	read     = "read"    // memory, address, start of the array (for characters)
	textAt   = "text"    // as read: the C string there
	slice    = "slice"   // as read, and a number of bytes: these
	content  = "content" // memory, address: all that is there

	// What objects hold:
	anything = "anything" // not known
	zeroed   = "zeroed"
	literal  = "literal" // the text of a string literal, its address
	held     = "held"    // a value without structure, the object's address
	stored   = "stored"  // memory, address, value
)

// A table holds the terms of one program.
type table struct {
	terms  map[string]*term
	all    []*term
	serial int
}

// next numbers versions; no two are alike.
func (t *table) next() int { t.serial++; return t.serial }

// keep returns the term like n that there is already, or n.
func (t *table) keep(n term) *term {
	var key strings.Builder
	fmt.Fprintf(&key, "%s|%q|%v|%d|%x|%q", n.op, n.name, n.shape, n.value.n, n.value.f, n.value.s)
	for _, a := range n.args {
		fmt.Fprintf(&key, ",%d", a.id)
		n.depth = max(n.depth, a.depth)
	}
	if old, ok := t.terms[key.String()]; ok {
		return old
	}
	if n.op == stored {
		n.depth++
	}
	n.id = len(t.all)
	t.all = append(t.all, &n)
	t.terms[key.String()] = &n
	return &n
}

func (t *table) constant(v val, s shape) *term { return t.keep(term{op: constant, shape: s, value: v}) }

func (t *table) num(v int64, s shape) *term { return t.constant(val{n: uint64(v)}, s) }

// unknown is a function of which nothing is known but the shape of its result.
func (t *table) unknown(name string, s shape, args ...*term) *term {
	return t.keep(term{op: unknown, name: name, shape: s, args: args})
}

// make applies an operation whose result is known where its operands are.
func (t *table) make(op string, s shape, args ...*term) *term {
	known := true
	var values []val
	for _, a := range args {
		known = known && a.op == constant
		values = append(values, a.value)
	}
	if known {
		if v := apply(op, s, args, values); !v.undefined {
			return t.constant(v, s)
		}
	}
	return t.keep(term{op: op, shape: s, args: args})
}

func (n *term) isConstant() bool { return n.op == constant }

func (n *term) isNull() bool { return n.op == constant && n.shape.kind != float && n.value.n == 0 }

// add is a + k for an address.
func (t *table) add(a *term, k int64) *term {
	base, offset := split(a)
	switch offset += k; {
	case base == nil:
		return t.num(offset, addressShape)
	case offset == 0:
		return base
	}
	return t.make("+", addressShape, base, t.num(offset, addressShape))
}

// split takes the constant off an address; base is nil if nothing else is left.
func split(a *term) (base *term, offset int64) {
	switch {
	case a.isConstant():
		return nil, int64(a.value.n)
	case a.op == "+" && a.args[1].isConstant():
		return a.args[0], int64(a.args[1].value.n)
	}
	return a, 0
}

// truth is the condition that a value is not 0.
func (t *table) truth(n *term) *term {
	switch n.op {
	case "==", "!=", "<", "<=", "!", "&&", "||":
		return n
	}
	return t.make("!=", intShape, n, t.constant(val{}, n.shape))
}

func (t *table) not(c *term) *term {
	if c.op == "!" {
		return c.args[0]
	}
	return t.make("!", intShape, c)
}

func (t *table) and(a, b *term) *term {
	switch {
	case a == b || a.isConstant() && !a.isNull() || b.isNull():
		return b
	case b.isConstant() || a.isNull():
		return a
	}
	return t.make("&&", intShape, a, b)
}

// choose is a where c holds, and b elsewhere: of values or of memories.
func (t *table) choose(c, a, b *term) *term {
	switch {
	case a == b || c.isConstant() && !c.isNull():
		return a
	case c.isNull():
		return b
	}
	return t.keep(term{op: "?:", shape: a.shape, args: []*term{c, a, b}})
}
