package randoop

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/exact"
)

// objectArgument passes an object: an existing one, one from a constructor, or a struct of
// the caller.
func (b *builder) objectArgument(s *step, i, nested int) bool {
	p := &s.call.params[i]
	if b.chance(0.015) {
		s.args[i] = literal("NULL", "null")
		return true
	}
	if usable := b.usable(s, i); len(usable) > 0 && b.chance(0.85) {
		b.useObject(s, i, b.recent(usable))
		return true
	}
	if len(b.api.creators[p.object]) > 0 {
		return b.construct(s, i, nested)
	}
	v := b.declareStruct(s, p)
	if v < 0 {
		return false
	}
	if inits := b.matchingInits(s.call, p.object); !s.call.init && len(inits) > 0 && !(s.call.copies && i == 0) && b.chance(0.9) {
		if !b.initialise(v, inits, nested) {
			return false
		}
	}
	b.useObject(s, i, v)
	return true
}

// recent draws one of vars, the newest most often.
func (b *builder) recent(vars []int) int {
	for k := len(vars) - 1; k > 0; k-- {
		if b.chance(0.5) {
			return vars[k]
		}
	}
	return vars[0]
}

// usable returns the live objects that argument i of s may take without breaking what is
// known of their ownership and protocol.
func (b *builder) usable(s *step, i int) []int {
	c := s.call
	var out []int
	container := -1
	for _, a := range s.args[:i] {
		if a.kind != argLiteral && b.seq.vars[a.v].key == c.params[i].object {
			container = a.v
			break
		}
	}
	fam := b.familyOf(c, c.params[i].object)
	for _, v := range b.st.live(c.params[i].object) {
		vs := &b.st.vars[v]
		isStruct := b.seq.vars[v].kind == varStruct
		switch {
		case b.seq.vars[v].kind == varPtr && c.params[i].role != roleObject:
			continue
		case c.destroys && (vs.owner >= 0 || isStruct != (len(b.api.creators[c.params[i].object]) == 0)):
			continue
		case c.owns && container >= 0 && (vs.owner >= 0 || v == container || b.st.root(container) == v):
			continue
		case b.memory.blocked(vs, use{c, i}):
			continue
		case isStruct && c.copies && i == 0:
			if vs.inited {
				continue
			}
		case isStruct && !b.ready(vs, c, fam):
			continue
		}
		out = append(out, v)
	}
	return out
}

// ready reports whether a struct of the caller is in the state that c expects: not yet
// initialised for an initialiser, initialised by the same family otherwise.
func (b *builder) ready(vs *status, c *callable, fam []string) bool {
	switch {
	case c.init:
		return !vs.inited || b.chance(0.05)
	case len(fam) == 0:
		return true
	case !vs.inited:
		return b.chance(0.03)
	}
	return sameWords(family(vs.initBy.words), fam) || b.chance(0.02)
}

// useObject passes v and, for a struct with memory fields, feeds it first.
func (b *builder) useObject(s *step, i, v int) {
	kind, class := argVar, "object"
	va, vs := &b.seq.vars[v], &b.st.vars[v]
	switch {
	case va.kind == varStruct:
		kind, class = argAddress, "struct"
	case vs.borrowed:
		class = "borrowed"
	case vs.owner >= 0:
		class = "owned"
	}
	for _, a := range s.args[:i] {
		if a.kind != argLiteral && a.v == v {
			class = "same"
		}
	}
	s.args[i] = arg{kind: kind, v: v, class: class}
	if va.kind == varStruct && !s.call.finishes && !s.call.params[i].typ.Elem.Const {
		b.feed(s, v)
	}
}

// feed points a struct's memory fields at input and output, always before their first use
// and now and then later, so that calls also go on where they stopped.
func (b *builder) feed(s *step, v int) {
	p := 0.35
	switch vs := &b.st.vars[v]; {
	case s.call.init:
		p = 0.2
	case !vs.fed:
		p = 0.95
	}
	if !b.chance(p) {
		return
	}
	for k, pair := range b.api.feeds[b.seq.vars[v].key] {
		var from, size int
		var class string
		if pair.out {
			from = b.newBuffer(s, b.capacity(s.call.name))
			size = b.seq.vars[from].size
		} else {
			from, size, class = b.inputBytes(s)
		}
		s.sets = append(s.sets,
			assignment{v: v, field: pair.pointer, from: from, pair: k, isInput: !pair.out, class: class},
			assignment{v: v, field: pair.length, value: itoa(size), pair: k, isInput: !pair.out})
	}
}

// construct makes an object with one of its constructors, or takes a whole earlier
// sequence that has one.
func (b *builder) construct(s *step, i, nested int) bool {
	key := s.call.params[i].object
	if b.chance(0.35) {
		if v := b.borrowSequence(key); v >= 0 {
			b.useObject(s, i, v)
			return true
		}
	}
	makers := b.api.creators[key]
	weights := make([]float64, len(makers))
	for k, c := range makers {
		weights[k] = b.memory.weight(c) * b.memory.calls[c.name].success()
		if objectOf(c) == key {
			weights[k] *= 0.2 // needs one to make one
		}
		if c == s.call {
			weights[k] = 0
		}
	}
	k := b.weighted(weights)
	if k < 0 || !b.call(makers[k], nested+1) {
		return false
	}
	live := b.usable(s, i)
	if len(live) == 0 {
		return false
	}
	b.useObject(s, i, live[len(live)-1])
	return true
}

// borrowSequence appends an earlier sequence that left a live object of key, and returns
// that object, or -1.
func (b *builder) borrowSequence(key string) int {
	e := b.archive.with(b.rng, key)
	if e == nil || len(b.seq.steps)+len(e.seq.steps)+1 > b.maxLength {
		return -1
	}
	base := b.seq.appendAll(e.seq)
	facts := b.st.factsBelow(base)
	for v, f := range e.facts {
		facts[v+base] = f
	}
	b.st = newState(b.seq, facts)
	for _, v := range b.st.live(key) {
		if v >= base && b.st.vars[v].owner < 0 {
			return v
		}
	}
	return -1
}

// declareStruct adds a zeroed struct of the caller, or returns -1 when its fields are not
// public.
func (b *builder) declareStruct(s *step, p *param) int {
	def := b.api.spec.Struct(p.object)
	if def == nil || def.Opaque {
		return -1
	}
	typ := *p.typ.Elem
	typ.Const = false
	v := b.newVar(variable{kind: varStruct, typ: &typ, key: p.object})
	s.decls = append(s.decls, v)
	b.st.vars[v].declared = true
	if len(b.initialisers(p.object)) == 0 {
		b.setFields(s, v, p.object, 0.6)
	}
	return v
}

// matchingInits returns the initialisers of key that c continues.
func (b *builder) matchingInits(c *callable, key string) []*callable {
	all := b.initialisers(key)
	fam := b.familyOf(c, key)
	var match []*callable
	for _, init := range all {
		if len(fam) > 0 && sameWords(family(init.words), fam) {
			match = append(match, init)
		}
	}
	if len(match) > 0 {
		return match
	}
	return all
}

// initialise calls an initialiser on v before the call that needs it. v is declared by
// that earlier call then.
func (b *builder) initialise(v int, inits []*callable, nested int) bool {
	weights := make([]float64, len(inits))
	for k, c := range inits {
		weights[k] = b.memory.weight(c) * b.memory.calls[c.name].success()
	}
	k := b.weighted(weights)
	if k < 0 || nested >= maxNested || len(b.seq.steps)+1 >= b.maxLength {
		return false
	}
	s := &step{call: inits[k], args: make([]arg, len(inits[k].params)), result: -1, decls: []int{v}}
	for i := range s.call.params {
		if p := &s.call.params[i]; p.role == roleObject && p.object == b.seq.vars[v].key {
			b.useObject(s, i, v)
			break
		}
	}
	if !b.arguments(s, nested+1) {
		return false
	}
	b.append(s)
	return true
}

// setFields gives plain fields of a struct values, each with probability p.
func (b *builder) setFields(s *step, v int, key string, p float64) {
	def := b.api.spec.Struct(key)
	if def == nil {
		return
	}
	fed := map[string]bool{}
	for _, pair := range b.api.feeds[key] {
		fed[pair.pointer], fed[pair.length] = true, true
	}
	for _, f := range def.Fields {
		if fed[f.Name] || !b.chance(p) {
			continue
		}
		value := ""
		switch t := f.Type; {
		case t.IsScalar():
			c := &callable{name: def.Name + "." + f.Name, params: []param{{name: f.Name, words: splitWords(f.Name), typ: t}}}
			if a := b.scalar(c, 0); a.kind == argLiteral {
				value = a.text
			}
		case t.Kind == apispec.Pointer && t.Elem.Kind == apispec.Func:
			value = allocator(t.Elem)
		case t.Kind == apispec.Pointer && t.Elem.IsChar() && t.Elem.Const:
			value = exact.CString(pick(b.rng, awkward))
		}
		if value != "" {
			s.sets = append(s.sets, assignment{v: v, field: f.Name, value: value, pair: -1})
		}
	}
	// Half an allocator is never meant: the other half would free what libc did not give.
	names := map[string]bool{}
	for _, a := range s.sets {
		names[a.value] = true
	}
	if names["malloc"] != names["free"] {
		kept := s.sets[:0]
		for _, a := range s.sets {
			if !strings.Contains("malloc free realloc calloc", a.value) {
				kept = append(kept, a)
			}
		}
		s.sets = kept
	}
}
