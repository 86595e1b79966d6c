package knowledge

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// A table is what was seen at one place: a row for each call, a column for each variable.
type table struct {
	point string // NAME(types):::ENTER or :::EXIT
	vars  []traceVariable
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
		f, err := strconv.ParseFloat(strings.TrimPrefix(text, "Double."), 64)
		return value{ok: err == nil, f: f, isFloat: true}
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
		return strings.Compare(strings.Trim(v.text, `"`), strings.Trim(w.text, `"`))
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
		return javaFloat(v.f)
	}
	return v.n.String()
}

func (v value) isNaN() bool { return v.isFloat && math.IsNaN(v.f) }

// float is a number, rounded.
func (v value) float() float64 {
	if v.isFloat {
		return v.f
	}
	f, _ := new(big.Float).SetInt(v.n).Float64()
	return f
}

// javaFloat is a number in Daikon's spelling, which has a point: 0.0, 1.0E10.
func javaFloat(f float64) string {
	if math.IsNaN(f) {
		return "Double.NaN"
	}
	if a := math.Abs(f); math.IsInf(f, 0) || a != 0 && (a < 1e-3 || a >= 1e7) {
		s := strconv.FormatFloat(f, 'E', -1, 64)
		digits, exponent, ok := strings.Cut(s, "E")
		if !ok {
			return map[bool]string{true: "Infinity", false: "-Infinity"}[f > 0]
		}
		if !strings.Contains(digits, ".") {
			digits += ".0"
		}
		sign, exponent := exponent[:1], strings.TrimLeft(exponent[1:], "0")
		return digits + "E" + strings.TrimPrefix(sign, "+") + exponent
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// tables sorts the samples of a trace into tables, one for the entry and one for all exits of
// each function, or of the one that only names. At an exit, parameters have their values at entry only, for a caller never
// sees others; fields, globals and results have both.
func tables(t *trace, only string) []*table {
	var list []*table
	byPoint := map[string]*table{}
	entries := map[[2]any]sample{}
	at := func(p *point, entry *point) *table {
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
		if only != "" && only != function {
			continue
		}
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
			at(entry.Point, nil).add(entry, sample{})
			at(s.Point, entry.Point).add(s, entry)
		} else {
			at(s.Point, nil).add(s, sample{})
		}
	}
	return list
}

// add appends a row.
func (t *table) add(s, entry sample) {
	row := make([]value, len(t.vars))
	for i, v := range t.vars {
		from, name := s, v.Name
		if t.orig[i] {
			from, name = entry, bareName(v.Name)
		}
		if from.Point == nil {
			continue
		}
		j := slices.IndexFunc(from.Point.Vars, func(w traceVariable) bool { return w.Name == name })
		if j >= 0 && j < len(from.Values) {
			row[i] = parseValue(from.Values[j], v.RepType)
		}
	}
	t.rows = append(t.rows, row)
}
