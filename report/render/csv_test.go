package render

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/report/doc"
)

func TestCSVHoldsNoFormula(t *testing.T) {
	table := doc.Table{ID: "t", Columns: []doc.Column{{Key: "a", Kind: doc.IsText}, {Key: "n", Kind: doc.IsText}}}
	for _, text := range []string{`=HYPERLINK("http://x")`, "+cmd|' /C calc'!A0", "@SUM(1)", "-1+2", "\t=1", "\r=1"} {
		table.Rows = append(table.Rows, []doc.Cell{{Text: text}, {Text: "-0.5"}})
	}
	var data strings.Builder
	assert.NilError(t, csvTable(&data, table))
	for line := range strings.Lines(data.String()) {
		assert.Check(t, !strings.ContainsAny(strings.TrimPrefix(line, `"`)[:1], "=+@-\t\r"), "%q", line)
	}
	n := strings.Count(data.String(), ",-0.5,")
	assert.Check(t, n == len(table.Rows), "numbers are changed:\n%s", data.String())
}
