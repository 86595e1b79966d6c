package render

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"log"
	"slices"
	"strconv"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/lisa-bench/lisa-bench/report/doc"
)

// A style sets one tool apart in all charts, by colour (Okabe and Ito's palette,
// distinct for colour-blind readers) and, for print in grey, by line and symbol.
type style struct {
	Colour string `json:"colour"`
	Line   string `json:"line"`
	Symbol string `json:"symbol"`
}

var styles = []style{
	{"#0072b2", "solid", "circle"}, {"#d55e00", "dashed", "rect"}, {"#009e73", "dotted", "triangle"},
	{"#cc79a7", "solid", "diamond"}, {"#e69f00", "dashed", "circle"}, {"#56b4e9", "dotted", "rect"},
}

// styleOf returns the style of a series. From the seventh tool on colours come again, with other lines and symbols.
func styleOf(s doc.Series) style {
	st := styles[s.Style%len(styles)]
	if round := s.Style / len(styles); round > 0 {
		other := styles[(s.Style+round)%len(styles)]
		st.Line, st.Symbol = other.Line, other.Symbol
	}
	return st
}

// figureWidth is the width of a static chart: a column and a half of a paper.
const figureWidth = 14 * vg.Centimeter

// timelessPDF makes PDF files of equal charts equal: they hold no clock, and their parts are sorted.
var timelessPDF = sync.OnceFunc(func() {
	log.SetOutput(io.Discard) // vgpdf logs what it panics with
	epoch := time.Unix(0, 0).UTC()
	fpdf.SetDefaultCreationDate(epoch)
	fpdf.SetDefaultModificationDate(epoch)
	fpdf.SetDefaultCatalogSort(true)
})

// static draws a chart as svg or pdf, both of vectors; equal charts give equal bytes. What the drawing library panics
// with is its error: it makes fonts in the directory of temporary files, which may be full.
func static(c doc.Chart, format string) (data []byte, err error) {
	timelessPDF()
	defer func() {
		if p := recover(); p != nil {
			data, err = nil, fmt.Errorf("chart %s as %s: %v", c.ID, format, p)
		}
	}()
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = doc.Clean(c.Title), c.XLabel, c.YLabel
	for _, style := range []*draw.TextStyle{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle,
		&p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		style.Font.Variant, style.Font.Size = "Sans", vg.Points(9)
	}
	p.Title.TextStyle.Font.Size, p.Title.Padding = vg.Points(11), vg.Points(6)
	p.Legend.Padding, p.Legend.ThumbnailWidth = vg.Points(2), vg.Points(24)
	height, plotChart := 8*vg.Centimeter, plotLines
	if c.Kind == doc.Rows {
		height, plotChart = vg.Length(2.6+0.7*float64(len(c.Categories)))*vg.Centimeter, plotRows
	}
	if err := plotChart(c, p); err != nil {
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
	_, err = w.WriteTo(&buf)
	// The font that labels are measured with has the widths of Arial and Helvetica.
	return bytes.ReplaceAll(buf.Bytes(), []byte("font-family:Liberation Sans;"),
		[]byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;")), err
}

// colourOf is the colour of a series, alpha from 0, not seen, to 255.
func colourOf(s doc.Series, alpha uint8) color.NRGBA {
	rgb, _ := strconv.ParseUint(styleOf(s).Colour[1:], 16, 24) // a constant of styles
	return color.NRGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: alpha}
}

// The lines and symbols of styles, for print in grey.
var (
	dashes = map[string][]vg.Length{"dashed": {vg.Points(6), vg.Points(3)}, "dotted": {vg.Points(1.5), vg.Points(2.5)}}
	shapes = map[string]draw.GlyphDrawer{"circle": draw.CircleGlyph{}, "rect": draw.BoxGlyph{},
		"triangle": draw.PyramidGlyph{}, "diamond": draw.RingGlyph{}}
)

// marks are the symbols of a series.
func marks(s doc.Series, at plotter.XYs) *plotter.Scatter {
	return &plotter.Scatter{XYs: at,
		GlyphStyle: draw.GlyphStyle{Color: colourOf(s, 255), Radius: vg.Points(2.2), Shape: shapes[styleOf(s).Symbol]}}
}

// area is a polygon of a series.
func area(corners plotter.XYs, fill color.Color, edge draw.LineStyle) *plotter.Polygon {
	return &plotter.Polygon{XYs: []plotter.XYs{corners}, Color: fill, LineStyle: edge}
}

// plotLines draws a curve with its band for each series.
func plotLines(c doc.Chart, p *plot.Plot) error {
	p.Y.Min, p.X.Min = 0, 0
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal.Color = color.Gray{Y: 225}
	p.Add(grid)
	for _, s := range c.Series {
		var mean, band, few plotter.XYs
		for i, pt := range s.Points {
			mean = append(mean, plotter.XY{X: pt.X, Y: pt.Mean})
			band = append(band, plotter.XY{X: pt.X, Y: pt.Max})
			if step := max(1, len(s.Points)/10); (len(s.Points)-1-i)%step == 0 { // about ten marks, the last among them
				few = append(few, mean[i])
			}
		}
		for _, pt := range slices.Backward(s.Points) {
			band = append(band, plotter.XY{X: pt.X, Y: pt.Min})
		}
		if c.Kind == doc.Lines && len(s.Points) > 1 {
			p.Add(area(band, colourOf(s, 50), draw.LineStyle{}))
		}
		line, err := plotter.NewLine(mean)
		if err != nil {
			return err
		}
		line.LineStyle = draw.LineStyle{Color: colourOf(s, 255), Width: vg.Points(1.5), Dashes: dashes[styleOf(s).Line]}
		if c.Kind == doc.Steps {
			line.StepStyle = plotter.PostStep
		}
		symbols := marks(s, few)
		p.Add(line, symbols)
		p.Legend.Add(doc.Clean(s.Name), line, symbols)
	}
	p.Y.Max = max(p.Y.Max, 1)
	p.X.Max = max(p.X.Max, p.X.Min+1e-9)
	return nil
}

// plotRows draws a row for each category from top to bottom: a mark with its interval.
func plotRows(c doc.Chart, p *plot.Plot) error {
	var labels []string
	for _, name := range slices.Backward(c.Categories) {
		labels = append(labels, doc.Clean(name))
	}
	for _, s := range c.Series {
		var at plotter.XYs
		for _, pt := range s.Points {
			y := float64(len(labels) - 1 - slices.Index(c.Categories, pt.Label))
			at = append(at, plotter.XY{X: pt.Mean, Y: y})
			p.Add(area(plotter.XYs{{X: pt.Min, Y: y}, {X: pt.Max, Y: y}}, colourOf(s, 150),
				draw.LineStyle{Color: color.Black, Width: vg.Points(1.2)}))
		}
		p.Add(marks(s, at))
	}
	p.X.Min, p.X.Max = c.Ends()
	if len(labels) > 0 {
		p.NominalY(labels...)
	}
	p.Y.Min, p.Y.Max = -0.6, float64(len(labels))-0.4
	zero := plotter.Line{XYs: plotter.XYs{{X: 0, Y: p.Y.Min}, {X: 0, Y: p.Y.Max}},
		LineStyle: draw.LineStyle{Color: color.Gray{Y: 110}, Width: vg.Points(0.8),
			Dashes: []vg.Length{vg.Points(3), vg.Points(2)}}}
	p.Add(&zero)
	return nil
}
