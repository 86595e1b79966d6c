package report

import (
	"bytes"
	"strings"
	"testing"
)

// charts has one of each kind, with what a run can put into one.
func oneOfEach() []Chart {
	points := []Point{{X: 1, Mean: 10, Min: 5, Max: 12}, {X: 2, Mean: 30, Min: 20, Max: 40}}
	bars := func(label string) []Point {
		return []Point{{Label: label, Mean: 40, Min: 30, Max: 50, Trials: []float64{30, 50}}}
	}
	return []Chart{
		{ID: "lines", Title: hostileName, Kind: Lines, XLabel: "tokens", YLabel: "lines, %", Series: []Series{{Name: "a", Points: points}, {Name: "b & <c>", Style: 1, Points: points[:1]}}},
		{ID: "steps", Title: "found", Kind: Steps, XLabel: "s", Series: []Series{{Name: "a", Style: 2, Points: points}}},
		{ID: "bars", Title: "bars", Kind: Bars, Categories: []string{"zlib · a", "zlib · b"}, Series: []Series{{Name: "a", Points: bars("zlib · a")}, {Name: "b", Style: 7, Points: bars("zlib · b")}}},
		{ID: "ranks", Title: "ranks", Kind: Ranks, Groups: []Bar{{Low: 1, High: 1.5}}, Series: []Series{
			{Name: "x", Points: []Point{{X: 1}}}, {Name: "y", Points: []Point{{X: 1.5}}}, {Name: "z", Points: []Point{{X: 3}}}}},
		{ID: "empty", Kind: Lines}, {ID: "nothing", Kind: Bars}, {ID: "one", Kind: Lines, Series: []Series{{Name: "0", Points: []Point{{}}}}},
	}
}

func TestStaticChartsAreEqualEachTime(t *testing.T) {
	for _, c := range oneOfEach() {
		for _, format := range figureFormats {
			first, err := c.static(format)
			if err != nil {
				t.Errorf("%s: %v", c.ID, err)
				continue
			}
			again, err := c.static(format)
			if err != nil || !bytes.Equal(first, again) {
				t.Errorf("%s.%s differs from itself (%v)", c.ID, format, err)
			}
			if bytes.Contains(first, []byte("NaN")) {
				t.Errorf("%s.%s holds NaN", c.ID, format)
			}
			if format == "svg" && strings.Contains(string(first), hostileName) {
				t.Errorf("%s.svg holds a name that is markup", c.ID)
			}
			if magic := map[string]string{"svg": "<?xml", "pdf": "%PDF-"}[format]; !bytes.HasPrefix(first, []byte(magic)) {
				t.Errorf("%s.%s begins with %q", c.ID, format, first[:8])
			}
		}
	}
	if _, err := (Chart{ID: "x", Kind: "pie"}).static("svg"); err == nil {
		t.Error("an unknown kind is drawn")
	}
}
