package paper

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/lisa-bench/lisa-bench/stats"
)

// A cellSource gives the figure of a cell, or says why there is none.
type cellSource func(table *Table, column Column, row int) (v Value, missing string)

// printed is the source of the published numbers.
func printed(table *Table, column Column, row int) (Value, string) {
	return table.Rows[row][table.Column(column.Key)], ""
}

// cells gives a claim its figures. After the first one that is missing the others do not matter.
type cells struct {
	paper   *Paper
	source  cellSource
	missing string // the first reason; "" if nothing is missing
}

func (c *cells) lack(format string, args ...any) {
	c.missing = cmp.Or(c.missing, fmt.Sprintf(format, args...))
}

// A series is the figures of a column by the keys of their rows.
type series struct {
	keys   []string
	values []float64
}

// col returns a column, named TABLE.COLUMN, or TABLE.COLUMN_std for its standard deviations. Picks choose rows by
// their keys: "*" is any, "!x" any but x. The keys that they do not fix name the figures.
func (c *cells) col(name string, picks ...string) (s series) {
	table, key, _ := strings.Cut(name, ".")
	t := c.paper.table(table)
	if t == nil {
		c.lack("no table %s", table)
		return s
	}
	key, std := strings.CutSuffix(key, "_std")
	i := t.Column(key)
	if i < 0 || len(picks) > t.Keys {
		c.lack("no column %s, or too many keys", name)
		return s
	}
	for len(picks) < t.Keys {
		picks = append(picks, "*")
	}
	for r, row := range t.Rows {
		rest, picked := pick(t.RowKey(row), picks)
		if !picked {
			continue
		}
		v, missing := c.source(t, t.Columns[i], r)
		if missing != "" {
			c.lack("%s", missing)
			return series{}
		}
		if std {
			v.Number = v.Std
		}
		s.keys, s.values = append(s.keys, rest), append(s.values, v.Number)
	}
	if len(s.keys) == 0 {
		c.lack("%s has no row %v", name, picks)
	}
	return s
}

// pick reports whether a row's keys are picked, and joins those that the picks leave open.
func pick(keys, picks []string) (rest string, picked bool) {
	var open []string
	for i, key := range keys {
		other, not := strings.CutPrefix(picks[i], "!")
		switch {
		case picks[i] == "*" || not && other != key:
			open = append(open, key)
		case picks[i] != key:
			return "", false
		}
	}
	return strings.Join(open, ", "), true
}

// at returns one cell.
func (c *cells) at(name string, keys ...string) float64 {
	if s := c.col(name, keys...); len(s.values) == 1 {
		return s.values[0]
	}
	c.lack("%s has not one row %v", name, keys)
	return math.NaN()
}

func (c *cells) sum(name string) float64  { return floats.Sum(c.col(name).values) }
func (c *cells) mean(name string) float64 { return stat.Mean(c.col(name).values, nil) }

// fisher compares LISA with another column of the table of bugs.
func (c *cells) fisher(other string) stats.FisherResult {
	lisa, total, theirs := c.sum("bugs.lisa"), c.sum("bugs.total"), c.sum("bugs."+other)
	for _, n := range []float64{lisa, total, theirs} {
		if n != math.Trunc(n) {
			c.lack("%g is not a count", n)
		}
	}
	if c.missing != "" {
		return stats.FisherResult{}
	}
	return stats.FisherExact(int(lisa), int(total), int(theirs), int(total))
}

// join combines two series key by key; the shorter one's keys must all be in the other.
func (c *cells) join(a, b series, f func(x, y float64) float64) (out series) {
	if len(a.keys) > len(b.keys) {
		return c.join(b, a, func(x, y float64) float64 { return f(y, x) })
	}
	for i, key := range a.keys {
		j := slices.Index(b.keys, key)
		if j < 0 {
			c.lack("row %s is missing on one side", key)
			return series{}
		}
		out.keys, out.values = append(out.keys, key), append(out.values, f(a.values[i], b.values[j]))
	}
	return out
}

func (c *cells) minus(a, b series) series {
	return c.join(a, b, func(x, y float64) float64 { return x - y })
}

// distance is the largest difference between two series.
func (c *cells) distance(a, b series) float64 {
	return highest(c.join(a, b, func(x, y float64) float64 { return math.Abs(x - y) }))
}

// count returns in how many rows is holds of two figures, and every whether it holds in all.
func (c *cells) count(a, b series, is func(x, y float64) bool) float64 {
	return floats.Sum(c.join(a, b, func(x, y float64) float64 { return truth(is(x, y)) }).values)
}

func (c *cells) every(a, b series, is func(x, y float64) bool) bool {
	return c.count(a, b, is) == float64(min(len(a.keys), len(b.keys)))
}

func more(x, y float64) bool    { return x > y }
func less(x, y float64) bool    { return x < y }
func notMore(x, y float64) bool { return x <= y }

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// all is && of all its arguments, which are all evaluated: a figure that is missing in any of them counts.
func all(bs ...bool) bool { return !slices.Contains(bs, false) }

// highest and lowest are over all figures of the series, infinite if there are none.
func highest(all ...series) float64 {
	top := math.Inf(-1)
	for _, s := range all {
		for _, x := range s.values {
			top = max(top, x)
		}
	}
	return top
}

func lowest(all ...series) float64 {
	low := math.Inf(1)
	for _, s := range all {
		for _, x := range s.values {
			low = min(low, x)
		}
	}
	return low
}
