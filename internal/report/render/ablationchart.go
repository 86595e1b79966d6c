package render

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/lisa-bench/lisa-bench/internal/report"
)

// plotChanges draws a row for each category from top to bottom, with a point and its interval, and
// a line at no change.
func plotChanges(c report.Chart, p *plot.Plot) error {
	row, far := rows(c), 0.0
	for _, s := range c.Series {
		var means plotter.XYs
		for _, pt := range s.Points {
			y := row[pt.Label]
			means = append(means, plotter.XY{X: pt.Mean, Y: y})
			far = max(far, math.Abs(pt.Min), math.Abs(pt.Max))
			bar, err := plotter.NewLine(plotter.XYs{{X: pt.Min, Y: y}, {X: pt.Max, Y: y}})
			if err != nil {
				return err
			}
			bar.LineStyle = draw.LineStyle{Color: color.Black, Width: vg.Points(1.2)}
			p.Add(bar)
		}
		marks, err := plotter.NewScatter(means)
		if err != nil {
			return err
		}
		marks.GlyphStyle = glyph(s)
		marks.GlyphStyle.Radius = vg.Points(3.2)
		p.Add(marks)
	}
	p.X.Min, p.X.Max = -1.1*max(far, 1), 1.1*max(far, 1)
	nameRows(c, p)
	none, err := plotter.NewLine(plotter.XYs{{X: 0, Y: p.Y.Min}, {X: 0, Y: p.Y.Max}})
	if err != nil {
		return err
	}
	none.LineStyle = draw.LineStyle{Color: color.Gray{Y: 110}, Width: vg.Points(0.8), Dashes: []vg.Length{vg.Points(3), vg.Points(2)}}
	p.Add(none)
	return nil
}
