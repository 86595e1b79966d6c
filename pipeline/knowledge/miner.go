package knowledge

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// The miner checks Daikon's scalar templates, and those over two and three numbers, on the
// samples of a trace: OneOf (at most 3 values), NonZero, LowerBound, UpperBound; Equal,
// NonEqual, the four orders, LinearBinary; LinearTernary. Its rules of confidence are those of
// Daikon 5.8.25 as docs/knowledge.md lists them; it prints an invariant if it never failed and its
// confidence is at least minConfidence. Of strings it checks OneOf and Equal. Arrays and derived
// variables other than orig(…) need daikon.jar.
const (
	minConfidence = 0.99
	maxOneOf      = 3
	maxNonZero    = 50 // cap of the range that NonZero assumes
	pointerRange  = 3  // the same for pointers
)

// A table is what was seen at one place: a row for each call, a column for each variable.
type table struct {
	point string // NAME(types):::ENTER or :::EXIT
	vars  []Variable
	orig  []bool // the column holds the value at entry
	rows  [][]value
}

// A value is a number, the identity of a pointer, a string, or missing.
type value struct {
	ok      bool
	n       *big.Int // of an int or hashcode
	f       float64
	isFloat bool
	text    string // of a string, in quotation marks; "" of others
}

func parseValue(text, rep string) value {
	switch {
	case text == "":
		return value{}
	case rep == stringRep:
		return value{ok: strings.HasPrefix(text, `"`), text: text}
	case rep == "double":
		f, err := strconv.ParseFloat(text, 64)
		return value{ok: err == nil && !math.IsNaN(f), f: f, isFloat: true}
	case text == "true":
		text = "1"
	case text == "false" || text == "null":
		text = "0"
	}
	n, ok := new(big.Int).SetString(text, 0)
	return value{ok: ok, n: n}
}

func (v value) cmp(w value) int {
	if v.text != "" {
		return strings.Compare(v.text, w.text)
	}
	if v.isFloat {
		return cmp.Compare(v.f, w.f)
	}
	return v.n.Cmp(w.n)
}

func (v value) sign() int {
	if v.text != "" {
		return 1
	}
	if v.isFloat {
		return cmp.Compare(v.f, 0)
	}
	return v.n.Sign()
}

func (v value) String() string {
	if v.text != "" {
		return v.text
	}
	if v.isFloat {
		return strconv.FormatFloat(v.f, 'g', -1, 64)
	}
	return v.n.String()
}

// tables sorts the samples of a trace into tables, one for the entry and one for all exits of
// each function. At an exit, parameters have their values at entry only, for a caller never
// sees others; fields, globals and results have both.
func tables(t *Trace) []*table {
	var list []*table
	byPoint := map[string]*table{}
	entries := map[[2]any]Sample{}
	at := func(p *Point, entry *Point) *table {
		function, where, _ := strings.Cut(p.Name, ":::")
		if strings.HasPrefix(where, "EXIT") {
			where = "EXIT"
		}
		name := function + ":::" + where
		if tb := byPoint[name]; tb != nil {
			return tb
		}
		tb := &table{point: name}
		for _, v := range p.Vars {
			if where == "ENTER" || !v.Param {
				tb.vars, tb.orig = append(tb.vars, v), append(tb.orig, false)
			}
		}
		if where == "EXIT" && entry != nil {
			for _, v := range entry.Vars {
				v.Name = "orig(" + v.Name + ")"
				tb.vars, tb.orig = append(tb.vars, v), append(tb.orig, true)
			}
		}
		byPoint[name] = tb
		list = append(list, tb)
		return tb
	}
	for _, s := range t.Samples {
		function, where, _ := strings.Cut(s.Point.Name, ":::")
		key := [2]any{function, s.Nonce}
		if where == "ENTER" {
			entries[key] = s
			continue
		}
		entry, ok := entries[key]
		if !ok && s.Nonce >= 0 {
			continue // Daikon drops what has no entry
		}
		delete(entries, key)
		if ok {
			at(entry.Point, nil).add(entry, Sample{})
			at(s.Point, entry.Point).add(s, entry)
		} else {
			at(s.Point, nil).add(s, Sample{})
		}
	}
	return list
}

// add appends a row.
func (t *table) add(s, entry Sample) {
	row := make([]value, len(t.vars))
	for i, v := range t.vars {
		from, name := s, v.Name
		if t.orig[i] {
			from, name = entry, strings.TrimSuffix(strings.TrimPrefix(v.Name, "orig("), ")")
		}
		if from.Point == nil {
			continue
		}
		j := slices.IndexFunc(from.Point.Vars, func(w Variable) bool { return w.Name == name })
		if j >= 0 && j < len(from.Values) {
			row[i] = parseValue(from.Values[j], v.RepType)
		}
	}
	t.rows = append(t.rows, row)
}

// Mine returns the likely invariants of a trace, by program point in the order of first visit.
func Mine(t *Trace) []Likely {
	var list []Likely
	for _, tb := range tables(t) {
		m := &miner{table: tb}
		m.mine()
		list = append(list, m.found...)
	}
	return list
}

// A miner works on one table.
type miner struct {
	*table
	found    []Likely
	constant []bool // has one value
	follower []bool // equals an earlier variable
	linear   map[[2]int]bool
}

func (m *miner) mine() {
	n := len(m.vars)
	m.constant, m.follower, m.linear = make([]bool, n), make([]bool, n), map[[2]int]bool{}
	for i := range n {
		for j := i + 1; j < n; j++ {
			if !m.follower[i] && !m.follower[j] && m.comparable(i, j) && m.compare(i, j) == [3]bool{false, true, false} {
				m.follower[j] = !m.ofText(i) && !m.ofText(j) || m.together(i, j)
				m.linear[[2]int{i, j}] = true // nothing more is to be said of the two
				m.add(Likely{Template: Equal, Vars: []string{m.vars[i].Name, m.vars[j].Name}}, i, j)
			}
		}
	}
	for i := range n {
		if !m.follower[i] {
			m.unary(i)
		}
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			if m.open(i) && m.open(j) && m.comparable(i, j) && !m.linear[[2]int{i, j}] {
				m.binary(i, j)
			}
		}
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			for k := j + 1; k < n; k++ {
				if m.open(i) && m.open(j) && m.open(k) && m.comparable(i, j) && m.comparable(j, k) && m.comparable(i, k) &&
					!m.linear[[2]int{i, j}] && !m.linear[[2]int{j, k}] && !m.linear[[2]int{i, k}] {
					m.ternary(i, j, k)
				}
			}
		}
	}
}

// ofText reports whether a variable is a string or the size of one, which often has no value.
func (m *miner) ofText(i int) bool {
	v := m.vars[i]
	return v.RepType == stringRep || v.Enclosing != "" && !strings.HasPrefix(v.Kind, "field ")
}

// together reports whether two variables have values in the same rows, or else one does not speak
// for the other.
func (m *miner) together(i, j int) bool {
	return !slices.ContainsFunc(m.rows, func(row []value) bool { return row[i].ok != row[j].ok })
}

// open reports whether more is to be said of a variable: of a constant or one that equals
// another, everything is said.
func (m *miner) open(i int) bool { return !m.constant[i] && !m.follower[i] }

// add keeps an invariant, unless it is about the entry alone and is said there.
func (m *miner) add(l Likely, vars ...int) {
	for _, i := range vars {
		if !m.orig[i] {
			l.Point = m.point
			m.found = append(m.found, l)
			return
		}
	}
	if strings.HasSuffix(m.point, "ENTER") {
		l.Point = m.point
		m.found = append(m.found, l)
	}
}

func (m *miner) comparable(i, j int) bool {
	a, b := m.vars[i], m.vars[j]
	if (a.RepType == stringRep) != (b.RepType == stringRep) {
		return false
	}
	pointers := (a.RepType == "hashcode") == (b.RepType == "hashcode")
	floats := (a.RepType == "double") == (b.RepType == "double")
	return pointers && floats && (a.Comparability == b.Comparability || a.Comparability == -1 || b.Comparability == -1)
}

// both calls do with the values of some columns where all of them are there.
func (m *miner) both(do func(vs []value), cols ...int) {
	for _, row := range m.rows {
		var vs []value
		for _, c := range cols {
			if row[c].ok {
				vs = append(vs, row[c])
			}
		}
		if len(vs) == len(cols) {
			do(vs)
		}
	}
}

// compare says which of <, == and > were seen.
func (m *miner) compare(i, j int) (seen [3]bool) {
	m.both(func(vs []value) { seen[vs[0].cmp(vs[1])+1] = true }, i, j)
	return seen
}

// unary looks for OneOf, and else for NonZero and the bounds.
func (m *miner) unary(i int) {
	name, pointer := m.vars[i].Name, m.vars[i].RepType == "hashcode"
	counts, values := map[string]int{}, []value{}
	total, zeros := 0, 0
	m.both(func(vs []value) {
		total++
		if vs[0].sign() == 0 {
			zeros++
		}
		if counts[vs[0].String()]++; counts[vs[0].String()] == 1 {
			values = append(values, vs[0])
		}
	}, i)
	if total == 0 {
		return
	}
	slices.SortFunc(values, value.cmp)
	distinct := len(values)
	m.constant[i] = distinct == 1
	switch {
	case pointer && distinct == 1 && zeros == 0:
		m.add(Likely{Template: OneValue, Vars: []string{name}}, i)
	case pointer && distinct == 1:
		m.add(Likely{Template: OneOf, Vars: []string{name}, Values: []string{"null"}}, i)
	case !pointer && distinct <= maxOneOf:
		l := Likely{Template: OneOf, Vars: []string{name}}
		for _, v := range values {
			l.Values = append(l.Values, v.String())
		}
		m.add(l, i)
		return // it says more than bounds
	case m.vars[i].RepType == stringRep:
		return
	}
	if zeros == 0 && distinct > 1 && nonZero(values, total, pointer) {
		m.add(Likely{Template: NonZero, Vars: []string{name}, Pointer: pointer}, i)
	}
	if pointer || m.vars[i].RepType == "double" || distinct <= maxOneOf {
		return
	}
	if bounded(values, counts, total, false) {
		m.add(Likely{Template: LowerBound, Vars: []string{name}, Values: []string{values[0].String()}}, i)
	}
	if bounded(values, counts, total, true) {
		m.add(Likely{Template: UpperBound, Vars: []string{name}, Values: []string{values[distinct-1].String()}}, i)
	}
}

// nonZero judges a variable that never was 0, as if its values were equally likely: confidence
// 1-(1-1/range)^n. Numbers must have been on both sides of 0.
func nonZero(values []value, total int, pointer bool) bool {
	width := float64(pointerRange)
	if !pointer {
		if values[0].sign() > 0 || values[len(values)-1].sign() < 0 {
			return false
		}
		width = min(spread(values), maxNonZero)
	}
	return 1-math.Pow(1-1/width, float64(total)) >= minConfidence
}

// spread is how many integers lie between the first and last value.
func spread(values []value) float64 {
	first, last := values[0], values[len(values)-1]
	if first.isFloat {
		return math.MaxFloat64
	}
	d := new(big.Int).Sub(last.n, first.n)
	f, _ := new(big.Float).SetInt(d).Float64()
	return f + 1
}

// bounded judges the least (or greatest) value as a bound: it was seen at least 3 times, and
// either 5 times as often as the average value, or like the two next to it, as if every value
// up to it were equally likely.
func bounded(values []value, counts map[string]int, total int, upper bool) bool {
	at := func(k int) value {
		if upper {
			return values[len(values)-1-k]
		}
		return values[k]
	}
	average := float64(total) / spread(values)
	n := func(k int) float64 { return float64(counts[at(k).String()]) }
	if n(0) < 3 {
		return false
	}
	if n(0) >= 5*average {
		return true
	}
	for k := range 3 {
		if n(k) < average/2 {
			return false
		}
		if k > 0 {
			step := new(big.Int).Sub(at(k).n, at(k-1).n)
			if step.CmpAbs(big.NewInt(1)) != 0 {
				return false
			}
		}
	}
	return true
}

// binary looks for a line, and else for an order.
func (m *miner) binary(i, j int) {
	if m.vars[i].RepType == stringRep {
		return // strings are compared for equality only
	}
	names := []string{m.vars[i].Name, m.vars[j].Name}
	pointer := m.vars[i].RepType == "hashcode"
	if !pointer && m.vars[i].RepType != "double" {
		if c, ok := m.plane(4, i, j); ok {
			m.linear[[2]int{i, j}] = true
			m.add(Likely{Template: Linear, Vars: names, Values: c}, i, j)
			return
		}
	}
	n := 0
	m.both(func([]value) { n++ }, i, j)
	if 1-math.Pow(0.5, float64(n)) < minConfidence {
		return
	}
	seen := m.compare(i, j)
	template := map[[3]bool]Template{
		{true, false, false}: Less, {true, true, false}: LessEqual, {false, false, true}: Greater, {false, true, true}: GreaterEqual, {true, false, true}: NotEqual,
	}[seen]
	if pointer && template != "" && !seen[1] {
		template = NotEqual
	} else if pointer {
		return
	}
	if template != "" {
		m.add(Likely{Template: template, Vars: names}, i, j)
	}
}

// ternary looks for a plane.
func (m *miner) ternary(i, j, k int) {
	if rep := m.vars[i].RepType; rep == "hashcode" || rep == "double" || rep == stringRep {
		return
	}
	if c, ok := m.plane(5, i, j, k); ok {
		m.add(Likely{Template: Linear, Vars: []string{m.vars[i].Name, m.vars[j].Name, m.vars[k].Name}, Values: c}, i, j, k)
	}
}

// plane returns the smallest integers a, b, …, d with a*x + b*y + … + d == 0 for every row,
// none but d being 0; ok is false if there are none, if fewer than least rows differ, or if
// the rows do not determine them.
func (m *miner) plane(least int, cols ...int) (coefficients []string, ok bool) {
	var points [][]*big.Int
	seen := map[string]bool{}
	m.both(func(vs []value) {
		key, p := "", make([]*big.Int, len(vs))
		for i, v := range vs {
			p[i] = v.n
			key += v.String() + " "
		}
		if !seen[key] {
			seen[key] = true
			points = append(points, p)
		}
	}, cols...)
	if len(points) < least {
		return nil, false
	}
	normal := normalOf(points)
	if normal == nil {
		return nil, false
	}
	d := new(big.Int)
	for i := range normal {
		if normal[i].Sign() == 0 {
			return nil, false
		}
		d.Sub(d, new(big.Int).Mul(normal[i], points[0][i]))
	}
	for _, p := range points {
		sum := new(big.Int).Set(d)
		for i := range p {
			sum.Add(sum, new(big.Int).Mul(normal[i], p[i]))
		}
		if sum.Sign() != 0 {
			return nil, false
		}
	}
	return reduced(append(normal, d)), true
}

// normalOf returns a vector at a right angle to all differences of points: in two dimensions
// to the first, in three to the first two that are not parallel.
func normalOf(points [][]*big.Int) []*big.Int {
	minus := func(a, b []*big.Int) []*big.Int {
		out := make([]*big.Int, len(a))
		for i := range a {
			out[i] = new(big.Int).Sub(a[i], b[i])
		}
		return out
	}
	u := minus(points[1], points[0])
	if len(u) == 2 {
		return []*big.Int{u[1], new(big.Int).Neg(u[0])}
	}
	det := func(a, b, c, d *big.Int) *big.Int {
		return new(big.Int).Sub(new(big.Int).Mul(a, d), new(big.Int).Mul(b, c))
	}
	for _, p := range points[2:] {
		v := minus(p, points[0])
		n := []*big.Int{det(u[1], u[2], v[1], v[2]), det(u[2], u[0], v[2], v[0]), det(u[0], u[1], v[0], v[1])}
		if n[0].Sign() != 0 || n[1].Sign() != 0 || n[2].Sign() != 0 {
			return n
		}
	}
	return nil
}

// reduced divides integers by their greatest common divisor and makes the first positive.
func reduced(list []*big.Int) []string {
	g := new(big.Int)
	for _, n := range list {
		g.GCD(nil, nil, g, new(big.Int).Abs(n))
	}
	if list[0].Sign() < 0 {
		g.Neg(g)
	}
	var out []string
	for _, n := range list {
		out = append(out, new(big.Int).Quo(n, g).String())
	}
	return out
}
