package render

import (
	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/lisa-bench/lisa-bench/report/doc"
)

// A style sets one tool apart in all charts, by colour (Okabe and Ito's palette,
// distinct for colour-blind readers) and, for print in grey, by line and symbol.
type style struct{ colour, line, symbol string }

var styles = []style{
	{"#0072b2", "solid", "circle"}, {"#d55e00", "dashed", "rect"}, {"#009e73", "dotted", "triangle"},
	{"#cc79a7", "solid", "diamond"}, {"#e69f00", "dashed", "circle"}, {"#56b4e9", "dotted", "rect"},
}

// styleOf returns the style of a series. From the seventh tool on colours come again, with other lines and symbols.
func styleOf(s doc.Series) style {
	st := styles[s.Style%len(styles)]
	if round := s.Style / len(styles); round > 0 {
		other := styles[(s.Style+round)%len(styles)]
		st.line, st.symbol = other.line, other.symbol
	}
	return st
}

const (
	inkColour  = "#1b2430"
	axisColour = "#5a6472"
	gridColour = "#e4e8ee"
)

// echartsOption is the option object of a chart in a page, plain data without functions. Series are named by what
// report.js makes of them: "mean:", and the custom ones "band:" and "interval:", which it draws. Their
// values are [x, mean, min, max] on a curve and [mean, label, min, max] in a row.
func echartsOption(c doc.Chart) map[string]any {
	if c.Kind == doc.Rows {
		return rowOption(c)
	}
	line := charts.NewLine()
	var names []string
	for _, s := range c.Series {
		st := styleOf(s)
		var means []opts.LineData
		var band []opts.CustomData
		for _, p := range s.Points {
			means = append(means, opts.LineData{Value: []float64{p.X, p.Mean, p.Min, p.Max}})
			band = append(band, opts.CustomData{Value: []float64{p.X, p.Min, p.Max}})
		}
		chart := opts.LineChart{Symbol: st.symbol, SymbolSize: 6, ShowSymbol: opts.Bool(len(s.Points) <= 30)}
		if c.Kind == doc.Steps {
			chart.Step = "end"
		}
		names = append(names, s.Name)
		line.AddSeries(s.Name, means, charts.WithSeriesId("mean:"+s.Name), charts.WithLineChartOpts(chart), colour(st),
			charts.WithLineStyleOpts(opts.LineStyle{Color: st.colour, Type: st.line, Width: 2}))
		if c.Kind == doc.Lines {
			area := charts.NewCustom()
			area.AddSeries(s.Name, band, charts.WithSeriesId("band:"+s.Name),
				charts.WithEncodeOpts(opts.Encode{X: 0, Y: []int{1, 2}}), colour(st))
			line.Overlap(area)
		}
	}
	line.SetGlobalOptions(
		charts.WithInitializationOpts(opts.Initialization{ChartID: c.ID}),
		charts.WithAnimation(false),
		charts.WithGridOpts(opts.Grid{Left: "54", Right: "28", Top: "44", Bottom: "46"}),
		charts.WithLegendOpts(opts.Legend{Data: names, Top: "4", Left: "54"}),
		charts.WithTooltipOpts(opts.Tooltip{Trigger: "axis"}),
		charts.WithXAxisOpts(opts.XAxis{Type: "value", Name: c.XLabel, NameLocation: "middle", NameGap: 28,
			AxisLabel: &opts.AxisLabel{Color: axisColour,
				HideOverlap: opts.Bool(true)}, SplitLine: &opts.SplitLine{Show: opts.Bool(false)}}),
		charts.WithYAxisOpts(opts.YAxis{Type: "value", Name: c.YLabel, NameLocation: "middle", NameGap: 38, Min: 0,
			AxisLabel: &opts.AxisLabel{Color: axisColour}, SplitLine: gridLines()}),
	)
	line.Validate()
	return line.JSON()
}

// rowOption is the option object of a chart with a row for each category: a dot with its interval.
func rowOption(c doc.Chart) map[string]any {
	dots, intervals := charts.NewScatter(), charts.NewCustom()
	values := opts.XAxis{Type: "value", Name: c.XLabel, NameLocation: "middle", NameGap: 26,
		AxisLabel: &opts.AxisLabel{Color: axisColour}, SplitLine: gridLines()}
	values.Min, values.Max = c.Ends()
	for _, s := range c.Series {
		st := styleOf(s)
		var points []opts.ScatterData
		var spans []opts.CustomData
		for _, p := range s.Points {
			value := []any{p.Mean, p.Label, p.Min, p.Max}
			points = append(points, opts.ScatterData{Value: value})
			spans = append(spans, opts.CustomData{Value: value})
		}
		dots.AddSeries(s.Name, points, charts.WithSeriesId("mean:"+s.Name),
			charts.WithScatterChartOpts(opts.ScatterChart{Symbol: st.symbol, SymbolSize: 10}),
			charts.WithItemStyleOpts(opts.ItemStyle{Color: st.colour}))
		intervals.AddSeries(s.Name, spans, charts.WithSeriesId("interval:"+s.Name), colour(st))
	}
	dots.Overlap(intervals)
	dots.SetGlobalOptions(
		charts.WithInitializationOpts(opts.Initialization{ChartID: c.ID}),
		charts.WithAnimation(false),
		charts.WithGridOpts(opts.Grid{Left: "8", Right: "28", Top: "12", Bottom: "30", ContainLabel: opts.Bool(true)}),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}), // each row has its name
		charts.WithTooltipOpts(opts.Tooltip{Trigger: "axis"}),
		charts.WithXAxisOpts(values),
		charts.WithYAxisOpts(opts.YAxis{Type: "category", Data: c.Categories, Inverse: opts.Bool(true),
			AxisLabel: &opts.AxisLabel{Color: inkColour}}),
	)
	return dots.JSON()
}

func colour(st style) charts.SeriesOpts {
	return charts.WithSeriesOpts(func(s *charts.SingleSeries) { s.Color = st.colour })
}

func gridLines() *opts.SplitLine {
	return &opts.SplitLine{Show: opts.Bool(true), LineStyle: &opts.LineStyle{Color: gridColour}}
}
