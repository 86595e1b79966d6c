package report

import (
	"strings"
	"testing"
)

func TestCSVHoldsNoFormula(t *testing.T) {
	table := Table{ID: "t", Columns: []Column{{Key: "a", Kind: Words}, {Key: "n", Kind: Words}}}
	for _, text := range []string{`=HYPERLINK("http://x")`, "+cmd|' /C calc'!A0", "@SUM(1)", "-1+2", "\t=1", "\r=1"} {
		table.Rows = append(table.Rows, []Cell{words(text), words("-0.5")})
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
