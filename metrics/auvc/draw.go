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
	learning = 24  // samples that only look for what unknowns are compared with
	samples  = 128 // samples in which conditions are compared
	maxHints = 64  // values remembered for one unknown
)

// A sampler gives unknowns a value in one sample after another.
type sampler struct {
	sample    int
	constants []uint64 // of the program
	pools     map[uint64]*pool
	drawn     map[uint64]val // of this sample
}

func newSampler() *sampler {
	return &sampler{constants: []uint64{0, 1, 2}, pools: map[uint64]*pool{}, drawn: map[uint64]val{}}
}

// collect adds a constant of the program.
func (s *sampler) collect(n uint64) {
	const most = 256
	if s.sample == 0 && len(s.constants) < most && !slices.Contains(s.constants, n) {
		s.constants = append(s.constants, n)
	}
}

// A pool is what an unknown has been compared with: values that tell conditions on it apart.
type pool struct {
	hints []hint
	chars map[int][]byte // by their index in the text; nil for what is no text
}

// A hint is a value as a number, and as a float.
type hint struct {
	n uint64
	f float64
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
	at   int  // of a text: the index of a character, or length
	hint hint // the unknown's value
}

// length is in the place of an index: the value is that of the text.
const length = -1

// learn remembers what unknowns are compared with.
func (s *sampler) learn(op string, args []val) {
	if s.sample >= learning {
		return
	}
	switch op {
	case "==", "!=", "<", "<=", "strcmp", "-":
		args[0].learn(args[1], "\x00")
		args[1].learn(args[0], "\x00")
	case "strncmp", "memcmp":
		args[0].learn(args[1], "")
		args[1].learn(args[0], "")
	}
}

// learn remembers for the unknown behind a value what it is compared with: the value of the unknown with which it is
// that. end is what ends a text in an array.
func (v val) learn(with val, end string) {
	p, s := v.origin.pool, with.shape
	switch {
	case p == nil || with.origin.pool != nil || with.undefined || s.kind == float && !(math.Abs(v.f) < 1e6):
	case p.chars != nil && v.origin.at == length:
		end := int(min(with.n, 1<<10))
		p.chars[end] = remember(p.chars[end], 0)
	case p.chars != nil:
		if s.kind != text {
			with.s, end = string([]byte{byte(with.n)}), ""
		}
		for i, c := range []byte(with.s + end) {
			p.chars[v.origin.at+i] = remember(p.chars[v.origin.at+i], c)
		}
	case s.kind == float:
		for _, target := range []float64{with.f, 0} {
			f := v.origin.hint.f + target - v.f
			p.hints = remember(p.hints, hint{uint64(int64(f)), f})
		}
	default:
		step := with.n - v.n
		p.hints = remember(p.hints, hint{v.origin.hint.n + step, v.origin.hint.f + float64(int64(step))})
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

// hashed is a number for a text (FNV-1a).
func hashed(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}

func pick[T any](d *rand.Rand, list []T) T { return list[d.IntN(len(list))] }

// exactness is how often, in percent, an unknown has a value that it is compared with. Samples differ in it: a
// condition on many unknowns is to hold in some of them, and to fail in some.
func (s *sampler) exactness() int { return []int{96, 85, 50, 20}[s.sample%4] }

// random returns a stream of numbers for a key in this sample.
func (s *sampler) random(key uint64) *rand.Rand { return rand.New(rand.NewPCG(key, uint64(s.sample))) }

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
	d := s.random(key)
	exact := d.IntN(100) < s.exactness()
	v := val{shape: to, form: key, unknowns: unknowns{key}, origin: origin{pool: p}}
	switch to.kind {
	case text:
		if p.chars == nil {
			p.chars = map[int][]byte{}
		}
		v.s = s.drawText(p, exact, d)
	case other:
		v.n, v.origin.pool = mix(uint64(d.IntN(6)), uint64(s.sample)), nil
	case float:
		v.f = rounded(s.drawFloat(p, exact, d), to)
		v.origin.hint = hint{uint64(int64(v.f)), v.f}
	default:
		v.n = fit(s.drawNumber(p, to, exact, d), to)
		v.origin.hint = hint{v.n, float64(int64(v.n))}
	}
	s.drawn[key] = v
	return v
}

func (s *sampler) drawNumber(p *pool, to shape, exact bool, d *rand.Rand) uint64 {
	switch {
	case exact && len(p.hints) > 0 && s.sample%4 < 2: // each of them in some sample
		return p.hints[(s.sample/4*2+s.sample%4)%len(p.hints)].n
	case exact && len(p.hints) > 0:
		return pick(d, p.hints).n
	case to.kind == address:
		return []uint64{0, farAway(uint64(s.sample)), farAway(d.Uint64()), farAway(d.Uint64())}[d.IntN(4)]
	case exact && d.IntN(2) == 0: // the same for all unknowns of the sample
		return uint64(s.sample / 4)
	}
	top := uint64(1) << (max(to.bits, 1) - 1)
	switch d.IntN(8) {
	case 0: // limits of the type
		return pick(d, []uint64{0, 1, ^uint64(0), top, top - 1, top + 1})
	case 1, 2, 7:
		if len(p.hints) > 0 {
			return pick(d, p.hints).n + pick(d, []uint64{1, ^uint64(0), 1 << 8, 1 << 16, 1 << 32})
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
	switch {
	case exact && len(p.hints) > 0:
		return pick(d, p.hints).f
	case exact && d.IntN(2) == 0: // the same for all unknowns of the sample
		return float64(s.sample)
	}
	switch d.IntN(8) {
	case 0, 1, 2:
		if len(p.hints) > 0 {
			f := pick(d, p.hints).f
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
	out := make([]byte, 1+d.IntN(8))
	exactness := s.exactness()
	switch n := d.IntN(12); {
	case len(p.chars) > 0 && (exact || n < 8):
		out = make([]byte, slices.Max(slices.Collect(maps.Keys(p.chars)))+1)
		if exact {
			exactness = 98
		}
	case n%4 == 0:
		return ""
	case n%4 == 1: // the same for all unknowns of the sample
		return strings.Repeat("s", 1+s.sample%7)
	}
	for i := range out {
		out[i] = p.char(i, d, exactness)
	}
	drawn, _, _ := strings.Cut(string(out), "\x00")
	return drawn
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
