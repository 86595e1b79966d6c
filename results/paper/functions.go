package paper

import (
	"fmt"
	"go/ast"
	"math"
	"slices"

	"github.com/lisa-bench/lisa-bench/stats"
)

func (e *evaluation) call(x *ast.CallExpr) (vector, error) {
	name, ok := x.Fun.(*ast.Ident)
	if !ok || len(x.Args) == 0 {
		return vector{}, fmt.Errorf("a function is NAME(…) with one argument or more")
	}
	var args []vector
	for _, a := range x.Args {
		v, err := e.eval(a)
		if err != nil {
			return v, err
		}
		args = append(args, v)
	}
	if f := overall[name.Name]; f != nil {
		var all []float64
		for _, a := range args {
			all = append(all, a.values...)
		}
		return scalar(f(all)), nil
	}
	if f := rowByRow[name.Name]; f != nil && len(args) == 1 {
		return each(args[0], f), nil
	}
	if f := acrossRows[name.Name]; f != nil {
		out, err := args[0], error(nil)
		for _, a := range args[1:] {
			if out, err = join(out, a, f); err != nil {
				return out, err
			}
		}
		return out, nil
	}
	if f := comparisons[name.Name]; f != nil && len(args) == 4 {
		return compareCounts(f, args)
	}
	return vector{}, fmt.Errorf("no function %s of %d arguments", name.Name, len(args))
}

// overall are the functions of all values to one.
var overall = map[string]func(xs []float64) float64{
	"sum":   sum,
	"mean":  func(xs []float64) float64 { return sum(xs) / float64(len(xs)) },
	"min":   slices.Min[[]float64],
	"max":   slices.Max[[]float64],
	"count": trues,
	"all":   func(xs []float64) float64 { return truth(trues(xs) == float64(len(xs))) },
}

var rowByRow = map[string]func(x float64) float64{
	"abs": math.Abs, "log10": math.Log10,
	"sign":  func(x float64) float64 { return truth(x > 0) - truth(x < 0) },
	"reach": func(n float64) float64 { return (n - 1) / math.Sqrt(n) },
}

var acrossRows = map[string]func(a, b float64) float64{"least": math.Min, "most": math.Max}

var comparisons = map[string]func(stats.FisherResult) (float64, error){
	"fisher_p": func(r stats.FisherResult) (float64, error) { return r.P, nil },
	"odds_ratio": func(r stats.FisherResult) (float64, error) {
		if r.OddsRatio == nil {
			return 0, fmt.Errorf("%w: the odds ratio is undefined, a count of its divisor is 0", errMissing)
		}
		return *r.OddsRatio, nil
	},
}

func compareCounts(f func(stats.FisherResult) (float64, error), args []vector) (vector, error) {
	var n [4]int
	for i, a := range args {
		if a.keys != nil || a.values[0] != math.Trunc(a.values[0]) || math.Abs(a.values[0]) > 1e6 {
			return vector{}, fmt.Errorf("argument %d is not a count", i+1)
		}
		n[i] = int(a.values[0])
	}
	r, err := stats.FisherExact(n[0], n[1], n[2], n[3])
	if err != nil {
		return vector{}, err
	}
	x, err := f(r)
	return scalar(x), err
}

func sum(xs []float64) float64 {
	s := 0.0
	for _, x := range xs {
		s += x
	}
	return s
}

func trues(xs []float64) float64 {
	n := 0.0
	for _, x := range xs {
		n += truth(x != 0)
	}
	return n
}
