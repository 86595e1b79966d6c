package render

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/lisa-bench/lisa-bench/internal/report"
)

// The measures of a critical-difference diagram: from its top to the first name below the axis,
// with room for the bars, and between names.
const (
	rankTop  = 2.2 * vg.Centimeter
	rankStep = 0.55 * vg.Centimeter
)

// rankDiagram draws average ranks as Demšar does (JMLR 7, 2006, figure 1). It has an axis, a line from
// each rank to its tool's name, left for the better half and right for the other. It has a thick bar
// over tools that are not told apart.
type rankDiagram struct{ c report.Chart }

var _ plot.Plotter = rankDiagram{}

// Plot draws on the whole canvas.
func (d rankDiagram) Plot(c draw.Canvas, p *plot.Plot) {
	series := slices.Clone(d.c.Series)
	slices.SortStableFunc(series, func(a, b report.Series) int { return cmp.Compare(a.Points[0].X, b.Points[0].X) })
	n := len(series)
	margin := c.Size().X * 0.24
	left, right := c.Min.X+margin, c.Max.X-margin
	at := func(rank float64) vg.Length {
		return left + vg.Length((rank-1)/math.Max(1, float64(n-1)))*(right-left)
	}
	axis := c.Max.Y - 0.5*vg.Centimeter
	thin := draw.LineStyle{Color: color.Black, Width: vg.Points(0.8)}
	thick := draw.LineStyle{Color: color.Black, Width: vg.Points(3)}
	style := text.Style{Color: color.Black, Font: p.X.Tick.Label.Font, Handler: p.X.Tick.Label.Handler, YAlign: text.YCenter}
	label := func(x, y vg.Length, align text.XAlignment, s string) {
		st := style
		st.XAlign = align
		c.FillText(st, vg.Point{X: x, Y: y}, s)
	}
	c.StrokeLine2(thin, left, axis, right, axis)
	for rank := 1; rank <= n; rank++ {
		x := at(float64(rank))
		c.StrokeLine2(thin, x, axis, x, axis+vg.Points(4))
		label(x, axis+vg.Points(11), text.XCenter, fmt.Sprint(rank))
	}
	for i, g := range d.c.Groups {
		y := axis - vg.Points(7) - vg.Length(i)*vg.Points(6)
		c.StrokeLine2(thick, at(g.Low)-vg.Points(3), y, at(g.High)+vg.Points(3), y)
	}
	names := axis - 1.1*vg.Centimeter
	for i, s := range series {
		x, name := at(s.Points[0].X), fmt.Sprintf("%s (%.2f)", report.Clean(s.Name), s.Points[0].X)
		if i < (n+1)/2 {
			y := names - vg.Length(i)*rankStep
			c.StrokeLines(thin, []vg.Point{{X: x, Y: axis}, {X: x, Y: y}, {X: left - vg.Points(6), Y: y}})
			label(left-vg.Points(14), y, text.XRight, name)
			continue
		}
		y := names - vg.Length(n-1-i)*rankStep
		c.StrokeLines(thin, []vg.Point{{X: x, Y: axis}, {X: x, Y: y}, {X: right + vg.Points(6), Y: y}})
		label(right+vg.Points(14), y, text.XLeft, name)
	}
}
