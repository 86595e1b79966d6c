package knowledge

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// The miner checks Daikon's templates over one, two and three numbers on the samples of a trace. They are oneOf
// (at most 3 values), notZero, lowerBound, upperBound; Equal, NonEqual, the four orders, LinearBinary;
// LinearTernary. Its rules of confidence and of what is not worth printing are those of Daikon 5.8.25, as
// docs/reference/knowledge.md lists them. It prints an invariant if it never failed and its confidence is at
// least minConfidence. Of strings it checks oneOf and Equal, of pointers these and notZero, lines and planes of
// integers only. Arrays and derived variables other than orig(…) need daikon.jar.
const (
	minConfidence = 0.99
	maxOneOf      = 3
	maxNonZero    = 50 // cap of the range that notZero assumes
	pointerRange  = 3  // the same for pointers
	// Bounds outside of these are not printed.
	minBound, maxBound = -1, 2
	minBoundSamples    = 5 // from one more on
)

// mineTrace returns the likely invariants of a trace, by program point in the order of first visit.
func mineTrace(t *trace) []likely {
	var list []likely
	for _, tb := range tables(t, "") {
		m := &miner{table: tb}
		m.mine()
		list = append(list, m.found...)
	}
	return list
}

// A miner works on one table.
type miner struct {
	*table
	found    []likely
	constant []bool          // a number that has one value
	linear   map[[2]int]bool // of which a line is known
}

func (m *miner) mine() {
	leaders := m.equalities()
	m.constant, m.linear = make([]bool, len(m.vars)), map[[2]int]bool{}
	for _, i := range leaders {
		m.unary(i)
	}
	for a, i := range leaders {
		for _, j := range leaders[a+1:] {
			if m.comparable(i, j) {
				m.binary(i, j)
			}
		}
	}
	for a, i := range leaders {
		for b, j := range leaders[a+1:] {
			for _, k := range leaders[a+b+2:] {
				if !m.constant[i] && !m.constant[j] && !m.constant[k] && m.comparable(i, j) && m.comparable(j, k) && m.comparable(i, k) &&
					!m.linear[[2]int{i, j}] && !m.linear[[2]int{j, k}] && !m.linear[[2]int{i, k}] {
					m.ternary(i, j, k)
				}
			}
		}
	}
}

// equalities sorts the variables into sets that were equal in every row, being missing in the
// same ones, and returns the leaders of the sets in order. Nothing else is said of the others.
// A leader is the first of the variables with the fewest parts.
func (m *miner) equalities() (leaders []int) {
	sets, keys := map[string][]int{}, []string{}
	for i, v := range m.vars {
		key, seen := fmt.Sprintf("%s %d", v.RepType, v.Comparability), false
		for _, row := range m.rows {
			key += "\x00"
			switch {
			case row[i].isNaN():
				key, seen = fmt.Sprintf("%s%d differs", key, i), true // also from itself
			case row[i].ok:
				key, seen = key+row[i].String(), true
			}
		}
		if !seen {
			continue
		}
		if len(sets[key]) == 0 {
			keys = append(keys, key)
		}
		sets[key] = append(sets[key], i)
	}
	for _, key := range keys {
		set := sets[key]
		leader := slices.MinFunc(set, func(i, j int) int { return cmp.Compare(m.parts(i), m.parts(j)) })
		leaders = append(leaders, leader)
		for _, i := range set {
			if a, b := min(i, leader), max(i, leader); a != b {
				m.add(likely{Template: equal, Vars: []string{m.vars[a].Name, m.vars[b].Name}}, a, b)
			}
		}
	}
	slices.Sort(leaders)
	return leaders
}

// parts counts the names of an expression: 2 for t->count, one more for orig(…).
func (m *miner) parts(i int) int {
	n, v := 1, m.vars[i]
	if m.orig[i] {
		n++
	}
	for v.Enclosing != "" && n <= len(m.vars) {
		n++
		j := slices.IndexFunc(m.vars, func(w traceVariable) bool { return bareName(w.Name) == v.Enclosing })
		if j < 0 {
			break
		}
		v = m.vars[j]
	}
	return n
}

// bareName is the name of a variable at entry.
func bareName(name string) string {
	if rest, ok := strings.CutPrefix(name, "orig("); ok {
		return strings.TrimSuffix(rest, ")")
	}
	return name
}

// add keeps an invariant, unless it is about the entry alone and is said there.
func (m *miner) add(l likely, vars ...int) {
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
	m.both(func(vs []value) {
		if vs[0].isNaN() || vs[1].isNaN() {
			seen = [3]bool{true, true, true}
		}
		seen[vs[0].cmp(vs[1])+1] = true
	}, i, j)
	return seen
}

// unary looks for oneOf, and else for notZero and the bounds.
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
	m.constant[i] = distinct == 1 && !pointer && m.vars[i].RepType != stringRep
	switch {
	case pointer && distinct == 1 && zeros == 0:
		m.add(likely{Template: oneValue, Vars: []string{name}}, i)
	case pointer && distinct == 1:
		m.add(likely{Template: oneOf, Vars: []string{name}, Values: []string{"null"}}, i)
	case !pointer && distinct <= maxOneOf:
		l := likely{Template: oneOf, Vars: []string{name}}
		for _, v := range values {
			l.Values = append(l.Values, v.String())
		}
		m.add(l, i)
		return // it says more than bounds
	case m.vars[i].RepType == stringRep:
		return
	}
	if zeros == 0 && distinct > 1 && nonZero(values, total, pointer) {
		m.add(likely{Template: notZero, Vars: []string{name}, Pointer: pointer}, i)
	}
	if pointer || distinct <= maxOneOf {
		return
	}
	if lo := values[0]; interesting(lo) && bounded(values, counts, total, false) {
		m.add(likely{Template: lowerBound, Vars: []string{name}, Values: []string{lo.String()}}, i)
	}
	if hi := values[distinct-1]; interesting(hi) && bounded(values, counts, total, true) {
		m.add(likely{Template: upperBound, Vars: []string{name}, Values: []string{hi.String()}}, i)
	}
}

// interesting reports whether a bound is small enough to be printed.
func interesting(v value) bool {
	return v.float() >= minBound && v.float() <= maxBound
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
	return values[len(values)-1].float() - values[0].float() + 1
}

// bounded judges the least (or greatest) value as a bound. It must have been seen at least 3 times. It must
// also be 5 times as frequent as the average value, or as frequent as its two neighbours, as if values were
// equally likely up to it. The average is at most 100, and a fifth for a least value of 0.
func bounded(values []value, counts map[string]int, total int, upper bool) bool {
	at := func(k int) value {
		if upper {
			return values[len(values)-1-k]
		}
		return values[k]
	}
	if total <= minBoundSamples {
		return false
	}
	average := min(float64(total)/spread(values), 100)
	if !upper && at(0).sign() == 0 {
		average /= 5
	}
	doubt := 0.0 // that the three values are as frequent as the average
	for k := range 3 {
		p := shortOf(float64(counts[at(k).String()]), average/2)
		if k > 0 && math.Abs(at(k).float()-at(k-1).float()) != 1 {
			p = 1
		}
		doubt = 1 - (1-doubt)*(1-p)
	}
	n := float64(counts[at(0).String()])
	doubt = min(doubt, shortOf(n, 5*average))
	return (1-shortOf(n, 3))*(1-doubt) >= minConfidence
}

// shortOf is the doubt that n is as large as a goal: 0 from there on, 1 up to 1, even between.
func shortOf(n, goal float64) float64 {
	switch {
	case n >= goal:
		return 0
	case n <= 1:
		return 1
	}
	return (goal - n) / (goal - 1)
}

// binary looks for equality where both have a value, for a line, and for an order. Of two
// constants everything is said.
func (m *miner) binary(i, j int) {
	names, rep := []string{m.vars[i].Name, m.vars[j].Name}, m.vars[i].RepType
	seen := m.compare(i, j)
	if seen == [3]bool{false, true, false} {
		m.linear[[2]int{i, j}] = true
		m.add(likely{Template: equal, Vars: names}, i, j)
		return
	}
	if m.constant[i] && m.constant[j] || rep == stringRep || rep == "hashcode" {
		return
	}
	if rep != "double" {
		if c, ok := m.plane(4, i, j); ok {
			m.linear[[2]int{i, j}] = true
			m.add(likely{Template: linear, Vars: names, Values: c}, i, j)
			if c[0] == "1" && c[1] == "-1" {
				return // it says the order
			}
		}
	}
	n := 0
	m.both(func([]value) { n++ }, i, j)
	if 1-math.Pow(0.5, float64(n)) < minConfidence {
		return
	}
	template := map[[3]bool]templateName{
		{true, false, false}: less, {true, true, false}: lessEqual, {false, false, true}: greater, {false, true, true}: greaterEqual, {true, false, true}: notEqual,
	}[seen]
	if template != "" {
		m.add(likely{Template: template, Vars: names}, i, j)
	}
}
