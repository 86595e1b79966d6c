package randoop

import (
	"math/rand/v2"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// Limits of one growth.
const (
	maxNested   = 3 // constructors of constructors
	callTries   = 6 // callables tried before a sequence is left as it is
	growthCalls = 6 // most calls added at once
)

// A grower makes new sequences of the ones that ran well.
type grower struct {
	api       *api
	rng       *rand.Rand
	memory    *memory
	archive   *archive
	documents *pool            // strings of the documents and headers
	strings   *pool            // strings that calls returned
	blobs     *blobStore       // bytes that calls wrote
	accepted  map[string]*pool // inputs of calls that returned no error, by callable and parameter
	constants []constant
	choices   map[string][]choice
	maxLength int
}

// A builder grows one sequence.
type builder struct {
	*grower
	seq   *sequence
	st    *state
	focus string // kind of object that this growth is mostly about, "" for any
}

// accept remembers an input of a call that returned no error.
func (g *grower) accept(key, text string) {
	p := g.accepted[key]
	if p == nil {
		p = newPool()
		g.accepted[key] = p
	}
	p.add(text)
}

// acceptedInput draws an input that the call took before, sometimes slightly changed.
func (g *grower) acceptedInput(key string) (text string, ok bool) {
	p := g.accepted[key]
	if p == nil {
		return "", false
	}
	if text, ok = p.pick(g.rng); ok && g.chance(0.4) {
		text = mutate(g.rng, text)
	}
	return text, ok
}

// newVar adds a variable of which nothing is known yet.
func (b *builder) newVar(v variable) int {
	id := b.seq.add(v)
	b.st.sync()
	return id
}

// chance is true with probability p.
func (g *grower) chance(p float64) bool { return g.rng.Float64() < p }

// weighted returns an index drawn by weight, or -1 when all are 0.
func (g *grower) weighted(weights []float64) int {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	if total <= 0 {
		return -1
	}
	x := g.rng.Float64() * total
	for i, w := range weights {
		if x -= w; x < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// candidate grows a sequence and says how many of its steps were run before; it returns nil
// when no call can be made.
func (g *grower) candidate() (grown *sequence, base int) {
	b := &builder{grower: g, seq: &sequence{}}
	facts := map[int]fact{}
	if from := g.archive.pick(g.rng); from != nil && g.chance(0.85) {
		b.seq, facts = from.seq.clone(), from.facts
	}
	b.st = newState(b.seq, facts)
	have := len(b.seq.steps)
	want := min(have+1+g.rng.IntN(growthCalls), g.maxLength)
	if g.chance(0.5) {
		b.focus = b.someObject()
	}
	for len(b.seq.steps) < want && b.extend() {
	}
	if len(b.seq.steps) == have {
		return nil, 0
	}
	b.cleanup()
	return b.seq, have
}

// extend adds one call and whatever must come before it.
func (b *builder) extend() bool {
	for range callTries {
		weights := make([]float64, len(b.api.callables))
		for i, c := range b.api.callables {
			weights[i] = b.memory.weight(c) * b.fit(c)
		}
		i := b.weighted(weights)
		if i < 0 {
			return false
		}
		if b.call(b.api.callables[i], 0) {
			b.repeat(b.api.callables[i])
			return true
		}
	}
	return false
}

// repeat makes the same call a few times more, now and then: queues fill and tables grow
// that way. It is the paper's own heuristic, with new arguments each time.
func (b *builder) repeat(c *callable) {
	if c.destroys || c.finishes || c.init || !b.chance(0.15) {
		return
	}
	for range 1 + b.rng.IntN(7) {
		if !b.call(c, 0) {
			return
		}
	}
}

// someObject returns the kind of an object that is alive, or "".
func (b *builder) someObject() string {
	var keys []string
	for v := range b.st.vars {
		vs := &b.st.vars[v]
		if key := b.seq.vars[v].key; key != "" && key != memoryKey && vs.declared && !vs.dead && !vs.null {
			keys = append(keys, key)
		}
	}
	return pickOrNone(b.rng, keys)
}

// fit weighs a callable by what the sequence has: calls on its objects reach deeper than
// calls on new ones.
func (b *builder) fit(c *callable) float64 {
	w := 1.0
	switch {
	case c.destroys || c.finishes:
		w *= 0.25
	case c.init:
		w /= 1 + 2*float64(b.countInited(objectOf(c)))
	case c.creates != "":
		w /= 1 + 0.3*float64(len(b.st.live(c.creates)))
	}
	for i := range c.params {
		p := &c.params[i]
		if p.role != roleObject {
			continue
		}
		live := b.st.live(p.object)
		if len(live) == 0 {
			continue
		}
		w *= 2.5
		if p.object == b.focus {
			w *= 6
		}
		fam := b.familyOf(c, p.object)
		for _, v := range live {
			if init := b.st.vars[v].initBy; init != nil && b.st.vars[v].inited && len(fam) > 0 && !c.init {
				switch {
				case !sameWords(family(init.words), fam):
					w *= 0.1
				case sameWords(c.words, fam): // the very thing that was initialised
					w *= 12
				default:
					w *= 4
				}
				break
			}
		}
	}
	return w
}

// countInited counts the structs of the caller that are initialised.
func (b *builder) countInited(key string) int {
	n := 0
	for _, v := range b.st.live(key) {
		if b.st.vars[v].inited {
			n++
		}
	}
	return n
}

// initialisers returns the callables that make a struct of the caller usable.
func (b *builder) initialisers(key string) []*callable {
	var out []*callable
	for _, c := range b.api.callables {
		if c.init && objectOf(c) == key {
			out = append(out, c)
		}
	}
	return out
}

func objectOf(c *callable) string {
	for i := range c.params {
		if c.params[i].role == roleObject {
			return c.params[i].object
		}
	}
	return ""
}

// familyOf returns the longest family of an initialiser of key to which c belongs.
func (b *builder) familyOf(c *callable, key string) []string {
	var best []string
	for _, init := range b.initialisers(key) {
		if fam := family(init.words); inFamily(c.words, fam) && len(fam) > len(best) {
			best = fam
		}
	}
	return best
}

func sameWords(a, b []string) bool { return len(a) == len(b) && inFamily(a, b) }

// call appends a call of c with arguments, creating objects as needed. A call whose
// pattern of arguments tends to crash is usually dropped.
func (b *builder) call(c *callable, nested int) bool {
	if nested > maxNested || len(b.seq.steps) >= b.maxLength {
		return false
	}
	undo := b.seq.clone()
	s := &step{call: c, args: make([]arg, len(c.params)), result: -1}
	if !b.arguments(s, nested) {
		b.rollback(undo)
		return false
	}
	if c.variadic {
		b.variadicArguments(s)
	}
	if safety := b.memory.patterns[patternOf(s)].safety(); safety < 1 && !b.chance(safety*safety) {
		b.rollback(undo)
		return false
	}
	b.append(s)
	return true
}

// arguments chooses the arguments of s that are not chosen yet, half of the time after the
// example of a call that worked.
func (b *builder) arguments(s *step, nested int) bool {
	var like []string
	if worked := b.memory.worked[s.call.name]; len(worked) > 0 && b.chance(0.5) {
		like = pick(b.rng, worked)
	}
	for i := range s.call.params {
		switch r := s.call.params[i].role; {
		case r == roleLength || r == roleLengthPtr || s.args[i].class != "":
		case r == roleScalar && like != nil && like[i] != "" && b.chance(0.8):
			s.args[i] = literal(like[i], like[i])
		case !b.argument(s, i, nested):
			return false
		}
	}
	return true
}

// append adds a finished step and its result.
func (b *builder) append(s *step) {
	if r := s.call.result; r.Kind != apispec.Void {
		key := s.call.creates
		if key == "" && r.Kind == apispec.Pointer && !r.Elem.Const && (r.Elem.Kind == apispec.Void || r.Elem.Name == "char") {
			key = memoryKey
		}
		s.result = b.newVar(variable{kind: varResult, typ: r, key: key})
	}
	b.seq.steps = append(b.seq.steps, *s)
	b.st.apply(s)
	b.st.sync()
}

// memoryKey is the key of pointers to bytes, which a library may want to free itself.
const memoryKey = "char *"

func (b *builder) rollback(to *sequence) {
	*b.seq = *to
	b.st = newState(b.seq, b.st.factsBelow(len(to.vars)))
}

// cleanup ends the life of what is still alive, so that destructors are tested too.
func (b *builder) cleanup() {
	for v := len(b.st.vars) - 1; v >= 0; v-- {
		for _, c := range b.api.callables {
			if !b.ends(c, v) {
				continue
			}
			kind := argVar
			if b.seq.vars[v].kind == varStruct {
				kind = argAddress
			}
			s := &step{call: c, cleanup: true, result: -1, args: []arg{{kind: kind, v: v, class: "end"}}}
			if b.memory.patterns[patternOf(s)].safety() >= 0.5 {
				b.append(s)
			}
		}
	}
}

// ends reports whether c is how the life of v should end now.
func (b *builder) ends(c *callable, v int) bool {
	va, vs := &b.seq.vars[v], &b.st.vars[v]
	if va.key == "" || !vs.declared || vs.dead || vs.null || vs.owner >= 0 ||
		len(c.params) != 1 || b.memory.blocked(vs, use{c, 0}) {
		return false
	}
	p := &c.params[0]
	switch {
	case va.kind == varStruct:
		return vs.inited && c.finishes && p.object == va.key &&
			sameWords(b.familyOf(c, va.key), b.familyOf(vs.initBy, va.key))
	case va.key == memoryKey:
		return c.destroys && p.role == roleAny
	}
	return vs.heap && c.destroys && p.role == roleObject && p.object == va.key
}
