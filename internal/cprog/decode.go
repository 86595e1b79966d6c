package cprog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// magic begins a reading. The other half is internal/plugin/native/reading.cc, which describes the format.
const magic = "lisa-bench reading 3\n"

// maxDepth is more levels of nodes and types, one in another, than the writer's.
const maxDepth = 4000

// errFormat is the error for what is no reading, or not whole.
var errFormat = errors.New("not a reading of a program")

// Decode reads what our plugin of clang wrote of one program. The error wraps errFormat.
func Decode(text []byte) (*Program, error) {
	rest, found := strings.CutPrefix(string(text), magic)
	if !found {
		return nil, fmt.Errorf("%w: another version, or none", errFormat)
	}
	d := &decoder{rest: rest, strings: []string{""}, program: &Program{}}
	if d.program.Unreadable = d.number() != 0; !d.program.Unreadable {
		d.program.Tree = d.children()
	}
	if d.failed || len(d.rest) > 0 {
		return nil, fmt.Errorf("%w: broken %d bytes before its end", errFormat, len(d.rest))
	}
	for _, f := range d.program.Functions {
		for _, in := range f.Node.Inner {
			f.name(in)
		}
	}
	return d.program, nil
}

// A decoder reads one program. After a failure all reads return zero values.
type decoder struct {
	rest    string
	failed  bool
	depth   int
	program *Program
	strings []string
	types   []*Type
	records []*Record
	decls   []*Decl
	places  []*Place
}

func (d *decoder) fail() { d.failed, d.rest = true, "" }

func (d *decoder) number() uint64 {
	v, n := binary.Uvarint([]byte(d.rest[:min(len(d.rest), binary.MaxVarintLen64)]))
	if n <= 0 {
		d.fail()
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

// small reads a number that fits 31 bits.
func (d *decoder) small() int {
	v := d.number()
	if v > math.MaxInt32 {
		d.fail()
		return 0
	}
	return int(v)
}

func (d *decoder) text() string {
	i := d.small()
	if i < len(d.strings) {
		return d.strings[i]
	}
	n := d.small()
	if i > len(d.strings) || n > len(d.rest) {
		d.fail()
		return ""
	}
	s := d.rest[:n]
	d.rest = d.rest[n:]
	d.strings = append(d.strings, s)
	return s
}

// refer reads a reference to one of the known, or to a new one, which read fills in; nil is none.
func refer[T any](d *decoder, known *[]*T, read func(*T)) *T {
	i := d.small()
	switch {
	case i == 0:
		return nil
	case i <= len(*known):
		return (*known)[i-1]
	case i > len(*known)+1 || d.depth > maxDepth:
		d.fail()
		return nil
	}
	v := new(T)
	*known = append(*known, v)
	d.depth++
	read(v)
	d.depth--
	return v
}

func (d *decoder) typ() *Type { return refer(d, &d.types, d.readType) }

func (d *decoder) readType(t *Type) {
	t.Kind = TypeKind(d.small())
	flags := d.number()
	t.Signed, t.Const = flags&1 != 0, flags&2 != 0
	t.Spelling, t.Desugared = d.text(), d.text()
	if t.Same = d.typ(); t.Same == nil {
		t.Same = t
	}
	t.Bits, t.Size = d.small(), int64(d.number())-1
	t.Elem, t.Record = d.typ(), d.record()
	switch t.Kind {
	case Enum, Pointer, Reference, Array, FunctionType:
		if t.Elem == nil {
			d.fail()
		}
	}
}

func (d *decoder) record() *Record {
	return refer(d, &d.records, func(r *Record) {
		r.Name = d.text()
		for d.number() != 0 {
			r.Fields = append(r.Fields, Field{Name: d.text(), Offset: d.small(), Bits: d.small()})
		}
	})
}

func (d *decoder) decl() *Decl {
	return refer(d, &d.decls, func(e *Decl) {
		e.Kind, e.Name, e.Qualified, e.Mangled = d.text(), d.text(), d.text(), d.text()
		e.Type, e.Instance, e.Class, e.Params = d.typ(), d.number() != 0, d.record(), d.small()
	})
}

// place reads a node's first or last token.
func (d *decoder) place() Place {
	p := refer(d, &d.places, func(p *Place) {
		p.File, p.Offset, p.Len = d.token()
		p.Line = int32(d.small())
		var m Macro
		if m.File, m.Offset, m.Len = d.token(); m.File != NoFile {
			p.Macro = &m
		}
	})
	if p == nil {
		return Place{}
	}
	return *p
}

// token reads where a token is; NoFile stands alone.
func (d *decoder) token() (f File, offset, length int32) {
	if f = File(d.small()); f == NoFile {
		return f, 0, 0
	}
	return f, int32(d.small()), int32(d.small())
}

// children reads nodes up to the end of their parent.
func (d *decoder) children() []*Node {
	if d.depth++; d.depth > maxDepth {
		d.fail()
	}
	var list []*Node
	for d.number() != 0 {
		n := &Node{Kind: d.text(), Flags: Flags(d.number())}
		n.Type, n.Arg, n.Decl = d.typ(), d.typ(), d.decl()
		n.Name, n.Op, n.Text, n.Storage, n.Init = d.text(), d.text(), d.text(), d.text(), d.text()
		n.Begin, n.End = d.place(), d.place()
		if n.Is(defines) && n.Decl != nil {
			n.Decl.Function = &Function{Decl: n.Decl, Node: n, FirstLine: int(n.Begin.Line), LastLine: int(n.End.Line), ReturnsInt: n.Is(returnsInt)}
			d.program.Functions = append(d.program.Functions, n.Decl.Function)
		}
		n.Inner = d.children()
		if d.number() != 0 {
			n.Flags |= Constant
			n.Value = d.number()
		}
		list = append(list, n)
	}
	d.depth--
	return list
}

// name adds the functions that are named at n and below, but for operands that are never evaluated.
func (f *Function) name(n *Node) {
	switch n.Kind {
	case "UnaryExprOrTypeTraitExpr", "CXXTypeidExpr", "CXXNoexceptExpr":
		return
	}
	if n.Decl != nil && n.Decl.Function != nil && !strings.HasSuffix(n.Kind, "Decl") && !slices.Contains(f.Calls, n.Decl.Function) {
		f.Calls = append(f.Calls, n.Decl.Function)
	}
	for _, in := range n.Inner {
		f.name(in)
	}
}
