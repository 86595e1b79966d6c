package paper

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A cellSource gives the numbers that formulas are over. An error that wraps errMissing says why
// there is none.
type cellSource func(table *Table, column Column, row int) (Value, error)

// errMissing says that a cell has no value.
var errMissing = errors.New("not measured")

// A formula computes one number from cells. It is a Go expression:
//
//	coverage.lisa_line                     a column, a value for each row
//	coverage.lisa_line["zlib"]             one cell
//	ablation.line["*"]["!default"]         by row keys; "*" is any, "!x" any but x
//	variance.line_std                      the standard deviations of a column that has them
//	+ - * / < <= > >= == && ||             row by row; true is 1 and false 0
//	sum mean min max count all             over all values given; count and all of what is true
//	least most abs sign log10              row by row
//	reach(n)                               (n-1)/√n: none of n values is further from their mean, in sample
//	                                       standard deviations (Samuelson, 1968)
//	fisher_p(k1, n1, k2, n2), odds_ratio   of k1 of n1 against k2 of n2
//
// Two columns meet row by row on equal keys; the shorter one's rows must all be in the other.
type formula struct {
	text string
	expr ast.Expr
}

// parseFormula reads a formula; its cells are checked when it is evaluated.
func parseFormula(text string) (*formula, error) {
	oneLine := strings.Join(strings.Fields(text), " ") // Go would end an expression at a line's end
	expr, err := parser.ParseExpr(oneLine)
	if err != nil {
		return nil, fmt.Errorf("formula %q: %w", oneLine, err)
	}
	return &formula{oneLine, expr}, nil
}

func (f *formula) String() string { return f.text }

// eval returns the number, which is finite. A cell without a value gives an error that
// wraps errMissing.
func (f *formula) eval(p *Paper, cells cellSource) (float64, error) {
	v, err := (&evaluation{p, cells}).eval(f.expr)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", f.text, err)
	}
	if v.keys != nil {
		return 0, fmt.Errorf("%s: gives %d values where one is wanted", f.text, len(v.values))
	}
	if x := v.values[0]; math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%s: divides by 0 or has no value", f.text)
	}
	return v.values[0], nil
}

// A vector is a value for each key, or with nil keys one value.
type vector struct {
	keys   []string
	values []float64
}

func scalar(x float64) vector { return vector{values: []float64{x}} }

type evaluation struct {
	paper *Paper
	cells cellSource
}

func (e *evaluation) eval(x ast.Expr) (vector, error) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return e.eval(x.X)
	case *ast.BasicLit:
		if x.Kind == token.INT || x.Kind == token.FLOAT {
			v, err := strconv.ParseFloat(x.Value, 64)
			return scalar(v), err
		}
	case *ast.UnaryExpr:
		v, err := e.eval(x.X)
		if err == nil && x.Op == token.SUB {
			return each(v, func(a float64) float64 { return -a }), nil
		}
		if err != nil {
			return v, err
		}
	case *ast.BinaryExpr:
		return e.binary(x)
	case *ast.CallExpr:
		return e.call(x)
	case *ast.SelectorExpr, *ast.IndexExpr:
		return e.column(x)
	}
	return vector{}, fmt.Errorf("at column %d: not a part of a formula", x.Pos())
}

var operators = map[token.Token]func(a, b float64) float64{
	token.ADD: func(a, b float64) float64 { return a + b }, token.SUB: func(a, b float64) float64 { return a - b },
	token.MUL: func(a, b float64) float64 { return a * b }, token.QUO: func(a, b float64) float64 { return a / b },
	token.LSS: func(a, b float64) float64 { return truth(a < b) }, token.LEQ: func(a, b float64) float64 { return truth(a <= b) },
	token.GTR: func(a, b float64) float64 { return truth(a > b) }, token.GEQ: func(a, b float64) float64 { return truth(a >= b) },
	token.EQL:  func(a, b float64) float64 { return truth(a == b) },
	token.LAND: func(a, b float64) float64 { return truth(a != 0 && b != 0) }, token.LOR: func(a, b float64) float64 { return truth(a != 0 || b != 0) },
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (e *evaluation) binary(x *ast.BinaryExpr) (vector, error) {
	op := operators[x.Op]
	if op == nil {
		return vector{}, fmt.Errorf("no operator %s", x.Op)
	}
	a, err := e.eval(x.X)
	if err != nil {
		return a, err
	}
	b, err := e.eval(x.Y)
	if err != nil {
		return b, err
	}
	return join(a, b, op)
}

func each(v vector, f func(float64) float64) vector {
	out := vector{v.keys, make([]float64, len(v.values))}
	for i, a := range v.values {
		out.values[i] = f(a)
	}
	return out
}

// join combines two vectors key by key, or a vector with one value.
func join(a, b vector, f func(a, b float64) float64) (vector, error) {
	switch {
	case b.keys == nil:
		return each(a, func(x float64) float64 { return f(x, b.values[0]) }), nil
	case a.keys == nil:
		return each(b, func(y float64) float64 { return f(a.values[0], y) }), nil
	case len(a.keys) > len(b.keys):
		return join(b, a, func(x, y float64) float64 { return f(y, x) })
	}
	out := vector{keys: a.keys}
	for i, key := range a.keys {
		j := slices.Index(b.keys, key)
		if j < 0 {
			return vector{}, fmt.Errorf("row %s is missing on one side", key)
		}
		out.values = append(out.values, f(a.values[i], b.values[j]))
	}
	return out, nil
}

// column evaluates TABLE.COLUMN with any number of ["key"] behind it.
func (e *evaluation) column(x ast.Expr) (vector, error) {
	var picks []string
	for {
		index, ok := x.(*ast.IndexExpr)
		if !ok {
			break
		}
		lit, ok := index.Index.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return vector{}, fmt.Errorf("a row is named by a string in [ ]")
		}
		pick, err := strconv.Unquote(lit.Value)
		if err != nil {
			return vector{}, err
		}
		picks = append(picks, pick)
		x = index.X
	}
	slices.Reverse(picks)
	sel, ok := x.(*ast.SelectorExpr)
	if !ok {
		return vector{}, fmt.Errorf("[ ] comes after TABLE.COLUMN")
	}
	name, ok := sel.X.(*ast.Ident)
	if !ok {
		return vector{}, fmt.Errorf("a column is TABLE.COLUMN")
	}
	t := e.paper.table(name.Name)
	if t == nil {
		return vector{}, fmt.Errorf("no table %s", name.Name)
	}
	column, isStd := strings.CutSuffix(sel.Sel.Name, "_std")
	if !isStd {
		column = sel.Sel.Name
	}
	c := t.Column(column)
	if c < 0 || t.Columns[c].Text || isStd && t.Columns[c].Spread == 0 {
		return vector{}, fmt.Errorf("table %s has no column of numbers %s", t.ID, sel.Sel.Name)
	}
	if len(picks) > t.Keys {
		return vector{}, fmt.Errorf("rows of %s are named by %d keys, not %d", t.ID, t.Keys, len(picks))
	}
	return e.rows(t, t.Columns[c], isStd, picks)
}

// rows collects the cells of the picked rows, named by the keys that are not fixed.
func (e *evaluation) rows(t *Table, c Column, std bool, picks []string) (vector, error) {
	for len(picks) < t.Keys {
		picks = append(picks, "*")
	}
	fixed := !slices.ContainsFunc(picks, func(p string) bool { return p == "*" || strings.HasPrefix(p, "!") })
	var out vector
	for r, row := range t.Rows {
		var rest []string
		picked := true
		for i, key := range t.RowKey(row) {
			other, not := strings.CutPrefix(picks[i], "!")
			switch {
			case picks[i] == "*" || not && other != key:
				rest = append(rest, key)
			case picks[i] != key:
				picked = false
			}
		}
		if !picked {
			continue
		}
		v, err := e.cells(t, c, r)
		if err != nil {
			return vector{}, fmt.Errorf("%s of %s in table %s: %w", c.Key, strings.Join(t.RowKey(row), ", "), t.ID, err)
		}
		x := v.Number
		if std {
			x = v.Std
		}
		out.keys = append(out.keys, strings.Join(rest, ", "))
		out.values = append(out.values, x)
	}
	if len(out.values) == 0 {
		return out, fmt.Errorf("table %s has no row %s", t.ID, strings.Join(picks, ", "))
	}
	if fixed {
		out.keys = nil
	}
	return out, nil
}
