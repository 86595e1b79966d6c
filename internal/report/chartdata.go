package report

import "strings"

// maxDataRows bounds the rows that the data of a figure has for one series; all points are in
// the CSV files.
const maxDataRows = 11

// Data is a chart as a table, for who cannot see it.
func (c Chart) Data() Table {
	t := Table{ID: "data-" + c.ID, Title: "Data: " + c.Title, Library: c.Library}
	most := 0.0
	for _, s := range c.Series {
		for _, p := range s.Points {
			most = max(most, p.X)
		}
	}
	value := func(key, name string) Column { return Column{Key: key, Name: name, Kind: Number, Decimals: 2} }
	switch c.Kind {
	case Bars:
		t.Columns = []Column{{Key: "library", Name: "Library", Kind: Words}, {Key: "tool", Name: "Tool", Kind: Words},
			value("mean", c.XLabel+": mean"), value("min", "Lowest trial"), value("max", "Highest trial"), {Key: "trials", Name: "Trials", Kind: Number}}
		for _, category := range c.Categories {
			library, tool := splitCategory(category)
			for _, s := range c.Series {
				for _, p := range s.Points {
					if p.Label == category {
						t.Rows = append(t.Rows, []Cell{words(library), words(tool), number(p.Mean), number(p.Min), number(p.Max), whole(len(p.Trials))})
					}
				}
			}
		}
	case Changes:
		t.Columns = []Column{{Key: "library", Name: "Library", Kind: Words}, {Key: "tool", Name: "Variant", Kind: Words},
			value("change", c.XLabel), value("min", "Interval from"), value("max", "to")}
		for _, s := range c.Series {
			for _, p := range s.Points {
				library, tool := splitCategory(p.Label)
				t.Rows = append(t.Rows, []Cell{words(library), words(tool), number(p.Mean), number(p.Min), number(p.Max)})
			}
		}
	case Ranks:
		t.Columns = []Column{{Key: "tool", Name: "Tool", Kind: Words}, value("rank", "Average rank")}
		for _, s := range c.Series {
			t.Rows = append(t.Rows, []Cell{words(s.Name), number(s.Points[0].X)})
		}
	default:
		t.Columns = []Column{{Key: "tool", Name: "Tool", Kind: Words}, {Key: "x", Name: c.XLabel, Kind: Number, Decimals: decimalsUpTo(most)}, value("mean", c.YLabel)}
		if c.Kind == Lines {
			t.Columns[2].Name += ": mean"
			t.Columns = append(t.Columns, value("min", "Lowest trial"), value("max", "Highest trial"))
		}
		for _, s := range c.Series {
			for _, p := range thin(s.Points, maxDataRows) {
				row := []Cell{words(s.Name), number(p.X), number(p.Mean), number(p.Min), number(p.Max)}
				t.Rows = append(t.Rows, row[:len(t.Columns)])
			}
		}
	}
	return t
}

// categoryDash stands between the library and the tool of a bar; it is ASCII, as PDF files need.
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
