package recorded

import (
	"fmt"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A watched is a function with what to observe after each call of it.
type watched struct {
	Function
	before string // statements before the call
	values []Observation
	muted  map[int]bool // values that cannot be read without a fault
}

// watch derives from a function's types what its calls return: the result, the visible fields if that points to
// a struct, and whatever it can write through its arguments.
func watch(spec *apispec.Spec, f Function) *watched {
	w := &watched{Function: f, muted: map[int]bool{}}
	w.look(f.Result, Result, "", true)
	w.fields(spec, f.Result, Result)
	if f.Ends() {
		return w // what the arguments point to may be gone
	}
	for i, p := range f.Params {
		if p.Type.Kind == apispec.Pointer && !p.Type.Elem.Const {
			w.written(spec, i)
		}
	}
	return w
}

func (w *watched) look(t *apispec.Type, expr, guard string, text bool) {
	w.values = append(w.values, Look(t, expr, guard, text)...)
}

// fields observes those of the struct that an expression of type t points to.
func (w *watched) fields(spec *apispec.Spec, t *apispec.Type, pointer string) {
	if t.Kind != apispec.Pointer || t.Elem.Kind != apispec.Record {
		return
	}
	Fields(spec, t.Elem.Name, pointer+"->", func(t *apispec.Type, expr string) {
		w.look(t, expr, pointer, true)
	})
}

// written observes what the call may have written through parameter i.
func (w *watched) written(spec *apispec.Spec, i int) {
	t, name := w.Params[i].Type.Elem, Argument(i)
	switch {
	case t.IsChar() || t.Kind == apispec.Void:
		w.buffer(i)
	case t.IsScalar() || t.Kind == apispec.Pointer:
		w.look(t, "*"+name, name, true)
	case t.Kind == apispec.Record:
		w.fields(spec, w.Params[i].Type, name)
		w.cursors(spec, t.Name, name)
	}
}

// buffer observes the bytes at parameter i. The next parameter gives their number after the call: itself, or
// where it points to (destLen of zlib's compress). Of a number it may use less: then as many as the result
// says, or a string's, if that is in range.
func (w *watched) buffer(i int) {
	if i+1 >= len(w.Params) {
		return
	}
	name, size, t := Argument(i), Argument(i+1), w.Params[i+1].Type
	guard := name
	switch {
	case t.Kind == apispec.Pointer && t.Elem.Kind == apispec.Int && !t.Elem.Const && t.Elem.Bits >= 32:
		guard, size = and(guard, size), "*"+size
	case t.Kind == apispec.Int && t.Bits >= 32:
	default:
		return
	}
	w.bytes(name, guard, size)
	switch r := w.Function.Result; {
	case t.Kind == apispec.Pointer:
	case w.Params[i].Type.Elem.Name == "char":
		w.bytes(name, and(guard, size+" > 0"), fmt.Sprintf("strnlen(%s, %s)", name, size))
	case r.Kind == apispec.Int && r.Bits >= 32:
		w.bytes(name, and(guard, fmt.Sprintf("%[1]s >= 0 && (long long)%[1]s <= (long long)%[2]s", Result, size)), Result)
	}
}

// maxBytes bounds a buffer that is observed: a larger length is hardly meant.
const maxBytes = 1 << 20

func (w *watched) bytes(expr, guard, size string) {
	guard = and(guard, fmt.Sprintf("(long long)%s > 0 && (long long)%[1]s <= %d", size, maxBytes))
	w.values = append(w.values, Observation{Kind: Bytes, Expr: expr, Guard: guard, Size: size})
}

// cursors observes the bytes that a call wrote behind a pointer of a struct and moved it past,
// such as next_out of zlib's z_stream.
func (w *watched) cursors(spec *apispec.Spec, record, name string) {
	def := spec.Struct(record)
	if def == nil || def.Union {
		return
	}
	for _, f := range def.Fields {
		if f.Type.Kind != apispec.Pointer || !f.Type.Elem.IsChar() || f.Type.Elem.Const || f.Name == "" {
			continue
		}
		from := fmt.Sprintf("lisa_c%d", len(w.values))
		field := "(const unsigned char *)" + name + "->" + f.Name
		w.before += fmt.Sprintf("const unsigned char *%s = %s ? %s : NULL;\n", from, name, field)
		w.bytes(from, and(name, from), fmt.Sprintf("(%s - %s)", field, from))
	}
}
