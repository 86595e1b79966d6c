package knowledge

import (
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A templateName is a form of likely invariants, named as in Daikon.
type templateName string

// The templates that the miner knows.
const (
	oneOf        templateName = "OneOf"
	oneValue     templateName = "OneValue" // of a pointer, which is not printed
	notZero      templateName = "NonZero"
	lowerBound   templateName = "LowerBound"
	upperBound   templateName = "UpperBound"
	equal        templateName = "Equal"
	notEqual     templateName = "NonEqual"
	less         templateName = "LessThan"
	lessEqual    templateName = "LessEqual"
	greater      templateName = "GreaterThan"
	greaterEqual templateName = "GreaterEqual"
	linear       templateName = "Linear" // Binary or Ternary
)

var relations = map[templateName]string{equal: "==", notEqual: "!=", less: "<", lessEqual: "<=", greater: ">", greaterEqual: ">=", lowerBound: ">=", upperBound: "<="}

// A likely is an invariant that held in every run so far.
type likely struct {
	Point    string // NAME(types):::ENTER or :::EXIT
	Template templateName
	Vars     []string
	Values   []string // of oneOf and bounds; coefficients of Linear
	Pointer  bool     // notZero of a pointer
	Text     string   // Daikon's own words, where it is of none of the templates
}

// String is the invariant in the words of Daikon's format.
func (l likely) String() string {
	switch l.Template {
	case oneOf:
		if len(l.Values) == 1 {
			return l.Vars[0] + " == " + l.Values[0]
		}
		return l.Vars[0] + " one of { " + strings.Join(l.Values, ", ") + " }"
	case oneValue:
		return l.Vars[0] + " has only one value"
	case notZero:
		if l.Pointer {
			return l.Vars[0] + " != null"
		}
		return l.Vars[0] + " != 0"
	case lowerBound, upperBound:
		return l.Vars[0] + " " + relations[l.Template] + " " + l.Values[0]
	case linear:
		return linearText(l.Vars, l.Values)
	case "":
		return l.Text
	}
	return l.Vars[0] + " " + relations[l.Template] + " " + l.Vars[1]
}

// linearText is a*x + b*y + c == 0 without what is 1 or 0.
func linearText(vars, coefficients []string) string {
	var b strings.Builder
	for i, c := range coefficients {
		sign, size := " + ", c
		if strings.HasPrefix(c, "-") {
			sign, size = " - ", c[1:]
		}
		switch {
		case i == 0:
			b.WriteString(strings.TrimSuffix(strings.TrimPrefix(sign, " + "), " "))
		case i == len(vars) && size == "0":
			continue
		default:
			b.WriteString(sign)
		}
		switch {
		case i == len(vars):
			b.WriteString(size)
		case size == "1":
			b.WriteString(vars[i])
		default:
			b.WriteString(size + " * " + vars[i])
		}
	}
	return b.String() + " == 0"
}

// kind is what the invariant is about in LISA's terms.
func (l likely) kind() Kind {
	switch {
	case l.Template == oneValue || l.Pointer || l.Template == oneOf && l.Values[0] == "null":
		return Structural
	case len(l.Vars) > 1:
		return Relational
	}
	return ValueRange
}

// holdsIn reports whether an invariant holds in every call of a trace, and in how many it could be
// checked. What is of none of the templates cannot.
func (l likely) holdsIn(t *trace) (checked int, ok bool) {
	function, _, _ := strings.Cut(l.Point, ":::")
	for _, tb := range tables(t, function) {
		if tb.point != l.Point {
			continue
		}
		cols := make([]int, len(l.Vars))
		for i, name := range l.Vars {
			cols[i] = -1
			for j, v := range tb.vars {
				if v.Name == name {
					cols[i] = j
				}
			}
			if cols[i] < 0 {
				return 0, true
			}
		}
		ok = true
		(&miner{table: tb}).both(func(vs []value) {
			checked++
			ok = ok && l.holds(vs)
		}, cols...)
		return checked, ok
	}
	return 0, true
}

// holds evaluates the invariant for the values of its variables.
func (l likely) holds(vs []value) bool {
	switch l.Template {
	case oneOf:
		for _, v := range l.Values {
			if vs[0].is(v) {
				return true
			}
		}
		return false
	case notZero:
		return vs[0].sign() != 0
	case lowerBound, upperBound:
		c := vs[0].cmp(vs[0].like(l.Values[0]))
		return c == 0 || (c > 0) == (l.Template == lowerBound)
	case equal, notEqual, less, lessEqual, greater, greaterEqual:
		c := vs[0].cmp(vs[1])
		return map[templateName]bool{equal: c == 0, notEqual: c != 0, less: c < 0, lessEqual: c <= 0, greater: c > 0, greaterEqual: c >= 0}[l.Template]
	case linear:
		if slices.ContainsFunc(vs, func(v value) bool { return v.isFloat }) {
			return l.near(vs)
		}
		sum := new(big.Rat)
		for i, text := range l.Values {
			c, _ := new(big.Rat).SetString(text)
			if i < len(vs) {
				c.Mul(c, new(big.Rat).SetInt(vs[i].n))
			}
			sum.Add(sum, c)
		}
		return sum.Sign() == 0
	}
	return true // oneValue: addresses are no property of an API
}

// near evaluates a line or plane of numbers with fractions, whose last bits do not count.
func (l likely) near(vs []value) bool {
	sum, most := 0.0, 0.0
	for i, c := range l.Values {
		f, _ := strconv.ParseFloat(c, 64)
		if i < len(vs) {
			f *= vs[i].f
		}
		sum, most = sum+f, max(most, math.Abs(f))
	}
	return math.Abs(sum) <= 1e-9*most
}

// is reports whether a value is the one that Daikon writes like this.
func (v value) is(text string) bool {
	if text == "null" {
		return v.text == "" && v.sign() == 0
	}
	w := v.like(text)
	return w.ok && v.cmp(w) == 0
}

// like reads another value of the same type.
func (v value) like(text string) value {
	switch {
	case v.text != "":
		return parseValue(text, stringRep)
	case v.isFloat:
		return parseValue(text, "double")
	}
	return parseValue(text, "int")
}

// withoutL is a number without the L that Java puts behind those of more than 32 bits.
func withoutL(text string) string {
	if s, ok := strings.CutSuffix(text, "L"); ok && numeral.MatchString(s) {
		return s
	}
	return text
}

var (
	oneOfText  = regexp.MustCompile(`^(\S+) one of \{ (.*) \}$`)
	oneVal     = regexp.MustCompile(`^(\S+) has only one value$`)
	relational = regexp.MustCompile(`^(\S+) (==|!=|<=|>=|<|>) (\S+|".*")$`)
	literal    = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	numeral    = regexp.MustCompile(`^-?\d+(\.\d+)?(?:[eE][+-]?\d+)?$|^-?Infinity$`)
	linearTerm = regexp.MustCompile(`^(?:(\d+(?:\.\d+)?(?:E-?\d+)?) \* )?([^\d\s]\S*)$`)
)

// parseLikely reads a line of Daikon's output. What is of none of the templates keeps its text.
func parseLikely(point, line string) likely {
	l := likely{Point: point, Text: line}
	if m := oneOfText.FindStringSubmatch(line); m != nil {
		values := strings.Split(m[2], ", ")
		if strings.HasPrefix(m[2], `"`) {
			values = literal.FindAllString(m[2], -1)
		}
		for i := range values {
			values[i] = withoutL(values[i])
		}
		return likely{Point: point, Template: oneOf, Vars: m[1:2], Values: values}
	}
	if m := oneVal.FindStringSubmatch(line); m != nil {
		return likely{Point: point, Template: oneValue, Vars: m[1:2]}
	}
	if m := relational.FindStringSubmatch(line); m != nil && (strings.HasPrefix(m[3], `"`) || !strings.Contains(line, "[")) {
		return parseRelation(point, m[1], m[2], m[3])
	}
	if body, ok := strings.CutSuffix(line, " == 0"); ok && !strings.Contains(line, "[") {
		if vars, values, ok := parseLinear(body); ok {
			return likely{Point: point, Template: linear, Vars: vars, Values: values}
		}
	}
	return l
}

func parseRelation(point, left, op, right string) likely {
	right = withoutL(right)
	l := likely{Point: point, Vars: []string{left}, Values: []string{right}}
	constant := numeral.MatchString(right) || right == "null" || strings.HasPrefix(right, `"`)
	switch {
	case constant && op == "==":
		l.Template = oneOf
	case constant && op == "!=":
		l.Template, l.Values, l.Pointer = notZero, nil, right == "null"
		if right != "0" && right != "null" {
			return likely{Point: point, Text: left + " != " + right}
		}
	case constant && op == ">=":
		l.Template = lowerBound
	case constant && op == "<=":
		l.Template = upperBound
	case constant:
		return likely{Point: point, Text: left + " " + op + " " + right}
	default:
		for t, o := range relations {
			if o == op && t != lowerBound && t != upperBound {
				l.Template = t
			}
		}
		l.Vars, l.Values = []string{left, right}, nil
	}
	return l
}

// parseLinear reads a*x + b*y - c.
func parseLinear(body string) (vars, values []string, ok bool) {
	constant, sign := "0", ""
	body = strings.ReplaceAll(strings.ReplaceAll(body, " - ", " + -"), "- ", "-")
	for _, term := range strings.Split(body, " + ") {
		sign = ""
		if strings.HasPrefix(term, "-") {
			sign, term = "-", term[1:]
		}
		if m := linearTerm.FindStringSubmatch(term); m != nil {
			c := m[1]
			if c == "" {
				c = "1"
			}
			vars, values = append(vars, m[2]), append(values, sign+c)
		} else if numeral.MatchString(term) {
			constant = sign + term
		} else {
			return nil, nil, false
		}
	}
	if len(vars) < 2 || len(vars) > 3 {
		return nil, nil, false
	}
	return vars, append(values, constant), true
}
