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
// function (docs/reference/knowledge.md has the templates). It states what never failed in so many calls:
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

// An invariant says that a sum of columns stands in a relation to one of some numbers: x - y == 0.
type invariant struct {
	text     string // in Daikon's words
	columns  []int  // of the table
	minus    int    // bit i: columns[i] is subtracted
	relation string // "" for the identity of a pointer, which is no property
	numbers  []*big.Rat
}

// sum adds up the values of the columns.
func sum(values []*big.Rat, minus int) *big.Rat {
	total := new(big.Rat)
	for i, v := range values {
		if minus>>i&1 == 1 {
			v = new(big.Rat).Neg(v)
		}
		total.Add(total, v)
	}
	return total
}

// check reports whether the invariant holds in every call of a table, and in how many all values are known.
func (v invariant) check(t table) (checked int, holds bool) {
	list := t.rows(v.columns...)
	return len(list), !slices.ContainsFunc(list, func(row []*big.Rat) bool {
		total := sum(row, v.minus)
		return !slices.ContainsFunc(v.numbers, func(n *big.Rat) bool {
			order := total.Cmp(n)
			return map[string]bool{"==": order == 0, "!=": order != 0, "<": order < 0, "<=": order <= 0,
				">": order > 0, ">=": order >= 0}[v.relation]
		})
	})
}

// candidate is the contract that an invariant may be, after it was checked in calls that it was not mined from.
func (v invariant) candidate(held table) Contract {
	c := Contract{
		Kind: ValueRange, Text: "after every call observed", Shape: v.text, Source: Daikon, Status: Rejected, By: byProgram,
	}
	switch {
	case v.relation == "" || strings.HasSuffix(v.text, " null"):
		c.Kind = Structural
	case len(v.columns) > 1:
		c.Kind = Relational
	}
	switch checked, holds := v.check(held); {
	case v.relation == "":
		c.Reason = "the identity of a pointer is no property"
	case !holds:
		c.Reason = "it fails in runs of the reference build that it was not mined from"
	case checked == 0:
		c.Status, c.Reason = Open, unchecked
	default:
		c.Status = Open
		c.Reason = fmt.Sprintf("holds in %d other calls on the reference build; not judged by the documents yet", checked)
	}
	return c
}

// unchecked is the reason of a candidate that stays open until there are more runs.
const unchecked = "no other run calls the function, so nothing says yet that it holds"

// A column is one variable with its values.
type column struct {
	variable
	odd    bool       // it was a NaN once, which is in no range and equal to nothing
	values []*big.Rat // by call; nil where it is not known
}

// A table has a row for each call of one function.
type table []column

func tableOf(p *probe, calls []call) table {
	var t table
	for i, v := range p.columns() {
		c := column{variable: v}
		for _, one := range calls {
			n := number(one.values[i])
			c.values, c.odd = append(c.values, n), c.odd || one.values[i] != unknown && n == nil
		}
		t = append(t, c)
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
func (t table) rows(columns ...int) (list [][]*big.Rat) {
	for i := range t[columns[0]].values {
		row := make([]*big.Rat, len(columns))
		for j, c := range columns {
			row[j] = t[c].values[i]
		}
		if !slices.Contains(row, nil) {
			list = append(list, row)
		}
	}
	return list
}

// distinct are the values of a column, the least first, and in how many calls each was met.
func (t table) distinct(c int) (values []*big.Rat, met []int) {
	rows := t.rows(c)
	slices.SortFunc(rows, func(a, b []*big.Rat) int { return a[0].Cmp(b[0]) })
	for _, row := range rows {
		if last := len(values) - 1; last < 0 || values[last].Cmp(row[0]) != 0 {
			values, met = append(values, row[0]), append(met, 0)
		}
		met[len(met)-1]++
	}
	return values, met
}

func (t table) constant(c int) bool {
	values, _ := t.distinct(c)
	return len(values) == 1
}

// A miner collects the invariants of one table.
type miner struct {
	table
	found  []invariant
	linked map[[2]int]bool // columns, by an equality or a sum that never changes
}

// mine returns the invariants of a table.
func mine(t table) []invariant {
	m := &miner{table: t, linked: map[[2]int]bool{}}
	leaders := m.equalities()
	for _, c := range leaders {
		if !t[c].odd {
			m.unary(c)
		}
	}
	for i, a := range leaders {
		for _, b := range leaders[i+1:] {
			if t[a].like == t[b].like {
				m.binary(a, b)
			}
		}
	}
	numbers := slices.DeleteFunc(leaders, func(c int) bool { return t[c].rep != integer || t.constant(c) })
	for i, a := range numbers {
		for j, b := range numbers[i+1:] {
			for _, c := range numbers[i+j+2:] {
				linked := m.linked[[2]int{a, b}] || m.linked[[2]int{b, c}] || m.linked[[2]int{a, c}]
				if t[a].like == t[b].like && t[b].like == t[c].like && !linked {
					m.sums(minTriples, a, b, c)
				}
			}
		}
	}
	return m.found
}

// add keeps an invariant, unless all that it is about was so before the calls.
func (m *miner) add(v invariant) {
	if slices.ContainsFunc(v.columns, func(c int) bool { return !strings.HasPrefix(m.table[c].name, "orig(") }) {
		m.found = append(m.found, v)
	}
}

// compare adds an invariant of two columns.
func (m *miner) compare(a int, relation string, b int) {
	text := m.table[a].name + " " + relation + " " + m.table[b].name
	m.add(invariant{text, []int{a, b}, 2, relation, []*big.Rat{new(big.Rat)}})
}

// equalities sorts the columns into sets that were equal in every call, being unknown in the same ones, and
// returns the leaders of the sets in order. Nothing else is said of the others. A leader is the first of the
// columns with the shortest expressions: t->count has two names, orig(t) too.
func (m *miner) equalities() (leaders []int) {
	sets := map[string][]int{}
	var keys []string
	for i, c := range m.table {
		key := fmt.Sprint(c.like, c.values)
		if c.odd {
			key = c.name
		}
		switch {
		case len(m.rows(i)) == 0:
			continue
		case len(sets[key]) == 0:
			keys = append(keys, key)
		}
		sets[key] = append(sets[key], i)
	}
	names := func(c int) int { return strings.Count(m.table[c].name, "->") + strings.Count(m.table[c].name, "orig(") }
	for _, key := range keys {
		leader := slices.MinFunc(sets[key], func(a, b int) int { return cmp.Compare(names(a), names(b)) })
		leaders = append(leaders, leader)
		for _, c := range sets[key] {
			switch {
			case c < leader:
				m.compare(c, "==", leader)
			case c > leader:
				m.compare(leader, "==", c)
			}
		}
	}
	slices.Sort(leaders)
	return leaders
}

// unary looks for the values of a column, and else for zero and bounds.
func (m *miner) unary(c int) {
	values, met := m.distinct(c)
	of, last, all := m.table[c], len(values)-1, len(m.rows(c))
	state := func(text, relation string, numbers ...*big.Rat) {
		m.add(invariant{of.name + " " + text, []int{c}, 0, relation, numbers})
	}
	bound := func(relation string, i int) { // it is small, and was met several times
		if f, _ := values[i].Float64(); lowestBound <= f && f <= highestBound && met[i] >= minAtBound && all >= minBounded {
			word := of.spelled(values[i])
			state(relation+" "+word, relation, number(word))
		}
	}
	switch zero := slices.ContainsFunc(values, func(v *big.Rat) bool { return v.Sign() == 0 }); {
	case of.rep == pointer && last == 0 && zero:
		state("== null", "==", values[0])
	case of.rep == pointer && last == 0:
		state("has only one value", "")
	case of.rep == pointer:
		if !zero && all >= minNotNull {
			state("!= null", "!=", new(big.Rat))
		}
	case last < maxOneOf: // it says more than bounds
		var words []string
		for i, v := range values {
			words = append(words, of.spelled(v))
			values[i] = number(words[i]) // rounded as it is told
		}
		text := "one of { " + strings.Join(words, ", ") + " }"
		if last == 0 {
			text = "== " + words[0]
		}
		state(text, "==", values...)
	default:
		if !zero && values[0].Sign() < 0 && values[last].Sign() > 0 && all >= minNotZero {
			state("!= 0", "!=", new(big.Rat))
		}
		bound(">=", 0)
		bound("<=", last)
	}
}

// spelled is a number as Java writes it: of a fraction's type with a point, as in 1.0 and 1.0E10.
func (c *column) spelled(v *big.Rat) string {
	if c.rep != fraction {
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
func (m *miner) binary(a, b int) {
	list := m.rows(a, b)
	var less, same, greater bool
	for _, row := range list {
		c := row[0].Cmp(row[1])
		less, same, greater = less || c < 0, same || c == 0, greater || c > 0
	}
	order := map[[3]bool]string{
		{true, false, false}: "<", {true, true, false}: "<=", {false, true, false}: "==",
		{false, true, true}: ">=", {false, false, true}: ">", {true, false, true}: "!=",
	}[[3]bool{less, same, greater}]
	switch {
	case order == "==":
		m.linked[[2]int{a, b}] = true
		m.compare(a, order, b)
	case m.table[a].rep == pointer || m.constant(a) && m.constant(b):
	case m.table[a].rep == integer && m.sums(minPairs, a, b):
		m.linked[[2]int{a, b}] = true
	case order != "" && len(list) >= minOrder:
		m.compare(a, order, b)
	}
}

// sums looks for a sum or difference of columns that never changes, as in x - y + 3 == 0, in at least so many
// different rows.
func (m *miner) sums(least int, columns ...int) bool {
	different := map[string][]*big.Rat{}
	for _, row := range m.rows(columns...) {
		different[fmt.Sprint(row)] = row
	}
	if len(different) < least {
		return false
	}
	for minus := 0; minus < 1<<len(columns); minus += 2 {
		totals := map[string]*big.Rat{}
		for _, row := range different {
			total := sum(row, minus)
			totals[total.RatString()] = total
		}
		if len(totals) > 1 {
			continue
		}
		text := m.table[columns[0]].name
		for i, c := range columns[1:] {
			text += []string{" + ", " - "}[minus>>(i+1)&1] + m.table[c].name
		}
		for _, total := range totals {
			if total.Sign() != 0 {
				text += []string{" + ", "", " - "}[total.Sign()+1] + new(big.Rat).Abs(total).RatString()
			}
			m.add(invariant{text + " == 0", columns, minus, "==", []*big.Rat{total}})
		}
		return true
	}
	return false
}
