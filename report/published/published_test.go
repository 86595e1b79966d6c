package published_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/report/published"
	"github.com/lisa-bench/lisa-bench/report/render"
	"github.com/lisa-bench/lisa-bench/results/paper"
)

// hostile is what a program may be named.
const hostile = `<script>alert("x")</script>`

func documents(t *testing.T) (alone, beside *doc.Document) {
	t.Helper()
	p := paper.Published()
	failed := trial.Incomplete{Cell: trial.Cell{Tool: "vanilla", Variant: "default", Library: "zlib", Trial: 1},
		Kind: "tool", Message: "key\x1b[31m"}
	poor := trial.Record{Cell: trial.Cell{Tool: "citywalk", Variant: "default", Library: "zlib", Edition: "debian", Trial: 1},
		Stop: trial.StopDollars, Usage: trial.Usage{CPU: time.Hour, Model: 30 * time.Minute, Dollars: 25}}
	run := measured.Run{Cells: append(paperRecords(), poor), Incomplete: []trial.Incomplete{failed},
		Budgets: map[string]trial.Budget{poor.Cell.ID(): {Time: 3 * time.Hour, Dollars: 25}}}
	beside, claims := published.Beside(p, hostile, run, []string{"gain-zlib"})
	assert.Check(t, len(claims) == len(p.Claims), "%d verdicts for %d claims", len(claims), len(p.Claims))
	return published.Alone(p), beside
}

// paperRecords are three trials of LISA and two of a fuzzer on zlib.
func paperRecords() []trial.Record {
	var all []trial.Record
	add := func(tool string, n, lines int, programs *trial.ProgramCounts) {
		all = append(all, trial.Record{Cell: trial.Cell{Tool: tool, Variant: "default", Library: "zlib", Edition: "debian", Trial: n}, Programs: programs,
			Coverage: &trial.Coverage{LinesCovered: lines, LinesTotal: 10000, BranchesCovered: lines - 1300, BranchesTotal: 10000}})
	}
	for n := 1; n <= 3; n++ {
		add("lisa-api", n, 7200+50*n, &trial.ProgramCounts{Generated: 800, Compiled: 796, Executed: 788 + n})
	}
	add("ossfuzz", 1, 6590, nil)
	add("ossfuzz", 2, 6600, nil)
	return all
}

func TestPaperGolden(t *testing.T) {
	alone, beside := documents(t)
	for name, d := range map[string]*doc.Document{"published.json": alone, "beside.json": beside} {
		var got bytes.Buffer
		assert.NilError(t, render.JSON(&got, d))
		golden.Assert(t, got.String(), name)
		assert.Check(t, json.Valid(got.Bytes()), "%s is not JSON", name)
	}
}

// What a reader gets in any format: nothing undefined, nothing that a terminal or a page
// would act on, no character that LaTeX cannot set.
func TestPaperInEveryFormat(t *testing.T) {
	alone, beside := documents(t)
	for _, d := range []*doc.Document{alone, beside} {
		files, err := render.Files(d, func(err error) { t.Error(err) })
		assert.NilError(t, err)
		for name, data := range files {
			text := string(data)
			assert.Check(t, name == "index.html" || !regexp.MustCompile(`\b(NaN|Inf)\b`).MatchString(text),
				"%s holds a NaN or an infinity", name)
			assert.Check(t, !strings.ContainsRune(text, '\x1b') && (name != "index.html" || !strings.Contains(text, hostile)),
				"%s is not escaped", name)
			assert.Check(t, !strings.HasSuffix(name, ".tex") || !strings.Contains(text, "U+"),
				"%s holds a character that LaTeX has no glyph for", name)
		}
	}
}

// A table is read on one screen: 50 lines with its notes, and 140 characters wide.
func TestPaperTablesFitAScreen(t *testing.T) {
	alone, beside := documents(t)
	for _, d := range []*doc.Document{alone, beside} {
		for _, s := range d.Sections {
			for _, table := range s.Tables {
				var buf bytes.Buffer
				assert.NilError(t, render.Text(&buf, &doc.Document{Sections: []doc.Section{{Tables: []doc.Table{table}}}}))
				_, text, _ := strings.Cut(buf.String(), table.Title+"\n")
				lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
				assert.Check(t, len(lines) >= 3 && len(lines) <= 50, "%s: %d lines", table.ID, len(lines))
				for _, l := range lines {
					if n := len([]rune(l)); n > 140 && !strings.HasPrefix(l, "  [") && !strings.HasPrefix(l, "  Note:") {
						t.Errorf("%s is %d characters wide: %s", table.ID, n, l)
					}
				}
			}
		}
	}
}
