package randoop

import (
	"fmt"
	"strconv"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/exact"
)

// An observation is one value of a step that a test may assert.
type observation struct {
	exact.Observation
	v     int    // variable that it tells about
	field string // field of v, or ""
	key   string // what it is about, for muting
}

// An observer lists what to observe after each step of one sequence.
type observer struct {
	api   *api
	muted func(key string) bool
	seq   *sequence
	names []string // of the variables
	seen  map[int]bool
	list  []observation
}

// observations returns what to observe after each step, by step.
func observations(a *api, muted func(key string) bool, s *sequence) [][]observation {
	st := &state{seq: s}
	o := &observer{api: a, muted: muted, seq: s, names: variableNames(s)}
	out := make([][]observation, len(s.steps))
	for i := range s.steps {
		st.apply(&s.steps[i])
		o.list, o.seen = nil, map[int]bool{}
		o.step(&s.steps[i], st)
		out[i] = o.list
	}
	return out
}

func (o *observer) add(ob observation) {
	if !o.muted(ob.key) {
		o.list = append(o.list, ob)
	}
}

func (o *observer) step(s *step, st *state) {
	if s.result >= 0 {
		o.variable(s.result, s, s.call.name+"()", st)
	}
	for i, a := range s.args {
		if a.kind == argLiteral || i >= len(s.call.params) || !s.call.params[i].out || st.vars[a.v].dead {
			continue
		}
		o.variable(a.v, s, fmt.Sprintf("%s#%d", s.call.name, i), st)
		for _, buf := range st.vars[a.v].buffers {
			o.variable(buf, s, s.call.name+"#feed", st)
		}
	}
}

// variable observes the value of v after step s.
func (o *observer) variable(v int, s *step, key string, st *state) {
	if o.seen[v] || st.vars[v].dead {
		return
	}
	o.seen[v] = true
	va, name := &o.seq.vars[v], o.names[v]
	switch va.kind {
	case varResult, varPtr, varScalar:
		if va.kind != varResult || v == s.result { // a result does not change later
			o.value(va.typ, name, "", v, "", key)
		}
		if va.kind == varPtr {
			o.offset(v, s, key)
		}
		if va.typ.Kind == apispec.Pointer && va.typ.Elem.Kind == apispec.Record {
			o.fields(va.typ.Elem.Name, name+"->", name, v)
		}
		if va.typ.Kind == apispec.Record {
			o.fields(va.typ.Name, name+".", "", v)
		}
	case varStruct:
		o.fields(va.key, name+".", "", v)
	case varBytes, varBuffer:
		o.add(observation{Observation: exact.Observation{Kind: exact.Bytes, Expr: name, Size: strconv.Itoa(va.size)}, v: v, key: key})
	case varArray:
		for i := range min(va.size, 16) {
			o.value(va.typ, fmt.Sprintf("%s[%d]", name, i), "", v, "[]", key)
		}
	}
}

// value observes a scalar, a pointer or a string.
func (o *observer) value(t *apispec.Type, expr, guard string, v int, field, key string) {
	for _, ob := range exact.Look(t, expr, guard, o.seq.vars[v].kind != varPtr) {
		k := key
		if ob.Kind == exact.String {
			k += "$"
		}
		o.add(observation{Observation: ob, v: v, field: field, key: k})
	}
}

// fields observes the visible fields of a struct.
func (o *observer) fields(name, prefix, guard string, v int) {
	exact.Fields(o.api.spec, name, prefix, func(record, field string, t *apispec.Type, expr string) {
		o.value(t, expr, guard, v, field, record+"."+field)
	})
}

// offset observes where a pointer that a call set points within the call's own text.
func (o *observer) offset(v int, s *step, key string) {
	t := o.seq.vars[v].typ
	if t.Kind != apispec.Pointer || !t.Elem.IsChar() {
		return
	}
	for _, a := range s.args {
		if a.kind != argVar {
			continue
		}
		size := o.seq.vars[a.v].size
		switch o.seq.vars[a.v].kind {
		case varText:
			size = len(o.seq.vars[a.v].text) + 1
		case varBytes:
		default:
			continue
		}
		o.add(observation{Observation: exact.Observation{
			Kind: exact.Offset, Expr: o.names[v], Guard: o.names[v], Base: o.names[a.v], Size: strconv.Itoa(size)}, v: v, key: key})
		return
	}
}

// factsOf reads from a trace what is known of the variables of s.
func factsOf(s *sequence, obs [][]observation, values exact.Reading, a *api) map[int]fact {
	facts := map[int]fact{}
	for v := range s.vars {
		facts[v] = fact{produced: -1}
	}
	n := 0
	for i := range s.steps {
		ints := map[int]int{} // by variable
		avail := map[string]int{}
		for _, ob := range obs[i] {
			text, ok := values[n]
			n++
			if !ok {
				continue
			}
			f := facts[ob.v]
			switch ob.Kind {
			case exact.Null:
				if ob.field == "" {
					f.null = text == "0"
				}
			case exact.String:
				if b, ok := exact.ParseBlob(text); ok && b.Whole() && ob.field == "" {
					f.content = b.Head
				}
			case exact.Bytes:
				if b, ok := exact.ParseBlob(text); ok {
					f.produced, f.content = b.Length, b.Head
				}
			case exact.Int, exact.Uint:
				if x, err := strconv.Atoi(text); err == nil {
					if ob.field == "" {
						ints[ob.v] = x
					} else {
						avail[fmt.Sprint(ob.v, ob.field)] = x
					}
				}
			}
			facts[ob.v] = f
		}
		exactLengths(s, i, ints, avail, facts, a)
	}
	return facts
}

// exactLengths replaces the guess that a buffer ends with its last non-zero byte. It uses what the call said:
// the length it stored, the room it left, or the count it returned.
func exactLengths(s *sequence, i int, ints map[int]int, avail map[string]int, facts map[int]fact, a *api) {
	step := &s.steps[i]
	set := func(v, n int) {
		if f := facts[v]; s.vars[v].kind == varBuffer && n >= f.produced && n <= s.vars[v].size {
			f.produced = n
			facts[v] = f
		}
	}
	for k, p := range step.call.params {
		if k >= len(step.args) || step.args[k].kind == argLiteral {
			continue
		}
		v := step.args[k].v
		if p.role == roleBytes && p.pair >= 0 {
			if l := step.args[p.pair]; l.kind == argAddress {
				set(v, ints[l.v])
			} else if n, ok := ints[step.result]; ok && step.result >= 0 {
				set(v, n)
			}
		}
		for j := 0; j <= i && p.role == roleObject; j++ {
			for _, as := range s.steps[j].sets {
				if as.v == v && as.pair >= 0 && as.value == "" && !as.isInput {
					pair := a.feeds[s.vars[v].key][as.pair]
					if left, ok := avail[fmt.Sprint(v, pair.length)]; ok && j == lastFeed(s, i, v) {
						set(as.from, s.vars[as.from].size-left)
					}
				}
			}
		}
	}
}

// lastFeed returns the last step up to i that fed struct v.
func lastFeed(s *sequence, i, v int) int {
	for j := i; j >= 0; j-- {
		for _, as := range s.steps[j].sets {
			if as.v == v && as.pair >= 0 {
				return j
			}
		}
	}
	return -1
}
