package knowledge

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// The miner looks for Daikon's invariants over one, two and three variables in what is so after the calls of one
// function (docs/reference/knowledge.md has the templates). It prints what never failed in so many calls:
const (
	minNotNull   = 12  // != null, as Daikon asks for if three pointers are equally likely
	minNotZero   = 228 // != 0, the same for 50 numbers
	minOrder     = 7   // <, <=, >, >=, !=: the same for two outcomes
	minBounded   = 6   // >=, <= a number, of which
	minAtBound   = 3   // have that number
	minPairs     = 4   // different ones, for a sum of two that never changes
	minTriples   = 5   // the same for three
	maxOneOf     = 3   // values in "one of"
	lowestBound  = -1  // what lies outside is an accident
	highestBound = 2
)

// A column is one variable after the calls of a function, or, named orig(…), before them. What a parameter holds
// after a call no caller sees.
type column struct {
	variable
	orig   bool
	odd    bool       // it was a NaN once, which is in no range and equal to nothing
	values []*big.Rat // by call; nil where it is not known
}

// A table has a row for each call of one function.
type table []*column

// tableOf has the calls of one probe.
func tableOf(p *probe, calls []call) table {
	var t table
	add := func(v variable, orig bool, value func(call) string) {
		c := &column{variable: v, orig: orig}
		if orig {
			c.name = "orig(" + v.name + ")"
		}
		for _, one := range calls {
			text := value(one)
			n := number(text)
			c.values, c.odd = append(c.values, n), c.odd || text != unknown && n == nil
		}
		t = append(t, c)
	}
	for i, v := range p.exit {
		if !v.param {
			add(v, false, func(c call) string { return c.exit[i] })
		}
	}
	for i, v := range p.enter {
		add(v, true, func(c call) string { return c.enter[i] })
	}
	return t
}

// number reads a value; what is none, such as a NaN, is nil.
func number(text string) *big.Rat {
	if n, ok := new(big.Rat).SetString(text); ok {
		return n
	}
	return nil
}

// rows returns the values of columns in each call where all are known.
func rows(columns ...*column) (list [][]*big.Rat) {
	for i := range columns[0].values {
		row := make([]*big.Rat, len(columns))
		for j, c := range columns {
			row[j] = c.values[i]
		}
		if !slices.Contains(row, nil) {
			list = append(list, row)
		}
	}
	return list
}

// parts counts the names of an expression: 2 for t->count, one more for orig(…).
func (c *column) parts() int { return 1 + strings.Count(c.name, "->") + strings.Count(c.name, "orig(") }

func (c *column) constant() bool {
	return !slices.ContainsFunc(rows(c), func(row []*big.Rat) bool { return row[0].Cmp(rows(c)[0][0]) != 0 })
}

// A miner collects the invariants of one table.
type miner struct {
	found  []string
	linked map[[2]*column]bool // by an equality or a sum that never changes
}

// mine returns the invariants of a table in Daikon's words.
func mine(t table) []string {
	m := &miner{linked: map[[2]*column]bool{}}
	leaders := m.equalities(t)
	for _, c := range leaders {
		if !c.odd {
			m.unary(c)
		}
	}
	for i, a := range leaders {
		for _, b := range leaders[i+1:] {
			if comparable(a, b) {
				m.binary(a, b)
			}
		}
	}
	numbers := slices.DeleteFunc(leaders, func(c *column) bool { return c.rep != intRep || c.constant() })
	for i, a := range numbers {
		for j, b := range numbers[i+1:] {
			for _, c := range numbers[i+j+2:] {
				linked := m.linked[[2]*column{a, b}] || m.linked[[2]*column{b, c}] || m.linked[[2]*column{a, c}]
				if comparable(a, b) && comparable(b, c) && !linked {
					m.sums(minTriples, a, b, c)
				}
			}
		}
	}
	return m.found
}

func comparable(a, b *column) bool {
	return (a.rep == pointerRep) == (b.rep == pointerRep) && (a.rep == doubleRep) == (b.rep == doubleRep) &&
		a.comparability == b.comparability
}

// add keeps an invariant, unless all that it is about was so before the calls.
func (m *miner) add(text string, about ...*column) {
	if slices.ContainsFunc(about, func(c *column) bool { return !c.orig }) {
		m.found = append(m.found, text)
	}
}

// equalities sorts the columns into sets that were equal in every call, being unknown in the same ones, and
// returns the leaders of the sets in order. Nothing else is said of the others. A leader is the first of the
// columns with the fewest parts.
func (m *miner) equalities(t table) (leaders []*column) {
	sets := map[string]table{}
	var keys []string
	for _, c := range t {
		if len(rows(c)) == 0 {
			continue
		}
		key := fmt.Sprint(c.rep, c.comparability, c.values)
		if c.odd {
			key = c.name
		}
		if len(sets[key]) == 0 {
			keys = append(keys, key)
		}
		sets[key] = append(sets[key], c)
	}
	for _, key := range keys {
		set := sets[key]
		leader := slices.MinFunc(set, func(a, b *column) int { return cmp.Compare(a.parts(), b.parts()) })
		leaders = append(leaders, leader)
		for i, c := range set {
			switch at := slices.Index(set, leader); {
			case i < at:
				m.add(c.name+" == "+leader.name, c, leader)
			case i > at:
				m.add(leader.name+" == "+c.name, c, leader)
			}
		}
	}
	slices.SortFunc(leaders, func(a, b *column) int { return cmp.Compare(slices.Index(t, a), slices.Index(t, b)) })
	return leaders
}

// unary looks for the values of a column, and else for zero and bounds.
func (m *miner) unary(c *column) {
	var all []*big.Rat
	for _, row := range rows(c) {
		all = append(all, row[0])
	}
	slices.SortFunc(all, (*big.Rat).Cmp)
	distinct := slices.CompactFunc(slices.Clone(all), func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
	least, most := all[0], all[len(all)-1]
	zero := slices.ContainsFunc(distinct, func(v *big.Rat) bool { return v.Sign() == 0 })
	switch {
	case c.rep == pointerRep && len(distinct) == 1 && zero:
		m.add(c.name+" == null", c)
	case c.rep == pointerRep && len(distinct) == 1:
		m.add(c.name+identity, c)
	case c.rep == pointerRep:
		if !zero && len(all) >= minNotNull {
			m.add(c.name+" != null", c)
		}
	case len(distinct) == 1:
		m.add(c.name+" == "+c.spelled(least), c)
	case len(distinct) <= maxOneOf: // it says more than bounds
		var words []string
		for _, v := range distinct {
			words = append(words, c.spelled(v))
		}
		m.add(c.name+" one of { "+strings.Join(words, ", ")+" }", c)
	default:
		if !zero && least.Sign() < 0 && most.Sign() > 0 && len(all) >= minNotZero {
			m.add(c.name+" != 0", c)
		}
		if isBound(least, all) {
			m.add(c.name+" >= "+c.spelled(least), c)
		}
		if isBound(most, all) {
			m.add(c.name+" <= "+c.spelled(most), c)
		}
	}
}

// isBound judges the least or greatest of all values: it is small, and was met several times.
func isBound(v *big.Rat, all []*big.Rat) bool {
	met := 0
	for _, w := range all {
		if v.Cmp(w) == 0 {
			met++
		}
	}
	f, _ := v.Float64()
	return lowestBound <= f && f <= highestBound && met >= minAtBound && len(all) >= minBounded
}

// spelled is a number as Java writes it: of a fraction's type with a point, as in 1.0 and 1.0E10.
func (c *column) spelled(v *big.Rat) string {
	if c.rep != doubleRep {
		return v.RatString()
	}
	f, _ := v.Float64()
	text, exponent := strconv.FormatFloat(f, 'f', -1, 64), ""
	if a := math.Abs(f); a != 0 && (a < 1e-3 || a >= 1e7) {
		text, exponent, _ = strings.Cut(strconv.FormatFloat(f, 'E', -1, 64), "E")
		n, _ := strconv.Atoi(exponent)
		exponent = fmt.Sprintf("E%d", n)
	}
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text + exponent
}

// binary looks for equality where both have a value, for a sum that never changes, and for an order. Of two
// constants everything is said.
func (m *miner) binary(a, b *column) {
	list := rows(a, b)
	var less, same, greater bool
	for _, row := range list {
		c := row[0].Cmp(row[1])
		less, same, greater = less || c < 0, same || c == 0, greater || c > 0
	}
	order := map[[3]bool]string{
		{true, false, false}: "<", {true, true, false}: "<=", {false, true, false}: "==",
		{false, true, true}: ">=", {false, false, true}: ">", {true, false, true}: "!=",
	}[[3]bool{less, same, greater}]
	text := a.name + " " + order + " " + b.name
	switch {
	case order == "==":
		m.linked[[2]*column{a, b}] = true
		m.add(text, a, b)
	case a.rep == pointerRep || a.constant() && b.constant():
	case a.rep == intRep && m.sums(minPairs, a, b):
		m.linked[[2]*column{a, b}] = true
	case order != "" && len(list) >= minOrder:
		m.add(text, a, b)
	}
}

// sums looks for a sum or difference of columns that never changes, as in x - y + 3 == 0, in at least so many
// different rows.
func (m *miner) sums(least int, columns ...*column) bool {
	different := map[string][]*big.Rat{}
	for _, row := range rows(columns...) {
		different[fmt.Sprint(row)] = row
	}
	if len(different) < least {
		return false
	}
	for signs := range 1 << (len(columns) - 1) { // bit i: column i+1 is subtracted
		totals := map[string]*big.Rat{}
		for _, row := range different {
			total := new(big.Rat).Set(row[0])
			for i, v := range row[1:] {
				total.Add(total, new(big.Rat).Mul(v, big.NewRat(1-2*int64(signs>>i&1), 1)))
			}
			totals[total.RatString()] = total
		}
		if len(totals) > 1 {
			continue
		}
		text := columns[0].name
		for i, c := range columns[1:] {
			text += []string{" + ", " - "}[signs>>i&1] + c.name
		}
		for _, total := range totals {
			if total.Sign() != 0 {
				text += []string{" + ", "", " - "}[total.Sign()+1] + new(big.Rat).Abs(total).RatString()
			}
		}
		m.add(text+" == 0", columns...)
		return true
	}
	return false
}
