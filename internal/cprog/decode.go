package cprog

import (
	"errors"
	"fmt"
)

// magic begins a reading. The other half is internal/toolchain/native/reading.cc.
const magic = "lisa-bench reading 2\n"

// Bounds of what is decoded; the writer's are the same or stricter.
const (
	maxBytes = 160 << 20
	maxNodes = 1 << 18
	maxDepth = 1000
)

// errFormat is the error for what is no reading, or not whole.
var errFormat = errors.New("not a reading of a program")

// Bits of a node that say what follows it.
const (
	hasType = 1 << iota
	hasArg
	hasDecl
	hasName
	hasOp
	hasText
	hasStorage
	hasInit
)

// Decode reads what our plugin of clang wrote of one program. The error wraps errFormat.
func Decode(text []byte) (*Program, error) {
	if len(text) < len(magic) || string(text[:len(magic)]) != magic || len(text) > maxBytes {
		return nil, fmt.Errorf("%w: another version, or none", errFormat)
	}
	d := &decoder{rest: text[len(magic):], program: &Program{Bytes: len(text)}}
	d.read()
	if d.failed || len(d.rest) > 0 {
		return nil, fmt.Errorf("%w: broken %d bytes before its end", errFormat, len(d.rest))
	}
	d.program.finish()
	return d.program, nil
}

// A decoder reads one program. After a failure all reads return zero values.
type decoder struct {
	rest       []byte
	failed     bool
	program    *Program
	strings    []string
	nodes      []Node // a slab: most of a reading is nodes
	begin, end Place  // of the node before
	file       File   // of the place before
	offset     int64
	line       int64
}

func (d *decoder) fail() { d.failed, d.rest = true, nil }

func (d *decoder) number() uint64 {
	var v uint64
	for i := 0; i < len(d.rest) && i < 10; i++ {
		b := d.rest[i]
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			d.rest = d.rest[i+1:]
			return v
		}
	}
	d.fail()
	return 0
}

func (d *decoder) signed() int64 {
	v := d.number()
	return int64(v>>1) ^ -int64(v&1)
}

// small reads a number that fits 31 bits.
func (d *decoder) small() int {
	v := d.number()
	if v > 1<<31-1 {
		d.fail()
		return 0
	}
	return int(v)
}

// count reads the number of entries, each of which takes a byte or more.
func (d *decoder) count() int {
	n := d.number()
	if n > uint64(len(d.rest)) {
		d.fail()
		return 0
	}
	return int(n)
}

// list makes n entries.
func list[T any](n int) []*T {
	slab, out := make([]T, n), make([]*T, n)
	for i := range slab {
		out[i] = &slab[i]
	}
	return out
}

// at returns the entry that a reference means, or nil for none.
func at[T any](d *decoder, entries []*T) *T {
	i := d.number()
	if i == 0 {
		return nil
	}
	if i > uint64(len(entries)) {
		d.fail()
		return nil
	}
	return entries[i-1]
}

func (d *decoder) text() string {
	i := d.number()
	if i >= uint64(len(d.strings)) {
		d.fail()
		return ""
	}
	return d.strings[i]
}

func (d *decoder) read() {
	p := d.program
	p.Unreadable = d.number() != 0
	strings, files, records, types, decls, functions, nodes := d.count(), d.count(), d.count(), d.count(), d.count(), d.count(), d.count()
	if d.failed || nodes > maxNodes {
		d.fail()
		return
	}
	d.strings = make([]string, strings)
	for i := range d.strings {
		n := d.count()
		d.strings[i] = string(d.rest[:n])
		d.rest = d.rest[n:]
	}
	for range files {
		d.text() // the name of a header
	}
	p.Records, p.Types, p.Decls = list[Record](records), list[Type](types), list[Decl](decls)
	for _, r := range p.Records {
		d.record(r)
	}
	for i, t := range p.Types {
		t.ID = i + 1
		d.typ(t)
	}
	for i, e := range p.Decls {
		e.ID = i + 1
		d.decl(e)
	}
	p.Functions = list[Function](functions)
	for _, f := range p.Functions {
		d.function(f)
	}
	d.nodes = make([]Node, 0, nodes)
	p.Tree = d.children(0)
	if len(d.nodes) != nodes {
		d.fail()
	}
}

func (d *decoder) record(r *Record) {
	r.Name, r.Tag = d.text(), tags[d.small()&3]
	r.Origin, r.Complete = Origin(d.small()), d.number() != 0
	r.Fields = make([]Field, d.count())
	for i := range r.Fields {
		r.Fields[i] = Field{Name: d.text(), Type: at(d, d.program.Types), Offset: d.small(), Bits: max(d.small()-1, 0)}
	}
	r.Bases = d.types()
}

var tags = [4]string{1: "struct", 2: "union", 3: "class"}

func (d *decoder) types() []*Type {
	n := d.count()
	if n == 0 {
		return nil
	}
	out := make([]*Type, n)
	for i := range out {
		out[i] = at(d, d.program.Types)
	}
	return out
}

func (d *decoder) typ(t *Type) {
	t.Kind = TypeKind(d.small())
	flags := d.number()
	t.Signed, t.Const, t.Volatile, t.Variadic, t.NoProto = flags&1 != 0, flags&2 != 0, flags&4 != 0, flags&8 != 0, flags&16 != 0
	t.Spelling, t.Desugared = d.text(), d.text()
	if t.Same = at(d, d.program.Types); t.Same == nil {
		t.Same = t
	}
	t.Bits, t.Size, t.Len = d.small(), d.signed(), d.signed()
	t.Elem, t.Record, t.Params = at(d, d.program.Types), at(d, d.program.Records), d.types()
	if t.Kind > NullPtr || t.Elem == nil && t.Kind >= Enum && t.Kind != Float && t.Kind != RecordType && t.Kind != NullPtr || t.Record == nil && t.Kind == RecordType {
		t.Kind = OtherType // of a program that is too large, whose tables are cut off
	}
}

func (d *decoder) decl(e *Decl) {
	e.Kind, e.Name, e.Qualified, e.Mangled = d.text(), d.text(), d.text(), d.text()
	e.Type, e.Origin, e.DeclFlags = at(d, d.program.Types), Origin(d.small()), DeclFlags(d.small())
	e.Class = at(d, d.program.Records)
	if d.number() != 0 {
		e.DeclFlags |= Enumerator
		e.Value = d.number()
	}
	if n := d.count(); n > 0 {
		e.Params = make([]Param, n)
		for i := range e.Params {
			e.Params[i] = Param{d.text(), at(d, d.program.Types)}
		}
	}
}

func (d *decoder) function(f *Function) {
	f.Decl = at(d, d.program.Decls)
	if f.Decl == nil {
		d.fail()
		return
	}
	f.Decl.Function = f
	f.flags, f.FirstLine, f.LastLine = functionFlags(d.number()), d.small(), d.small()
	f.ReturnsInt = f.flags&returnsInt != 0
}

// children reads nodes up to the end of their parent.
func (d *decoder) children(depth int) []*Node {
	var list []*Node
	for !d.failed {
		kind := d.number()
		if kind == 0 {
			break
		}
		if kind > uint64(len(d.strings)) || depth > maxDepth || len(d.nodes) == cap(d.nodes) {
			d.fail()
			break
		}
		d.nodes = append(d.nodes, Node{Kind: d.strings[kind-1]})
		n := &d.nodes[len(d.nodes)-1]
		d.node(n)
		n.Inner = d.children(depth + 1)
		if d.number() != 0 {
			n.Flags |= Constant
			n.Value = d.number()
		}
		list = append(list, n)
	}
	return list
}

// node reads what a node has of its own.
func (d *decoder) node(n *Node) {
	flags := d.number()
	n.Flags = Flags(flags) &^ 0xff & (Constant - 1)
	if flags&hasType != 0 {
		n.Type = at(d, d.program.Types)
	}
	if flags&hasArg != 0 {
		n.Arg = at(d, d.program.Types)
	}
	if flags&hasDecl != 0 {
		n.Decl = at(d, d.program.Decls)
	}
	for _, f := range [...]struct {
		bit uint64
		to  *string
	}{{hasName, &n.Name}, {hasOp, &n.Op}, {hasText, &n.Text}, {hasStorage, &n.Storage}, {hasInit, &n.Init}} {
		if flags&f.bit != 0 {
			*f.to = d.text()
		}
	}
	n.Begin = d.place(Place{})
	n.End = d.place(n.Begin)
	d.begin, d.end = n.Begin, n.End
}

// place reads a node's first or last token; begin is the node's first if that was read.
func (d *decoder) place(begin Place) Place {
	tag := d.number()
	switch tag {
	case 0:
		return Place{}
	case 2:
		return d.begin
	case 4:
		return d.end
	case 6:
		return begin
	}
	if tag&8 != 0 {
		d.file = File(d.small())
	}
	d.offset += d.signed()
	d.line += d.signed()
	if d.offset < 0 || d.offset > 1<<31-1 || d.line < 0 || d.line > 1<<31-1 {
		d.fail()
		return Place{}
	}
	p := Place{File: d.file, Offset: int32(d.offset), Line: int32(d.line), Col: int32(d.small()), Len: int32(d.small())}
	if tag&2 != 0 {
		p.Macro = &Macro{File: File(d.small()), Offset: int32(d.small()), Line: int32(d.small()), Len: int32(d.small()), Limit: int32(d.small()), Arg: tag&4 != 0}
	}
	return p
}
