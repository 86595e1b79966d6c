package report

import (
	"slices"
	"strings"
)

// A ChartKind is the form of a chart.
type ChartKind string

// The forms. Lines are means with a band from the lowest to the highest trial, and steps are step functions. Bars and
// changes have a row for each category: a mean with a dot for each trial, or with an interval.
const (
	Lines   ChartKind = "lines"
	Steps   ChartKind = "steps"
	Bars    ChartKind = "bars"
	Changes ChartKind = "changes"
)

// A Chart is a figure, free of any drawing library.
type Chart struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Caption string    `json:"caption"`
	Kind    ChartKind `json:"kind"`
	XLabel  string    `json:"x_label"`
	YLabel  string    `json:"y_label"`
	Series  []Series  `json:"series"`
	// Categories are the labels of the rows of Bars and Changes, from top to bottom.
	Categories []string `json:"categories,omitempty"`
	// Library is set when the whole chart is of one library.
	Library string `json:"library,omitempty"`
}

// A Series is one tool's part of a chart.
type Series struct {
	Name   string  `json:"name"`
	Style  int     `json:"style"` // the same for one tool in all charts
	Points []Point `json:"points"`
}

// A Point is a mean over trials with its range, or with its interval.
type Point struct {
	Label  string    `json:"label,omitempty"` // Bars and Changes: the category
	X      float64   `json:"x"`               // Lines and Steps
	Mean   float64   `json:"mean"`
	Min    float64   `json:"min"`
	Max    float64   `json:"max"`
	Trials []float64 `json:"trials,omitempty"` // Bars
}

// series is a tool's part of a chart.
func (a *analysis) series(t tool, points ...Point) Series {
	return Series{Name: t.String(), Style: slices.Index(a.tools, t), Points: points}
}

// add puts a series' points to those of its name.
func (c *Chart) add(s Series) {
	for i := range c.Series {
		if c.Series[i].Name == s.Name {
			c.Series[i].Points = append(c.Series[i].Points, s.Points...)
			return
		}
	}
	c.Series = append(c.Series, s)
}

// withSeries returns the charts that show anything.
func withSeries(charts ...Chart) []Chart {
	return slices.DeleteFunc(charts, func(c Chart) bool { return len(c.Series) == 0 })
}

// HasRows reports whether a chart has a row for each category.
func (c Chart) HasRows() bool { return c.Kind == Bars || c.Kind == Changes }

// maxDataRows bounds the rows that the data of a figure has for one series; CSV files have all points.
const maxDataRows = 11

// Data is a chart as a table, for who cannot see it.
func (c Chart) Data() Table {
	t := newTable("data-"+c.ID, "Data: "+c.Title)
	t.Library = c.Library
	from, to := numberColumn("min", "Lowest trial", 2), numberColumn("max", "Highest trial", 2)
	if c.Kind == Changes {
		from.Name, to.Name = "Interval from", "to"
	}
	if c.HasRows() {
		t.Columns = slices.Concat(groupColumns, []Column{numberColumn("mean", c.XLabel, 2), from, to})
		for _, s := range c.Series {
			for _, p := range s.Points {
				library, tool := splitCategory(p.Label)
				t.add(words(library), words(tool), number(p.Mean), number(p.Min), number(p.Max))
			}
		}
		return t
	}
	most := 0.0
	for _, s := range c.Series {
		most = max(most, s.Points[len(s.Points)-1].X)
	}
	t.Columns = []Column{groupColumns[1], numberColumn("x", c.XLabel, decimalsUpTo(most)), numberColumn("mean", c.YLabel, 2), from, to}
	for _, s := range c.Series {
		for _, p := range thin(s.Points, maxDataRows) {
			t.add(words(s.Name), number(p.X), number(p.Mean), number(p.Min), number(p.Max))
		}
	}
	return t
}

// categoryDash stands between the library and the tool of a row; it is ASCII, as PDF files need.
const categoryDash = ": "

func splitCategory(label string) (library, tool string) {
	i := strings.LastIndex(label, categoryDash)
	if i < 0 {
		return "", label
	}
	return label[:i], label[i+len(categoryDash):]
}

// decimalsUpTo is how many decimals tell the points of an axis apart.
func decimalsUpTo(most float64) int {
	switch {
	case most < 1:
		return 4
	case most < 100:
		return 1
	}
	return 0
}
