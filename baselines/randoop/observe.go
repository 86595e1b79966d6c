package randoop

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// An obsKind is how a value is printed and asserted.
type obsKind int

const (
	obsInt obsKind = iota
	obsUint
	obsDouble
	obsLongDouble
	obsNull   // whether a pointer is NULL, never where it points
	obsString // content of a NUL-terminated string
	obsBytes  // content of a buffer of the program
	obsOffset // how far a pointer is into a text of the program
)

// An observation is one value of a step that a test may assert.
type observation struct {
	kind  obsKind
	expr  string // C expression of the value
	guard string // pointer that must not be NULL, or ""
	base  string // obsOffset: start of the text
	size  int    // obsBytes and obsOffset: bytes
	v     int    // variable that it tells about
	field string // field of v, or ""
	key   string // what it is about, for muting
}

// maxFields bounds the fields of one struct that are observed.
const maxFields = 24

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
		o.add(observation{kind: obsBytes, expr: name, size: va.size, v: v, key: key})
	case varArray:
		for i := range min(va.size, 16) {
			o.value(va.typ, fmt.Sprintf("%s[%d]", name, i), "", v, "[]", key)
		}
	}
}

// value observes a scalar, a pointer or a string.
func (o *observer) value(t *apispec.Type, expr, guard string, v int, field, key string) {
	ob := observation{expr: expr, guard: guard, v: v, field: field, key: key}
	switch t.Kind {
	case apispec.Bool, apispec.EnumRef:
		ob.kind = obsInt
	case apispec.Int:
		ob.kind = obsInt
		if !t.Signed {
			ob.kind = obsUint
		}
	case apispec.Float:
		ob.kind = obsDouble
		if t.Bits > 64 {
			ob.kind = obsLongDouble
		}
	case apispec.Pointer:
		ob.kind = obsNull
		o.add(ob)
		if t.Elem.Name == "char" && t.Elem.Kind == apispec.Int && o.seq.vars[v].kind != varPtr {
			ob.kind, ob.key = obsString, key+"$"
			if guard != "" {
				ob.guard += " && "
			}
			ob.guard += expr
			break
		}
		return
	default:
		return
	}
	o.add(ob)
}

// fields observes the visible scalar fields of a struct, one nested struct deep.
func (o *observer) fields(name, prefix, guard string, v int) {
	def := o.api.spec.Struct(name)
	if def == nil || def.Union {
		return
	}
	for i, f := range def.Fields {
		key := name + "." + f.Name
		switch {
		case i >= maxFields || f.Name == "":
		case f.Type.Kind == apispec.Record && strings.Count(prefix, ".") < 2:
			o.fields(f.Type.Name, prefix+f.Name+".", guard, v)
		case f.Type.Kind == apispec.Array && f.Type.Elem.IsScalar() && f.Type.Len > 0 && f.Type.Len <= 16:
			for k := range int(f.Type.Len) {
				o.value(f.Type.Elem, fmt.Sprintf("%s%s[%d]", prefix, f.Name, k), guard, v, f.Name, key)
			}
		default:
			o.value(f.Type, prefix+f.Name, guard, v, f.Name, key)
		}
	}
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
		o.add(observation{kind: obsOffset, expr: o.names[v], guard: o.names[v], base: o.names[a.v], size: size, v: v, key: key})
		return
	}
}

// A reading is what an observation printed, by observation number.
type reading map[int]string

// A trace is what one run of an instrumented program printed.
type trace struct {
	values  reading
	started int // steps whose call was begun
	reading int // observation that was begun and not finished, or -1
}

// parseTrace reads the lines of an instrumented program; other lines are the library's.
func parseTrace(stdout string) trace {
	t := trace{values: reading{}, reading: -1}
	for line := range strings.Lines(stdout) {
		line = strings.TrimSuffix(line, "\n")
		if len(line) < 2 {
			continue
		}
		number, rest, _ := strings.Cut(line[1:], " ")
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 {
			continue
		}
		switch line[0] {
		case '#':
			t.started, t.reading = max(t.started, n+1), -1
		case '?':
			t.reading = n
		case '@':
			t.values[n] = rest
			if t.reading == n {
				t.reading = -1
			}
		}
	}
	return t
}

// A blob is the printed form of a string or buffer: its length (of a buffer: up to its
// last byte that is not 0), a checksum of all of it, and its first bytes.
type blob struct {
	length   int
	checksum uint64
	head     string
}

// whole reports whether head is all of it.
func (b blob) whole() bool { return len(b.head) == b.length }

func parseBlob(s string) (blob, bool) {
	f := strings.Fields(s)
	if len(f) < 2 {
		return blob{}, false
	}
	n, err1 := strconv.Atoi(f[0])
	sum, err2 := strconv.ParseUint(f[1], 16, 64)
	b := blob{length: n, checksum: sum}
	if len(f) > 2 {
		head, err := hex.DecodeString(f[2])
		if err != nil {
			return blob{}, false
		}
		b.head = string(head)
	}
	return b, err1 == nil && err2 == nil && n >= 0 && len(b.head) <= n
}

// factsOf reads from a trace what is known of the variables of s.
func factsOf(s *sequence, obs [][]observation, values reading, a *api) map[int]fact {
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
			switch ob.kind {
			case obsNull:
				if ob.field == "" {
					f.null = text == "0"
				}
			case obsString:
				if b, ok := parseBlob(text); ok && b.whole() && ob.field == "" {
					f.content = b.head
				}
			case obsBytes:
				if b, ok := parseBlob(text); ok {
					f.produced, f.content = b.length, b.head
				}
			case obsInt, obsUint:
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

// exactLengths replaces the guess that a buffer ends with its last byte that is not 0 by
// what the call itself said: the length it stored, the room it left, or the count it
// returned.
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
