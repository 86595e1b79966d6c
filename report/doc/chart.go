package doc

import (
	"math"
	"strconv"
	"strings"
)

// A ChartKind is the form of a chart.
type ChartKind string

// The forms. Lines are means with a band from the lowest to the highest trial, and steps are step functions. Rows have
// a mean and an interval for each category.
const (
	Lines ChartKind = "lines"
	Steps ChartKind = "steps"
	Rows  ChartKind = "rows"
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
	// Categories are the labels of Rows, from top to bottom.
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
	Label string  `json:"label,omitempty"` // Rows: the category
	X     float64 `json:"x"`               // Lines and Steps
	Mean  float64 `json:"mean"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
}

// Add puts a series' points to those of its name; one without points is left out.
func (c *Chart) Add(s Series) {
	for i := range c.Series {
		if c.Series[i].Name == s.Name {
			c.Series[i].Points = append(c.Series[i].Points, s.Points...)
			return
		}
	}
	if len(s.Points) > 0 {
		c.Series = append(c.Series, s)
	}
}

// categoryDash stands between the library and the tool of a row; it is ASCII, as PDF files need.
const categoryDash = ": "

// AddRow adds a row for a library; "" stands for all libraries.
func (c *Chart) AddRow(library string, s Series, p Point) {
	p.Label = strings.TrimPrefix(library+categoryDash+s.Name, categoryDash)
	c.Categories = append(c.Categories, p.Label)
	s.Points = []Point{p}
	c.Add(s)
}

// Ends returns whole numbers between which all intervals of Rows and 0 lie.
func (c Chart) Ends() (low, high float64) {
	for _, s := range c.Series {
		for _, p := range s.Points {
			low, high = min(low, math.Floor(p.Min)), max(high, math.Ceil(p.Max))
		}
	}
	return low, high
}

// maxDataRows bounds the rows that the data of a figure has for one series.
const maxDataRows = 11

// Data is a chart as a table, for who cannot see it.
func (c Chart) Data() Table {
	t := NewTable("data-"+c.ID, "Data: "+c.Title, Text("tool", "Tool"), Text("x", c.XLabel), Number("mean", c.YLabel, 2),
		Number("min", "From", 2), Number("max", "to", 2))
	t.Library = c.Library
	if c.Kind == Rows {
		t.Columns[1], t.Columns[2].Name = Text("library", "Library"), c.XLabel
	}
	for _, s := range c.Series {
		for _, p := range Thin(s.Points, maxDataRows) {
			at := strconv.FormatFloat(p.X, 'g', 6, 64)
			if c.Kind == Rows {
				at = strings.TrimSuffix(strings.TrimSuffix(p.Label, s.Name), categoryDash)
			}
			t.Add(Words(s.Name), Words(at), Num(p.Mean), Num(p.Min), Num(p.Max))
		}
	}
	return t
}

// Thin keeps at most n points of a grid, its ends among them.
func Thin[T any](grid []T, n int) []T {
	if len(grid) <= n {
		return grid
	}
	kept := make([]T, n)
	for i := range kept {
		kept[i] = grid[i*(len(grid)-1)/(n-1)]
	}
	return kept
}
