package render

import (
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/report"
)

func TestCSVHoldsNoFormula(t *testing.T) {
	table := report.Table{ID: "t", Columns: []report.Column{{Key: "a", Kind: report.Words}, {Key: "n", Kind: report.Words}}}
	for _, text := range []string{`=HYPERLINK("http://x")`, "+cmd|' /C calc'!A0", "@SUM(1)", "-1+2", "\t=1", "\r=1"} {
		table.Rows = append(table.Rows, []report.Cell{{Text: text}, {Text: "-0.5"}})
	}
	data, err := csvTable(table)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if strings.ContainsAny(strings.TrimPrefix(line, `"`)[:1], "=+@-\t\r") {
			t.Errorf("%q", line)
		}
	}
	if n := strings.Count(string(data), ",-0.5,"); n != len(table.Rows) {
		t.Errorf("numbers are changed:\n%s", data)
	}
}
