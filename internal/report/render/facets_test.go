package render

import (
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/report"
)

// TestRowsKnowWhatTheyBelongTo checks by what a page is narrowed.
func TestRowsKnowWhatTheyBelongTo(t *testing.T) {
	s := scope{libraries: []string{"zlib", "cJSON (debian)", "cJSON (upstream)"}, tools: []string{"lisa", "lisa/no_chunk", "randoop"}}
	column := func(key string) report.Column { return report.Column{Key: key, Kind: report.Words} }
	for _, c := range []struct {
		columns []report.Column
		texts   []string
		want    facet
	}{
		{[]report.Column{column("library"), column("tool")}, []string{"zlib", "lisa/no_chunk"}, facet{"zlib", "lisa/no_chunk"}},
		{[]report.Column{column("library"), column("tool_a"), column("tool_b")}, []string{"all", "lisa", "randoop"}, facet{"", "lisa|randoop"}},
		{[]report.Column{column("cell")}, []string{"lisa.no_chunk.cJSON.upstream.2"}, facet{"cJSON (upstream)", "lisa/no_chunk"}},
		{[]report.Column{column("cell")}, []string{"lisa.default.zlib.debian.1"}, facet{"zlib", "lisa"}},
		{[]report.Column{column("name")}, []string{"zlib"}, facet{}},
	} {
		var row []report.Cell
		for _, text := range c.texts {
			row = append(row, report.Cell{Text: text})
		}
		if got := s.row(report.Table{Columns: c.columns}, row); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.texts, got, c.want)
		}
	}
	if got := strings.Join(s.variants(), " "); got != "default no_chunk" {
		t.Errorf("variants %s", got)
	}
	if got := strings.Join(s.toolNames(), " "); got != "lisa randoop" {
		t.Errorf("tools %s", got)
	}
}
