package auvc

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Samples are drawn alike on each machine: the values of all unknowns follow from the number of a sample.
const (
	learning     = 24  // samples that only look for what unknowns are compared with
	samples      = 128 // samples in which conditions are compared
	maxHints     = 64  // values remembered for one unknown
	maxConstants = 256
)

// A sampler gives unknowns a value in one sample after another.
type sampler struct {
	sample    int
	constants []uint64 // of the program
	pools     map[uint64]*pool
	drawn     map[uint64]val // of this sample
	source    *rand.PCG
	numbers   *rand.Rand // of source
}

func newSampler() *sampler {
	source := rand.NewPCG(0, 0)
	return &sampler{constants: []uint64{0, 1, 2}, pools: map[uint64]*pool{}, drawn: map[uint64]val{}, source: source, numbers: rand.New(source)}
}

// collect adds a constant of the program.
func (s *sampler) collect(n uint64) {
	if s.sample == 0 && len(s.constants) < maxConstants && !slices.Contains(s.constants, n) {
		s.constants = append(s.constants, n)
	}
}

// learn remembers what unknowns are compared with.
func (s *sampler) learn(op string, args []val) {
	if s.sample >= learning {
		return
	}
	switch op {
	case "==", "!=", "<", "<=", "strcmp", "strncmp", "memcmp", "-":
		end := "" // of a text
		if op != "strncmp" && op != "memcmp" {
			end = "\x00"
		}
		hint(args[0], args[1], args[0].shape, end)
		hint(args[1], args[0], args[0].shape, end)
	}
}

// A pool is what an unknown has been compared with: values that tell conditions on it apart.
type pool struct {
	numbers []uint64
	floats  []float64
	chars   map[int][]byte // by their index in the text; nil for what is no text
}

func remember[T comparable](list []T, v T) []T {
	if len(list) < maxHints && !slices.Contains(list, v) {
		return append(list, v)
	}
	return list
}

// An origin is the unknown that a value was computed from by conversions and sums with other values.
type origin struct {
	pool *pool
	at   int // of a text: the index of a character, or length
	n    uint64
	f    float64
}

// length is in the place of an index: the value is that of the text.
const length = -1

// combined is the origin of an operation's result, where one operand is no unknown's.
func combined(op string, a, b val) origin {
	switch {
	case op == "+" && a.origin.pool == nil:
		return b.origin
	case (op == "+" || op == "-") && b.origin.pool == nil:
		return a.origin
	}
	return origin{}
}

// solve is the unknown's value with which a value that came from it becomes another one.
func (v val) solve(target val, s shape) val {
	if s.kind == float {
		f := v.origin.f + target.f - v.f
		return val{f: f, n: uint64(int64(f))}
	}
	step := target.n - v.n
	return val{n: v.origin.n + step, f: v.origin.f + float64(int64(step))}
}

// hint remembers for the unknown behind a what it is compared with. end is what ends a text in an array.
func hint(a, b val, s shape, end string) {
	p := a.origin.pool
	switch {
	case p == nil || b.origin.pool != nil || b.undefined || s.kind == float && !(math.Abs(a.f) < 1e6):
	case p.chars != nil && a.origin.at == length:
		end := int(min(b.n, 1<<10))
		p.chars[end] = remember(p.chars[end], 0)
	case p.chars != nil:
		if s.kind != text {
			b.s, end = string([]byte{byte(b.n)}), ""
		}
		for i, c := range []byte(b.s + end) {
			p.chars[a.origin.at+i] = remember(p.chars[a.origin.at+i], c)
		}
	default:
		targets := []val{b}
		if s.kind == float {
			targets = append(targets, val{})
		}
		for _, target := range targets {
			v := a.solve(target, s)
			p.numbers, p.floats = remember(p.numbers, v.n), remember(p.floats, v.f)
		}
	}
}

// mix makes one number of several, as far from its neighbours as may be (the finalizer of SplitMix64: Steele
// et al., OOPSLA 2014).
func mix(parts ...uint64) uint64 {
	h := uint64(len(parts))
	for _, p := range parts {
		h = (h ^ p) + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

func pick[T any](d *rand.Rand, list []T) T { return list[d.IntN(len(list))] }

// exactness is how often, in percent, an unknown has a value that it is compared with. Samples differ in it: a
// condition on many unknowns is to hold in some of them, and to fail in some.
func (s *sampler) exactness() int { return []int{96, 85, 50, 20}[s.sample%4] }

// random returns a stream of numbers for a key in this sample. It is valid until the next call.
func (s *sampler) random(key uint64) *rand.Rand {
	s.source.Seed(key, uint64(s.sample))
	return s.numbers
}

// draw returns the value of an unknown in this sample. The pool of has the values that the unknown is compared with.
// Unknowns with equal keys have equal values.
func (s *sampler) draw(of, key uint64, to shape) val {
	key = mix(key, uint64(to.kind), uint64(to.bits))
	if v, ok := s.drawn[key]; ok {
		return v
	}
	p := s.pools[of]
	if p == nil {
		p = &pool{}
		s.pools[of] = p
	}
	if to.kind == text && p.chars == nil {
		p.chars = map[int][]byte{}
	}
	v := s.drawFrom(p, to, s.random(key))
	v.shape, v.form, v.basis = to, key, basis{unknowns: [3]uint64{key}, operations: 1}
	s.drawn[key] = v
	return v
}

func (s *sampler) drawFrom(p *pool, to shape, d *rand.Rand) val {
	exact := d.IntN(100) < s.exactness()
	switch to.kind {
	case float:
		f := rounded(s.drawFloat(p, exact, d), to)
		return val{f: f, origin: origin{pool: p, f: f, n: uint64(int64(f))}}
	case text:
		return val{s: s.drawText(p, exact, d), origin: origin{pool: p}}
	case other:
		return val{n: mix(uint64(d.IntN(6)), uint64(s.sample))}
	}
	n := fit(s.drawNumber(p, to, exact, d), to)
	return val{n: n, origin: origin{pool: p, n: n, f: float64(int64(n))}}
}

func (s *sampler) drawNumber(p *pool, to shape, exact bool, d *rand.Rand) uint64 {
	if exact && len(p.numbers) > 0 {
		if s.sample%4 < 2 { // each of them in some sample
			return p.numbers[(s.sample/4*2+s.sample%4)%len(p.numbers)]
		}
		return pick(d, p.numbers)
	}
	if to.kind == address {
		return []uint64{0, farAway(uint64(s.sample)), farAway(d.Uint64()), farAway(d.Uint64())}[d.IntN(4)]
	}
	top := uint64(1) << (max(to.bits, 1) - 1)
	if exact && d.IntN(2) == 0 { // the same for all unknowns of the sample
		return uint64(s.sample / 4)
	}
	switch d.IntN(8) {
	case 0: // limits of the type
		return pick(d, []uint64{0, 1, ^uint64(0), top, top - 1, top + 1})
	case 1, 2, 7:
		if len(p.numbers) > 0 {
			return pick(d, p.numbers) + pick(d, []uint64{1, ^uint64(0), 1 << 8, 1 << 16, 1 << 32})
		}
	case 3, 4:
		return pick(d, s.constants) + uint64(d.IntN(3)) - 1
	case 5:
		return uint64(d.IntN(12)) - 2
	case 6:
		return d.Uint64() >> d.IntN(64)
	}
	return d.Uint64()
}

// farAway is an address that no variable has.
func farAway(n uint64) uint64 { return 1<<62 | mix(n)>>2&^(1<<objectBits-1) }

func (s *sampler) drawFloat(p *pool, exact bool, d *rand.Rand) float64 {
	if exact && len(p.floats) > 0 {
		return pick(d, p.floats)
	}
	if exact && d.IntN(2) == 0 { // the same for all unknowns of the sample
		return float64(s.sample)
	}
	switch d.IntN(8) {
	case 0, 1, 2:
		if len(p.floats) > 0 {
			f := pick(d, p.floats)
			return pick(d, []float64{math.Nextafter(f, math.Inf(1)), math.Nextafter(f, math.Inf(-1)), f + 1, f - 1, f + 0.5, f + 0.125, f - 0.125})
		}
		return pick(d, []float64{0, 1, -1, 0.5})
	case 3, 4:
		return pick(d, []float64{math.NaN(), math.NaN(), 0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.MaxFloat32})
	case 5, 6:
		return float64(int64(pick(d, s.constants)))
	}
	return (float64(d.IntN(1<<30))/(1<<30) - 0.5) * math.Ldexp(1, d.IntN(24)-4)
}

// drawText spells a text of the characters that were asked for, or draws one.
func (s *sampler) drawText(p *pool, exact bool, d *rand.Rand) string {
	if len(p.chars) > 0 && (exact || d.IntN(3) > 0) {
		exactness := s.exactness()
		if exact {
			exactness = 98
		}
		out := make([]byte, slices.Max(slices.Collect(maps.Keys(p.chars)))+1)
		for i := range out {
			out[i] = p.char(i, d, exactness)
		}
		text, _, _ := strings.Cut(string(out), "\x00")
		return text
	}
	switch d.IntN(4) {
	case 0:
		return ""
	case 1: // the same for all unknowns of the sample
		return strings.Repeat("s", 1+s.sample%7)
	}
	out := make([]byte, 1+d.IntN(8))
	for i := range out {
		out[i] = byte(1 + d.IntN(255))
	}
	return string(out)
}

// char is a character at an index.
func (p *pool) char(i int, d *rand.Rand, exactness int) byte {
	switch c := p.chars[i]; {
	case len(c) > 0 && d.IntN(100) < exactness:
		return pick(d, c)
	case len(c) > 0 && d.IntN(2) == 0:
		return pick(d, c) + byte(2*d.IntN(2)) - 1
	}
	return byte(1 + d.IntN(255))
}

// hashed is a number for a text (FNV-1a).
func hashed(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}
