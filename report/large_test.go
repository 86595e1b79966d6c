package report_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	. "github.com/lisa-bench/lisa-bench/report/measured"
)

// largest is how big the page of a large run may be, in bytes.
const largest = 5 << 20

// large is a run of 10,500 programs of 4 KB: five tools on seven libraries with eleven bugs each, in three
// trials. Every trial detects five bugs, and each cell has its first false alarms and failures.
func large() Run {
	run := fixture()
	run.Bugs, run.Planned, run.Cells, run.Incomplete = nil, nil, nil, nil
	source := "#include <zlib.h>\n" + strings.Repeat("\tassert(compressBound(17) >= 17); /* what the document says */\n", 62)
	run.Sources = func(cellID, file string) (string, error) { return "/* " + cellID + " " + file + " */\n" + source, nil }
	for _, library := range []string{"cJSON", "lcms", "libpcap", "libpng", "re2", "sqlite3", "zlib"} {
		for i := range 11 {
			run.Bugs = append(run.Bugs, BugInfo{Library: library, ID: fmt.Sprintf("%s-%d", library, i+1), Title: "wrong result of a call", Selection: "protocol", Diff: map[string]string{"debian": strings.Repeat("-\tif (length < most)\n+\tif (length <= most)\n", 20)}})
		}
		for _, tool := range []string{"citywalk", "lisa", "lisa-prop", "randoop", "vanilla"} {
			for n := range 3 {
				r := programRecord(trial.Cell{Tool: tool, Variant: "default", Library: library, Edition: "debian", Trial: n + 1}, 40)
				r.Programs.Generated, r.Alarms, r.Failures = 100, nil, nil
				refer := func(n int) trial.TestReference {
					return trial.TestReference{ID: fmt.Sprintf("p%05d", n), File: fmt.Sprintf("suite/p%05d.c", n), Outcome: trial.Assertion, Oracle: trial.OracleSpecification,
						Assertion: &trial.AssertionFailure{File: "p.c", Line: 30, Expr: "compressBound(17) >= 17"}}
				}
				for i := range 5 {
					r.Alarms, r.Failures = append(r.Alarms, refer(i)), append(r.Failures, refer(50+i))
				}
				r.Bugs = nil
				for i := range 11 {
					b := trial.BugResult{Bug: fmt.Sprintf("%s-%d", library, i+1)}
					if i < 5 {
						b.Detected, b.Tests, b.Oracles, b.First = true, 1, []trial.OracleClass{trial.OracleSpecification}, []trial.TestReference{refer(20 + i/2)}
					}
					r.Bugs = append(r.Bugs, b)
				}
				run.Planned, run.Cells = append(run.Planned, r.Cell), append(run.Cells, r)
			}
		}
	}
	return run
}

// TestLargeRun holds the page of a large run to its size.
func TestLargeRun(t *testing.T) {
	began := time.Now()
	files := rendered(t, build(t, large()))
	all := 0
	for _, text := range files {
		all += len(text)
	}
	t.Logf("index.html has %.2f MB, the %d files %.1f MB, made in %s", float64(len(files["index.html"]))/1e6, len(files), float64(all)/1e6, time.Since(began))
	n := len(files["index.html"])
	assert.Check(t, n <= largest, "index.html has %d bytes", n)
}
