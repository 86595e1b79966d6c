package render

import (
	"bytes"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/report/doc"
)

// hostileName is a name that a page would take for a script.
const hostileName = `<script>alert("x")</script>`

// oneOfEach has one of each kind, with what a run can put into one.
func oneOfEach() []doc.Chart {
	points := []doc.Point{{X: 1, Mean: 10, Min: 5, Max: 12}, {X: 2, Mean: 30, Min: 20, Max: 40}}
	return []doc.Chart{
		{ID: "lines", Title: hostileName, Kind: doc.Lines, XLabel: "tokens", YLabel: "lines, %", Series: []doc.Series{{Name: "a", Points: points}, {Name: "b & <c>", Style: 1, Points: points[:1]}}},
		{ID: "steps", Title: "found", Kind: doc.Steps, XLabel: "s", Series: []doc.Series{{Name: "a", Style: 2, Points: points}}},
		{ID: "rows", Title: "rows", Kind: doc.Rows, Categories: []string{"zlib: x"}, Series: []doc.Series{{Name: "x", Points: []doc.Point{{Label: "zlib: x", Mean: -1, Min: -2, Max: 1}}}}},
		{ID: "empty", Kind: doc.Lines}, {ID: "nothing", Kind: doc.Rows}, {ID: "one", Kind: doc.Lines, Series: []doc.Series{{Name: "0", Points: []doc.Point{{}}}}},
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
			assert.Check(t, err == nil && bytes.Equal(first, again),
				"%s.%s differs from itself (%v)", c.ID, format, err)
			assert.Check(t, !bytes.Contains(first, []byte("NaN")), "%s.%s holds NaN", c.ID, format)
			assert.Check(t, format != "svg" || !strings.Contains(string(first), hostileName),
				"%s.svg holds a name that is markup", c.ID)
			if magic := map[string]string{"svg": "<?xml", "pdf": "%PDF-"}[format]; !bytes.HasPrefix(first, []byte(magic)) {
				t.Errorf("%s.%s begins with %q", c.ID, format, first[:8])
			}
		}
	}
}

// TestStyles: no two of 36 tools look alike.
func TestStyles(t *testing.T) {
	seen := map[style]int{}
	for i := range 36 {
		st := styleOf(doc.Series{Style: i})
		n, known := seen[st]
		assert.Check(t, !known, "tools %d and %d look alike: %v", n, i, st)
		seen[st] = i
	}
}
