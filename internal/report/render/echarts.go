package render

import (
	"fmt"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/lisa-bench/lisa-bench/internal/report"
)

// A style sets one contender apart in all charts, by colour (Okabe and Ito's palette,
// distinct for colour-blind readers) and, for print in grey, by line and symbol.
type style struct{ colour, line, symbol string }

var styles = []style{
	{"#0072b2", "solid", "circle"}, {"#d55e00", "dashed", "rect"}, {"#009e73", "dotted", "triangle"},
	{"#cc79a7", "solid", "diamond"}, {"#e69f00", "dashed", "circle"}, {"#56b4e9", "dotted", "rect"},
}

func styleOf(s report.Series) style { return styles[s.Style%len(styles)] }

const (
	inkColour  = "#1b2430"
	axisColour = "#5a6472"
	gridColour = "#e4e8ee"
)

// echartsOption returns the option object of a chart, plain data without functions.
func echartsOption(c report.Chart) (map[string]any, error) {
	switch c.Kind {
	case report.Lines, report.Steps:
		return lineOption(c), nil
	case report.Bars:
		return barOption(c), nil
	case report.Changes:
		return changeOption(c), nil
	}
	return nil, fmt.Errorf("chart %s: unknown kind %q", c.ID, c.Kind)
}

func lineOption(c report.Chart) map[string]any {
	line := charts.NewLine()
	names := make([]string, 0, len(c.Series))
	for _, s := range c.Series {
		names = append(names, s.Name)
		addMean(line, s, c.Kind == report.Steps)
		if c.Kind == report.Lines {
			addBand(line, s)
		}
	}
	line.SetGlobalOptions(
		charts.WithInitializationOpts(opts.Initialization{ChartID: c.ID}),
		charts.WithAnimation(false),
		charts.WithGridOpts(opts.Grid{Left: "54", Right: "28", Top: "44", Bottom: "46"}),
		charts.WithLegendOpts(opts.Legend{Data: names, Top: "4", Left: "54"}),
		charts.WithTooltipOpts(opts.Tooltip{Trigger: "axis"}),
		charts.WithXAxisOpts(opts.XAxis{Type: "value", Name: c.XLabel, NameLocation: "middle", NameGap: 28,
			AxisLabel: &opts.AxisLabel{Color: axisColour, HideOverlap: opts.Bool(true)}, SplitLine: &opts.SplitLine{Show: opts.Bool(false)}}),
		charts.WithYAxisOpts(opts.YAxis{Type: "value", Name: c.YLabel, NameLocation: "middle", NameGap: 38, Min: 0,
			AxisLabel: &opts.AxisLabel{Color: axisColour}, SplitLine: &opts.SplitLine{Show: opts.Bool(true), LineStyle: &opts.LineStyle{Color: gridColour}}}),
	)
	line.Validate()
	return line.JSON()
}

// addBand adds the range over trials, [x, min, max] each, which report.js draws as one
// area. It bears the series' name, so that its legend entry switches it too.
func addBand(line *charts.Line, s report.Series) {
	data := make([]opts.CustomData, len(s.Points))
	for i, p := range s.Points {
		data[i] = opts.CustomData{Value: []float64{p.X, p.Min, p.Max}}
	}
	band := charts.NewCustom()
	band.AddSeries(s.Name, data,
		charts.WithSeriesId("band:"+s.Name),
		charts.WithEncodeOpts(opts.Encode{X: 0, Y: []int{1, 2}}),
		charts.WithSeriesOpts(func(series *charts.SingleSeries) { series.Color = styleOf(s).colour }))
	line.Overlap(band)
}

// addMean draws the mean; the range rides along for the tooltip.
func addMean(line *charts.Line, s report.Series, steps bool) {
	st := styleOf(s)
	data := make([]opts.LineData, len(s.Points))
	for i, p := range s.Points {
		data[i] = opts.LineData{Value: []float64{p.X, p.Mean, p.Min, p.Max}}
	}
	chart := opts.LineChart{Symbol: st.symbol, SymbolSize: 6, ShowSymbol: opts.Bool(len(s.Points) <= 30)}
	if steps {
		chart.Step = "end"
	}
	line.AddSeries(s.Name, data,
		charts.WithSeriesId("mean:"+s.Name),
		charts.WithLineChartOpts(chart),
		charts.WithLineStyleOpts(opts.LineStyle{Color: st.colour, Type: st.line, Width: 2}),
		charts.WithSeriesOpts(func(series *charts.SingleSeries) { series.Color = st.colour }))
}

func barOption(c report.Chart) map[string]any {
	bar, dots := charts.NewBar(), charts.NewScatter()
	for _, s := range c.Series {
		st := styleOf(s)
		var means []opts.BarData
		var trials []opts.ScatterData
		for _, p := range s.Points {
			means = append(means, opts.BarData{Value: []any{p.Mean, p.Label, p.Min, p.Max}})
			for _, x := range p.Trials {
				trials = append(trials, opts.ScatterData{Value: []any{x, p.Label}})
			}
		}
		bar.AddSeries(s.Name, means,
			charts.WithSeriesId("mean:"+s.Name),
			charts.WithBarChartOpts(opts.BarChart{BarGap: "-100%"}),
			charts.WithSeriesOpts(func(s *charts.SingleSeries) { s.BarMaxWidth = "18" }),
			charts.WithItemStyleOpts(opts.ItemStyle{Color: st.colour, Opacity: opts.Float(0.75)}))
		dots.AddSeries(s.Name, trials,
			charts.WithSeriesId("trials:"+s.Name),
			charts.WithScatterChartOpts(opts.ScatterChart{Symbol: st.symbol, SymbolSize: 7}),
			charts.WithItemStyleOpts(opts.ItemStyle{Color: inkColour}))
	}
	bar.Overlap(dots)
	bar.SetGlobalOptions(rowOptions(c, opts.XAxis{Min: 0, Max: 100})...)
	return bar.JSON()
}

// changeOption draws points with their intervals. Their values are [mean, label, low, high]; report.js
// draws the intervals from those of the custom series.
func changeOption(c report.Chart) map[string]any {
	dots, intervals := charts.NewScatter(), charts.NewCustom()
	for _, s := range c.Series {
		st := styleOf(s)
		var means []opts.ScatterData
		var spans []opts.CustomData
		for _, p := range s.Points {
			means = append(means, opts.ScatterData{Value: []any{p.Mean, p.Label, p.Min, p.Max}})
			spans = append(spans, opts.CustomData{Value: []any{p.Mean, p.Label, p.Min, p.Max}})
		}
		dots.AddSeries(s.Name, means,
			charts.WithSeriesId("mean:"+s.Name),
			charts.WithScatterChartOpts(opts.ScatterChart{Symbol: st.symbol, SymbolSize: 10}),
			charts.WithItemStyleOpts(opts.ItemStyle{Color: st.colour}))
		intervals.AddSeries(s.Name, spans,
			charts.WithSeriesId("interval:"+s.Name),
			charts.WithSeriesOpts(func(series *charts.SingleSeries) { series.Color = st.colour }))
	}
	dots.Overlap(intervals)
	dots.SetGlobalOptions(rowOptions(c, opts.XAxis{})...)
	return dots.JSON()
}

// rowOptions are those of a chart with a row for each category. values is the axis of the values as
// far as charts differ in it.
func rowOptions(c report.Chart, values opts.XAxis) []charts.GlobalOpts {
	values.Type, values.Name, values.NameLocation, values.NameGap = "value", c.XLabel, "middle", 26
	values.AxisLabel = &opts.AxisLabel{Color: axisColour}
	values.SplitLine = &opts.SplitLine{Show: opts.Bool(true), LineStyle: &opts.LineStyle{Color: gridColour}}
	return []charts.GlobalOpts{
		charts.WithInitializationOpts(opts.Initialization{ChartID: c.ID}),
		charts.WithAnimation(false),
		charts.WithGridOpts(opts.Grid{Left: "8", Right: "28", Top: "12", Bottom: "30", ContainLabel: opts.Bool(true)}),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}), // each row has its name
		charts.WithTooltipOpts(opts.Tooltip{Trigger: "axis"}),
		charts.WithXAxisOpts(values),
		charts.WithYAxisOpts(opts.YAxis{Type: "category", Data: c.Categories, Inverse: opts.Bool(true),
			AxisLabel: &opts.AxisLabel{Color: inkColour}}),
	}
}
