package auvc

import (
	"math"
	"math/rand/v2"
	"strings"
)

// A sampler evaluates terms in one sample after another.
type sampler struct {
	*table
	sample    int
	constants []uint64 // of the program
	pools     map[uint64]*pool
	drawn     map[uint64]val // of this sample: equal unknowns have equal values
	memo      []val          // by term
	done      []int          // the sample for which memo holds
}

func newSampler(t *table) *sampler {
	s := &sampler{table: t, pools: map[uint64]*pool{}, memo: make([]val, len(t.all)), done: make([]int, len(t.all))}
	s.constants = []uint64{0, 1, 2}
	for _, n := range t.all {
		if n.op == constant && n.shape.kind == number {
			s.constants = append(s.constants, n.value.n)
		}
	}
	return s
}

// begin goes on to a sample.
func (s *sampler) begin(sample int) {
	s.sample, s.drawn = sample, map[uint64]val{}
}

// eval returns a term's value in this sample.
func (s *sampler) eval(n *term) val {
	if n.op == constant {
		return n.value
	}
	if s.done[n.id] != s.sample+1 {
		s.memo[n.id] = s.compute(n)
		s.done[n.id] = s.sample + 1
	}
	return s.memo[n.id]
}

func (s *sampler) compute(n *term) val {
	switch n.op {
	case unknown:
		key := []uint64{hashed(n.name)}
		for _, a := range n.args {
			v := s.eval(a)
			if v.undefined {
				return v
			}
			key = append(key, v.hash())
		}
		return s.unknown(uint64(n.id), mix(key...), n.shape)
	case "?:", "&&", "||":
		if s.sample < learning {
			for _, a := range n.args {
				s.eval(a)
			}
		}
		c := s.eval(n.args[0])
		holds := c.isTrue(n.args[0].shape)
		switch {
		case c.undefined:
			return c
		case n.op == "?:" && holds:
			return s.eval(n.args[1])
		case n.op == "?:":
			return s.eval(n.args[2])
		case holds == (n.op == "||"):
			return truth(holds)
		}
		c = s.eval(n.args[1])
		return val{n: truth(c.isTrue(n.args[1].shape)).n, undefined: c.undefined}
	case read, textAt, slice:
		return s.fromMemory(n)
	case content:
		at := s.eval(n.args[1])
		return val{n: s.content(n.args[0], at.n, nil), undefined: at.undefined}
	}
	v := make([]val, len(n.args))
	for i, a := range n.args {
		v[i] = s.eval(a)
	}
	switch n.op {
	case "==", "!=", "<", "<=", "strcmp", "strncmp", "memcmp", "-":
		if s.sample < learning {
			end := "" // of a text
			if n.op != "strncmp" && n.op != "memcmp" {
				end = "\x00"
			}
			hint(v[0], v[1], n.args[0].shape, end)
			hint(v[1], v[0], n.args[0].shape, end)
		}
	}
	return apply(n.op, n.shape, n.args, v)
}

// fromMemory is what an object holds, in whichever form. What is at an index that differs between samples has no
// origin.
func (s *sampler) fromMemory(n *term) (v val) {
	at, start := s.eval(n.args[1]), s.eval(n.args[2])
	switch {
	case at.undefined || start.undefined:
		return val{undefined: true}
	case n.op == read:
		v = s.read(n, at.n, start.n, n.shape)
	case n.op == textAt:
		v = s.textAt(n, at.n, start.n)
	default:
		v = s.slice(n, at.n, start.n, s.eval(n.args[3]).n)
	}
	base, _ := split(n.args[1])
	if first, _ := split(n.args[2]); base != first {
		v.origin = origin{}
	}
	return v
}

// unknown is the value of an unknown in this sample; what it has been compared with is kept in the pool.
func (s *sampler) unknown(of, key uint64, to shape) val {
	key = mix(key, uint64(to.kind), uint64(to.bits))
	if v, ok := s.drawn[key]; ok {
		return v
	}
	p := s.pools[of]
	if p == nil {
		p = &pool{}
		if to.kind == text {
			p.chars = map[int][]byte{}
		}
		s.pools[of] = p
	}
	v := s.draw(p, to, rand.New(rand.NewPCG(key, uint64(s.sample))))
	s.drawn[key] = v
	return v
}

func (v val) hash() uint64 { return mix(v.n, hashed(v.s), math.Float64bits(v.f+0)) }

// objectBits is how many bits of an address are the place within an object.
const objectBits = 32

// older is a memory before its last change.
func (s *sampler) older(m *term) *term {
	if m.op == "?:" && s.eval(m.args[0]).n != 0 {
		return m.args[1]
	} else if m.op == "?:" {
		return m.args[2]
	}
	return m.args[0]
}

// read returns what the memory of a term has at an address. A character that was never written is one of the text that
// begins at start.
func (s *sampler) read(n *term, at, start uint64, to shape) val {
	size := uint64(max(to.bits, 8) / 8)
	cell := func(of *term) uint64 { return mix(uint64(of.id), uint64(n.args[1].id), uint64(n.args[2].id)) }
	for m := n.args[0]; ; m = s.older(m) {
		switch m.op {
		case zeroed:
			return val{}
		case literal:
			return val{n: fit(uint64(charOf(m.value.s, at-s.eval(m.args[0]).n)), to)}
		case held:
			key := mix(s.eval(m.args[0]).hash(), at-s.eval(m.args[1]).n)
			return s.unknown(cell(m), key, to)
		case anything:
			if size == 1 && to.kind == number {
				return s.character(n, m, at, start, to)
			}
			return s.unknown(cell(m), mix(uint64(m.id), at), to)
		case stored:
			to2 := m.args[2].shape
			there, width := s.eval(m.args[1]).n, uint64(max(to2.bits, 8)/8)
			same := to2.kind == to.kind && to2.bits == to.bits
			switch {
			case there == at && same:
				return convertSign(s.eval(m.args[2]), to)
			case size == 1 && to.kind == number && to2.kind != float && at-there < width: // one of its bytes
				return val{n: fit(s.eval(m.args[2]).n>>(8*(at-there)), to)}
			case there < at+size && at < there+width:
				return s.unknown(uint64(m.id), mix(s.eval(m.args[2]).hash(), at-there), to)
			}
		}
	}
}

func convertSign(v val, to shape) val {
	if to.kind == number {
		v.n = fit(v.n, to)
	}
	return v
}

func charOf(text string, i uint64) byte {
	if i < uint64(len(text)) {
		return text[i]
	}
	return 0
}

// text is the text that memory of which nothing is known has from start on, for a term that reads it.
func (s *sampler) text(n, m *term, start uint64) val {
	return s.unknown(mix(uint64(m.id), uint64(n.args[2].id)), mix(uint64(m.id), start), textShape)
}

// character is one of such a text, or one behind its end.
func (s *sampler) character(n, m *term, at, start uint64, to shape) val {
	t := s.text(n, m, start)
	i := at - start
	c := charOf(t.s, i)
	if i > uint64(len(t.s)) {
		d := rand.New(rand.NewPCG(mix(uint64(m.id), at), uint64(s.sample)))
		c = t.origin.pool.char(int(min(i, 1<<10)), d, s.exactness())
	}
	t.origin.at = int(min(i, 1<<10))
	return val{n: fit(uint64(c), to), origin: t.origin}
}

// textAt is the C string at an address.
func (s *sampler) textAt(n *term, at, start uint64) val {
	const most = 1 << 12
	root := n.args[0]
	for root.op == "?:" || root.op == stored && root.args[2].shape.bits != 8 {
		root = s.older(root)
	}
	switch {
	case root.op == held && root.args[0].shape.kind == text:
		return s.eval(root.args[0])
	case root.op == anything && at == start:
		t := s.text(n, root, start)
		if end := strings.IndexByte(t.s, 0); end >= 0 {
			t.s = t.s[:end]
		}
		return t
	}
	var b strings.Builder
	var first origin
	for i := range uint64(most) {
		c := s.read(n, at+i, start, byteShape)
		if i == 0 {
			first = c.origin
		}
		if c.n == 0 || c.undefined {
			break
		}
		b.WriteByte(byte(c.n))
	}
	return val{s: b.String(), origin: first}
}

// slice is a number of bytes from an address on, as a text whose origin is that of the first.
func (s *sampler) slice(n *term, at, start, size uint64) val {
	const most = 1 << 8
	var out []byte
	var first origin
	for i := range min(size, most) {
		c := s.read(n, at+i, start, byteShape)
		if out = append(out, byte(c.n)); i == 0 {
			first = c.origin
		}
	}
	return val{s: string(out), origin: first}
}

// content is a number for all that an object at an address holds: equal contents have equal numbers.
func (s *sampler) content(m *term, at uint64, seen map[uint64]bool) uint64 {
	sum := uint64(0)
	for ; ; m = s.older(m) {
		switch m.op {
		case zeroed:
			return sum
		case literal:
			return sum + hashed(m.value.s)
		case held:
			return sum + mix(s.eval(m.args[0]).hash(), at-s.eval(m.args[1]).n)
		case anything:
			return sum + mix(uint64(m.id), at)
		case stored:
			place := s.eval(m.args[1]).n - at
			if !seen[place] {
				if seen == nil {
					seen = map[uint64]bool{}
				}
				seen[place] = true
				sum += mix(place, s.eval(m.args[2]).hash())
			}
		}
	}
}
