package knowledge

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// A likely is an invariant in Daikon's words, such as "return >= orig(n)", read so that it can be checked.
type likely struct {
	text     string
	relation string // between left and one of right; "" if the text has a form that is not read
	left     sum
	right    []sum
}

// A sum is of variables, each with a factor, and of a constant.
type sum struct {
	columns []*column
	factors []*big.Rat
	rest    *big.Rat
}

// identity is what Daikon says of a pointer that was always the same.
const identity = " has only one value"

var (
	relation = regexp.MustCompile(`^(.+) (==|!=|<=|>=|<|>) (.+)$`)
	oneOf    = regexp.MustCompile(`^(\S+) one of \{ (.+) \}$`)
)

// readLikely reads an invariant of a table's columns.
func readLikely(text string, t table) likely {
	m := relation.FindStringSubmatch(oneOf.ReplaceAllString(text, "$1 == $2"))
	if m == nil {
		return likely{text: text}
	}
	left, ok := readSum(m[1], t)
	l := likely{text: text, relation: m[2], left: left}
	for _, words := range strings.Split(m[3], ", ") {
		right, known := readSum(words, t)
		l.right, ok = append(l.right, right), ok && known
	}
	if !ok || len(l.about()) == 0 {
		return likely{text: text}
	}
	return l
}

// readSum reads "2 * x - y + 3"; ok is false for anything else. Fractions are only read alone: their last bits do not
// add up.
func readSum(text string, t table) (s sum, ok bool) {
	s.rest = new(big.Rat)
	factor, sign := big.NewRat(1, 1), int64(1)
	words := strings.Fields(text)
	for k, w := range words {
		i := slices.IndexFunc(t, func(c *column) bool { return c.name == w })
		n := number(strings.TrimSuffix(w, "L")) // as Java writes what has more than 32 bits
		switch {
		case w == "+" || w == "*" || w == "null":
		case w == "-":
			sign = -1
		case i >= 0:
			s.columns, s.factors = append(s.columns, t[i]), append(s.factors, factor.Mul(factor, big.NewRat(sign, 1)))
			factor, sign = big.NewRat(1, 1), 1
		case n == nil:
			return s, false
		case k+1 < len(words) && words[k+1] == "*":
			factor = n
		default:
			s.rest.Add(s.rest, n.Mul(n, big.NewRat(sign, 1)))
			sign = 1
		}
	}
	fraction := slices.ContainsFunc(s.columns, func(c *column) bool { return c.rep == doubleRep })
	return s, !fraction || len(s.columns) == 1
}

// about are the columns that the invariant is about.
func (l likely) about() []*column {
	list := slices.Clone(l.left.columns)
	for _, s := range l.right {
		list = append(list, s.columns...)
	}
	return list
}

// kind is what the invariant is about in LISA's terms.
func (l likely) kind() Kind {
	switch {
	case strings.HasSuffix(l.text, identity) || strings.HasSuffix(l.text, " null"):
		return Structural
	case len(l.about()) > 1:
		return Relational
	}
	return ValueRange
}

// check reports whether the invariant holds in every call of its table, and in how many all values are known.
func (l likely) check() (checked int, holds bool) {
	list := rows(l.about()...)
	return len(list), !slices.ContainsFunc(list, func(row []*big.Rat) bool {
		left, row := l.left.total(row)
		return !slices.ContainsFunc(l.right, func(s sum) bool {
			right, _ := s.total(row)
			order := left.Cmp(right)
			return map[string]bool{"==": order == 0, "!=": order != 0, "<": order < 0, "<=": order <= 0,
				">": order > 0, ">=": order >= 0}[l.relation]
		})
	})
}

// total adds up, and returns the values of the columns after the sum's own.
func (s sum) total(values []*big.Rat) (total *big.Rat, left []*big.Rat) {
	total = new(big.Rat).Set(s.rest)
	for i, f := range s.factors {
		total.Add(total, new(big.Rat).Mul(f, values[i]))
	}
	return total, values[len(s.factors):]
}
