package render

import (
	"bytes"
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/lisa-bench/lisa-bench/internal/report"
)

// figureWidth is the width of a static chart: a column and a half of a paper.
const figureWidth = 14 * vg.Centimeter

// figureFormats are what static charts are written in; both are drawn as vectors.
var figureFormats = []string{"svg", "pdf"}

// timelessPDF makes PDF files of equal charts equal: they hold no clock, and their parts are sorted.
var timelessPDF = sync.OnceFunc(func() {
	epoch := time.Unix(0, 0).UTC()
	fpdf.SetDefaultCreationDate(epoch)
	fpdf.SetDefaultModificationDate(epoch)
	fpdf.SetDefaultCatalogSort(true)
})

// figures renders every chart without a browser, as NAME.svg and NAME.pdf; equal charts give
// equal bytes.
func figures(d *report.Document) ([]File, error) {
	var files []File
	for _, c := range d.AllCharts() {
		for _, format := range figureFormats {
			data, err := static(c, format)
			if err != nil {
				return nil, err
			}
			files = append(files, File{Name: c.ID + "." + format, Data: data})
		}
	}
	return files, nil
}

// static draws a chart as svg or pdf.
func static(c report.Chart, format string) ([]byte, error) {
	timelessPDF()
	p, height, err := drawing(c)
	if err != nil {
		return nil, fmt.Errorf("chart %s: %w", c.ID, err)
	}
	w, err := draw.NewFormattedCanvas(figureWidth, height, format)
	if err != nil {
		return nil, fmt.Errorf("chart %s as %s: %w", c.ID, format, err)
	}
	page := draw.New(w)
	page.SetColor(color.White)
	page.Fill(page.Rectangle.Path())
	// A margin, for readers whose fonts are wider than ours.
	p.Draw(draw.Crop(page, vg.Points(8), -vg.Points(14), vg.Points(4), -vg.Points(4)))
	var buf bytes.Buffer
	if _, err := w.WriteTo(&buf); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

func drawing(c report.Chart) (p *plot.Plot, height vg.Length, err error) {
	p = plot.New()
	p.Title.Text = report.Clean(c.Title)
	for _, style := range []*draw.TextStyle{
		&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle,
	} {
		style.Font.Variant, style.Font.Size = "Sans", vg.Points(9)
	}
	p.Title.TextStyle.Font.Size, p.Title.Padding = vg.Points(11), vg.Points(6)
	p.X.Label.Text, p.Y.Label.Text = c.XLabel, c.YLabel
	p.Legend.Top, p.Legend.Left = false, false
	p.Legend.Padding, p.Legend.ThumbnailWidth = vg.Points(2), vg.Points(24)
	switch c.Kind {
	case report.Lines, report.Steps:
		return p, 8 * vg.Centimeter, plotLines(c, p)
	case report.Bars:
		return p, vg.Length(2.6+0.7*float64(len(c.Categories))) * vg.Centimeter, plotBars(c, p)
	case report.Changes:
		return p, vg.Length(2+0.6*float64(len(c.Categories))) * vg.Centimeter, plotChanges(c, p)
	case report.Ranks:
		height := rankTop + rankStep*vg.Length((len(c.Series)+1)/2) + vg.Centimeter
		p.HideAxes()
		p.Add(rankDiagram{c})
		return p, height, nil
	}
	return nil, 0, fmt.Errorf("unknown kind %q", c.Kind)
}

// stroke is the line of a series: by colour, and by dashes for print in grey.
func stroke(s report.Series) draw.LineStyle {
	dashes := map[string][]vg.Length{"dashed": {vg.Points(6), vg.Points(3)}, "dotted": {vg.Points(1.5), vg.Points(2.5)}}
	return draw.LineStyle{Color: colourOf(s, 255), Width: vg.Points(1.5), Dashes: dashes[styleOf(s).line]}
}

// colourOf is the colour of a series, alpha from 0, not seen, to 255.
func colourOf(s report.Series, alpha uint8) color.NRGBA {
	rgb, err := strconv.ParseUint(styleOf(s).colour[1:], 16, 24)
	if err != nil {
		panic(err) // a constant of styles
	}
	return color.NRGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: alpha}
}

func glyph(s report.Series) draw.GlyphStyle {
	shapes := map[string]draw.GlyphDrawer{"circle": draw.CircleGlyph{}, "rect": draw.BoxGlyph{}, "triangle": draw.PyramidGlyph{}, "diamond": draw.RingGlyph{}}
	return draw.GlyphStyle{Color: colourOf(s, 255), Radius: vg.Points(2.2), Shape: shapes[styleOf(s).symbol]}
}

func plotLines(c report.Chart, p *plot.Plot) error {
	p.Y.Min, p.X.Min = 0, 0
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal.Color = color.Gray{Y: 225}
	p.Add(grid)
	for _, s := range c.Series {
		if len(s.Points) == 0 {
			continue
		}
		var mean, band plotter.XYs
		for _, pt := range s.Points {
			mean = append(mean, plotter.XY{X: pt.X, Y: pt.Mean})
			band = append(band, plotter.XY{X: pt.X, Y: pt.Max})
		}
		for i := len(s.Points) - 1; i >= 0; i-- {
			band = append(band, plotter.XY{X: s.Points[i].X, Y: s.Points[i].Min})
		}
		if c.Kind == report.Lines && len(s.Points) > 1 {
			area, err := plotter.NewPolygon(band)
			if err != nil {
				return err
			}
			area.Color, area.LineStyle.Width = colourOf(s, 50), 0
			p.Add(area)
		}
		line, err := plotter.NewLine(mean)
		if err != nil {
			return err
		}
		line.LineStyle = stroke(s)
		if c.Kind == report.Steps {
			line.StepStyle = plotter.PostStep
		}
		few := every(mean, 10)
		marks, err := plotter.NewScatter(few)
		if err != nil {
			return err
		}
		marks.GlyphStyle = glyph(s)
		p.Add(line, marks)
		p.Legend.Add(report.Clean(s.Name), line, marks)
	}
	p.Y.Max = max(p.Y.Max, 1)
	p.X.Max = max(p.X.Max, p.X.Min+1e-9)
	return nil
}

// every keeps about n of the points, the last among them.
func every(points plotter.XYs, n int) plotter.XYs {
	step := max(1, len(points)/n)
	var few plotter.XYs
	for i := len(points) - 1; i >= 0; i -= step {
		few = append(few, points[i])
	}
	return few
}

// plotBars draws a bar for each category from top to bottom, and a mark for each trial.
func plotBars(c report.Chart, p *plot.Plot) error {
	p.Legend.Top = true
	row := rows(c)
	const half = 0.32 // of a row
	for _, s := range c.Series {
		var trials plotter.XYs
		for _, pt := range s.Points {
			y := row[pt.Label]
			bar, err := plotter.NewPolygon(plotter.XYs{{X: 0, Y: y - half}, {X: pt.Mean, Y: y - half}, {X: pt.Mean, Y: y + half}, {X: 0, Y: y + half}})
			if err != nil {
				return err
			}
			bar.Color, bar.LineStyle.Color, bar.LineStyle.Width = colourOf(s, 150), colourOf(s, 255), vg.Points(0.5)
			p.Add(bar)
			for _, x := range pt.Trials {
				trials = append(trials, plotter.XY{X: x, Y: y})
			}
		}
		if len(trials) == 0 {
			continue
		}
		marks, err := plotter.NewScatter(trials)
		if err != nil {
			return err
		}
		marks.GlyphStyle = glyph(s)
		marks.GlyphStyle.Color = color.Black
		p.Add(marks)
	}
	p.X.Min, p.X.Max = 0, 100
	nameRows(c, p)
	return nil
}

// rows are where the categories of a chart are, from top to bottom.
func rows(c report.Chart) map[string]float64 {
	row := map[string]float64{}
	for i, name := range c.Categories {
		row[name] = float64(len(c.Categories) - 1 - i)
	}
	return row
}

// nameRows names the rows of a plot; it comes after what is in them, which changes the axis.
func nameRows(c report.Chart, p *plot.Plot) {
	var labels []string
	for _, name := range slices.Backward(c.Categories) {
		labels = append(labels, report.Clean(name))
	}
	if len(labels) > 0 {
		p.NominalY(labels...)
	}
	p.Y.Min, p.Y.Max = -0.6, float64(len(labels))-0.4
}
