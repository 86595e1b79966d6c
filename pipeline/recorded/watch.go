package recorded

import (
	"fmt"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A watched is what to observe after each call of a function.
type watched struct {
	Function
	spec   *apispec.Spec
	before string // statements before the call
	values []Observation
	muted  map[int]bool // values that cannot be read without a fault
}

// watch derives from a function's types what its calls return: the result, the visible fields if that points to
// a struct, and whatever it can write through its arguments, which after some calls may be gone.
func watch(spec *apispec.Spec, f Function) *watched {
	w := &watched{Function: f, spec: spec, muted: map[int]bool{}}
	w.values = Look(f.Result, Result, "", true)
	w.fields(f.Result, Result)
	for i, p := range f.Params {
		if !f.Ends() && p.Type.Kind == apispec.Pointer && !p.Type.Elem.Const {
			w.written(i, Argument(i), p.Type.Elem)
		}
	}
	return w
}

// fields observes those of the struct that an expression of type t points to.
func (w *watched) fields(t *apispec.Type, pointer string) {
	if t.Kind == apispec.Pointer && t.Elem.Kind == apispec.Record {
		Fields(w.spec, t.Elem.Name, pointer+"->", func(t *apispec.Type, expr string) {
			w.values = append(w.values, Look(t, expr, pointer, true)...)
		})
	}
}

// written observes what the call may have written through parameter i, which points to a t.
func (w *watched) written(i int, name string, t *apispec.Type) {
	switch {
	case t.IsChar() || t.Kind == apispec.Void:
		if i+1 < len(w.Params) {
			w.buffer(t, name, w.Params[i+1].Type, Argument(i+1))
		}
	case t.IsScalar() || t.Kind == apispec.Pointer:
		w.values = append(w.values, Look(t, "*"+name, name, true)...)
	case t.Kind == apispec.Record:
		w.fields(w.Params[i].Type, name)
		w.cursors(t.Name, name)
	}
}

// buffer observes the bytes at a parameter. The next parameter gives their number after the call: itself, or
// where it points to (destLen of zlib's compress). Of a number it may use less: then as many as the result
// says, or a string's, if that is in range.
func (w *watched) buffer(elem *apispec.Type, name string, t *apispec.Type, size string) {
	if t.Kind == apispec.Pointer && t.Elem.Kind == apispec.Int && !t.Elem.Const && t.Elem.Bits >= 32 {
		w.bytes(name, and(name, size), "*"+size)
		return
	}
	if t.Kind != apispec.Int || t.Bits < 32 {
		return
	}
	w.bytes(name, name, size)
	if r := w.Function.Result; elem.Name == "char" {
		w.bytes(name, and(name, size+" > 0"), fmt.Sprintf("strnlen(%s, %s)", name, size))
	} else if r.Kind == apispec.Int && r.Bits >= 32 {
		w.bytes(name, and(name, fmt.Sprintf("%[1]s >= 0 && (long long)%[1]s <= (long long)%[2]s", Result, size)), Result)
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
func (w *watched) cursors(record, name string) {
	def := w.spec.Struct(record)
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
