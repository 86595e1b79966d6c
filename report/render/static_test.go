package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/report"
)

// hostileName is a name that a page would take for a script.
const hostileName = `<script>alert("x")</script>`

// oneOfEach has one of each kind, with what a run can put into one.
func oneOfEach() []report.Chart {
	points := []report.Point{{X: 1, Mean: 10, Min: 5, Max: 12}, {X: 2, Mean: 30, Min: 20, Max: 40}}
	bars := func(label string) []report.Point {
		return []report.Point{{Label: label, Mean: 40, Min: 30, Max: 50, Trials: []float64{30, 50}}}
	}
	return []report.Chart{
		{ID: "lines", Title: hostileName, Kind: report.Lines, XLabel: "tokens", YLabel: "lines, %", Series: []report.Series{{Name: "a", Points: points}, {Name: "b & <c>", Style: 1, Points: points[:1]}}},
		{ID: "steps", Title: "found", Kind: report.Steps, XLabel: "s", Series: []report.Series{{Name: "a", Style: 2, Points: points}}},
		{ID: "bars", Title: "bars", Kind: report.Bars, Categories: []string{"zlib · a", "zlib · b"}, Series: []report.Series{{Name: "a", Points: bars("zlib · a")}, {Name: "b", Style: 7, Points: bars("zlib · b")}}},
		{ID: "changes", Title: "changes", Kind: report.Changes, Categories: []string{"zlib: x"}, Series: []report.Series{{Name: "x", Points: []report.Point{{Label: "zlib: x", Mean: -1, Min: -2, Max: 1}}}}},
		{ID: "empty", Kind: report.Lines}, {ID: "nothing", Kind: report.Bars}, {ID: "one", Kind: report.Lines, Series: []report.Series{{Name: "0", Points: []report.Point{{}}}}},
	}
}

func TestStaticChartsAreEqualEachTime(t *testing.T) {
	for _, c := range oneOfEach() {
		for _, format := range []string{"svg", "pdf"} {
			first, err := static(c, format)
			if err != nil {
				t.Errorf("%s: %v", c.ID, err)
				continue
			}
			again, err := static(c, format)
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
}
