package randoop

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// argument chooses argument i of s, and its length where it has one.
func (b *builder) argument(s *step, i, nested int) bool {
	p := &s.call.params[i]
	switch p.role {
	case roleScalar:
		s.args[i] = b.scalar(s.call, i)
	case roleText:
		s.args[i] = b.textArgument(s, p, i)
	case roleBytes:
		b.bytesArgument(s, i)
	case roleArray:
		b.arrayArgument(s, i)
	case roleOutScalar:
		s.args[i] = b.outScalar(s, p)
	case roleOutPointer:
		return b.outPointer(s, i)
	case roleObject:
		return b.objectArgument(s, i, nested)
	case roleValue:
		v := b.newVar(variable{kind: varStruct, typ: p.typ, key: p.object})
		s.decls = append(s.decls, v)
		b.setFields(s, v, p.object, 0.8)
		s.args[i] = arg{kind: argVar, v: v, class: "struct"}
	case roleCallback:
		s.args[i] = b.callback(s.call, i)
	case roleAny:
		return b.anyArgument(s, i)
	}
	return true
}

func literal(text, class string) arg { return arg{kind: argLiteral, text: text, class: class} }

// scalar draws a value that suits the parameter and has not only led to errors.
func (b *builder) scalar(c *callable, i int) arg {
	p := &c.params[i]
	if v := b.earlierScalar(p.typ); v >= 0 && b.chance(0.08) {
		return arg{kind: argVar, v: v, class: "earlier"}
	}
	key := valueKey(c, i, "")
	list, ok := b.choices[key]
	if !ok {
		list = scalarChoices(c, i, b.api.spec, b.constants)
		b.choices[key] = list
	}
	everWorked := len(b.memory.worked[c.name]) > 0
	weights := make([]float64, len(list))
	for k, ch := range list {
		t := b.memory.values[valueKey(c, i, ch.text)]
		weights[k] = ch.weight * t.safety()
		if everWorked { // before that, an error says nothing about this one value
			weights[k] *= math.Max(t.success(), 0.02)
		}
	}
	k := b.weighted(weights)
	if k < 0 {
		return literal("0", "0")
	}
	text := list[k].text
	if p.typ.Kind == apispec.Int && p.typ.Bits >= 32 && b.chance(0.04) {
		return literal(strconv.Itoa(b.rng.IntN(1<<(1+b.rng.IntN(16)))), "random")
	}
	return literal(text, text)
}

// earlierScalar returns the newest earlier result of that typedef, or -1. Plain int is
// not enough to tell that two numbers are of one kind.
func (b *builder) earlierScalar(t *apispec.Type) int {
	for v := len(b.seq.vars) - 1; v >= 0 && t.Typedef != ""; v-- {
		vt := b.seq.vars[v].typ
		if b.seq.vars[v].kind == varResult && vt.Typedef == t.Typedef && vt.IsScalar() && b.st.vars[v].declared {
			return v
		}
	}
	return -1
}

// textArgument returns a string: a path, a mode, a format or content, by the name.
func (b *builder) textArgument(s *step, p *param, i int) arg {
	if !p.isPath() && b.chance(0.25) {
		if v := b.earlierText(); v >= 0 {
			return arg{kind: argVar, v: v, class: "earlier"}
		}
	}
	text, class := b.textContent(s.call, p, i)
	if p.isPath() {
		b.provideFile(s, text)
	}
	v := b.newVar(variable{kind: varText, typ: p.typ, text: text})
	s.decls = append(s.decls, v)
	return arg{kind: argVar, v: v, class: class}
}

func (p *param) isPath() bool { return pathWords.has(p.words) }

// earlierText returns a random earlier string, or -1.
func (b *builder) earlierText() int {
	var known []int
	for v := range b.seq.vars {
		vs, va := &b.st.vars[v], &b.seq.vars[v]
		isResult := va.kind == varResult && vs.content != "" && !vs.dead && !vs.null && va.typ.Kind == apispec.Pointer && va.typ.Elem.Name == "char"
		if vs.declared && (va.kind == varText || isResult) {
			known = append(known, v)
		}
	}
	if len(known) == 0 {
		return -1
	}
	return pick(b.rng, known)
}

// textContent draws a string and names its class.
func (b *builder) textContent(c *callable, p *param, i int) (text, class string) {
	switch {
	case p.isPath():
		return pick(b.rng, []string{"t0.dat", "t0.dat", "t1.dat", "none/t.dat"}), "path"
	case formatWords.has(p.words) || c.variadic:
		return pick(b.rng, formats).text, "format"
	case modeWords.has(p.words):
		mode := pick(b.rng, append([]string{"r", "w", "rb", "wb", "a", "ab", "w+", "r+"}, quotedIn(c.doc)...))
		return mode, "mode:" + mode
	}
	classes := []struct {
		name   string
		weight float64
	}{{"documents", 1.5}, {"returned", 1.5}, {"mutated", 1}, {"quoted", 1}, {"accepted", 3}}
	for _, m := range textMakers {
		classes = append(classes, struct {
			name   string
			weight float64
		}{m.name, 1})
	}
	weights := make([]float64, len(classes))
	for k, class := range classes {
		t := b.memory.values[valueKey(c, i, class.name)]
		weights[k] = class.weight * math.Max(t.success(), 0.1) * t.safety()
	}
	class = classes[b.weighted(weights)].name
	text, ok := b.textOf(class, c, i)
	if !ok {
		return pick(b.rng, awkward), "awkward"
	}
	return text, class
}

// textOf draws a string of a class for parameter i; ok is false when there is none yet.
func (b *builder) textOf(class string, c *callable, i int) (text string, ok bool) {
	switch class {
	case "documents":
		return b.documents.pick(b.rng)
	case "returned":
		return b.strings.pick(b.rng)
	case "mutated":
		if text, ok = b.strings.pick(b.rng); !ok {
			text, ok = b.documents.pick(b.rng)
		}
		return mutate(b.rng, text), ok
	case "accepted":
		return b.acceptedInput(valueKey(c, i, ""))
	case "quoted":
		text = pickOrNone(b.rng, quotedIn(c.doc))
		return text, text != ""
	}
	for _, m := range textMakers {
		if m.name == class {
			return m.make(b.rng), true
		}
	}
	return "", false
}

// formats are printf formats with arguments that suit them.
var formats = []struct{ text, args string }{
	{"text", ""}, {"%d", "42"}, {"%s", "\"abc\""}, {"%5.2f|", "2.5"}, {"%%", ""}, {"%-8sx%03d", "\"ab\", 7"},
}

// variadicArguments appends what the format asks for.
func (b *builder) variadicArguments(s *step) {
	if len(s.args) == 0 {
		return
	}
	last := s.args[len(s.args)-1]
	if last.kind != argVar {
		return
	}
	for _, f := range formats {
		if b.seq.vars[last.v].text == f.text && f.args != "" {
			s.args = append(s.args, literal(f.args, ""))
		}
	}
}

// provideFile writes the file that a call is about to name, now and then.
func (b *builder) provideFile(s *step, path string) {
	for i := range b.seq.steps {
		if len(b.seq.steps[i].files) > 0 && !b.chance(0.1) {
			return
		}
	}
	if strings.Contains(path, "/") || !b.chance(0.6) {
		return
	}
	content, _ := b.byteContent(s.call.name)
	v := b.newBytes(s, content)
	s.files = append(s.files, fileInit{path: path, from: v, size: b.seq.vars[v].size})
}

// outScalar passes the address of a number.
func (b *builder) outScalar(s *step, p *param) arg {
	if b.chance(0.08) {
		return literal("NULL", "null")
	}
	init := pick(b.rng, []string{"0", "0", "0", "1", "-1", "100"})
	if p.typ.Elem.Kind == apispec.EnumRef {
		init = "0"
	}
	v := b.newVar(variable{kind: varScalar, typ: p.typ.Elem, init: init})
	s.decls = append(s.decls, v)
	return arg{kind: argAddress, v: v, class: "out"}
}

// outPointer passes the address of a pointer: NULL for a call that sets it, a live one
// for a call that destroys it.
func (b *builder) outPointer(s *step, i int) bool {
	p := &s.call.params[i]
	if s.call.destroys {
		for _, v := range b.st.live(p.object) {
			if k := b.seq.vars[v].kind; k == varResult || k == varPtr {
				s.args[i] = arg{kind: argAddress, v: v, class: "live"}
				return true
			}
		}
		if i == 0 {
			return false
		}
	}
	if p.object == "" && b.chance(0.2) || s.call.destroys {
		s.args[i] = literal("NULL", "null")
		return true
	}
	v := b.newVar(variable{kind: varPtr, typ: p.typ.Elem, key: p.object})
	s.decls = append(s.decls, v)
	s.args[i] = arg{kind: argAddress, v: v, class: "out"}
	return true
}

// anyArgument passes NULL or some pointer; what frees memory gets memory.
func (b *builder) anyArgument(s *step, i int) bool {
	if s.call.destroys {
		for _, v := range b.st.live(memoryKey) {
			if !b.memory.blocked(&b.st.vars[v], use{s.call, i}) {
				s.args[i] = arg{kind: argVar, v: v, class: "memory"}
				return true
			}
		}
		s.args[i] = literal("NULL", "null")
		return b.chance(0.1)
	}
	if b.chance(0.5) {
		s.args[i] = literal("NULL", "null")
		return true
	}
	b.newInput(s, i)
	return true
}

// callback passes NULL, an allocation function of libc where the type says so, or a
// function that does nothing.
func (b *builder) callback(c *callable, i int) arg {
	if name := allocator(c.params[i].typ.Elem); name != "" && b.chance(0.7) {
		return literal(name, "libc")
	}
	if b.chance(0.5) {
		return literal("NULL", "null")
	}
	return literal(stubName(c, i), "stub")
}

func stubName(c *callable, i int) string { return fmt.Sprintf("stub_%s_%d", c.name, i) }

// allocator returns libc's function of a callback's type, if it is that of an allocator.
func allocator(f *apispec.Type) string {
	if f.Variadic {
		return ""
	}
	var shape []string
	for _, t := range append([]*apispec.Type{f.Elem}, f.Params...) {
		switch {
		case t.Kind == apispec.Void:
			shape = append(shape, "void")
		case t.Kind == apispec.Pointer && t.Elem.Kind == apispec.Void && !t.Elem.Const:
			shape = append(shape, "ptr")
		case t.Kind == apispec.Int && t.Bits == 64 && !t.Signed:
			shape = append(shape, "size")
		default:
			return ""
		}
	}
	return map[string]string{"ptr size": "malloc", "void ptr": "free", "ptr ptr size": "realloc", "ptr size size": "calloc"}[strings.Join(shape, " ")]
}
