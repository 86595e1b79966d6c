package report_test

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	. "github.com/lisa-bench/lisa-bench/report/measured"
)

const hostileName = `<script>alert("x")</script>`

func digest(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }

// fixture is a run with everything that a report must cope with: two libraries, a tool of
// programs, one of inputs, a variant, an incomplete cell, one that was not run, a bug that
// could not be checked, hostile names and a missing source.
func fixture() Run {
	cell := func(tool, variant, library string, n int) trial.Cell {
		return trial.Cell{Tool: tool, Variant: variant, Library: library, Edition: "debian", Trial: n, Seed: trial.Seed(18446744073709551600 + uint64(n))}
	}
	run := Run{
		Experiment: "quickstart",
		Command:    "bench run experiments/quickstart.yaml",
		Provenance: []Origin{
			{Of: "Sources", Name: "zlib 1:1.2.13.dfsg-1", Value: "sha256 " + digest("zlib")},
			{Of: "Sources", Name: "cjson 1.7.15-1", Value: "sha256 " + digest("cjson")},
			{Of: "Tools", Name: "clang", Value: "Debian clang version 19.1.7"}, {Of: "Tools", Name: "bubblewrap", Value: "0.8.0"},
		},
		Sources: func(cellID, file string) (string, error) {
			switch file {
			case "suite/gone.c":
				return "", fmt.Errorf("open %s/%s: no such file or directory", cellID, file)
			case "suite/crash-1":
				return "\x00\xff\x1b[31mPNG", nil
			}
			return "#include <assert.h>\n#include <zlib.h>\n\nvoid test(void) {\n\tint r = 0; /* " + hostileName + " */\n\tassert(r == Z_STREAM_END);\n}\n", nil
		},
	}
	for _, lib := range []string{"zlib", "cjson"} {
		for i, title := range []string{"inflateSync accepts raw data", "wrong | window & 100% size", hostileName, "crc32_combine of length 0", "gzread past the end"} {
			run.Bugs = append(run.Bugs, BugInfo{Library: lib, ID: fmt.Sprintf("%s-%d", lib, i+1), Title: title,
				Selection: "protocol"})
		}
		for n := 1; n <= 2; n++ {
			run.Planned = append(run.Planned, cell("randoop", "default", lib, n), cell("randoop", "no_feedback", lib, n), cell("ossfuzz", "default", lib, n))
			run.Cells = append(run.Cells, programRecord(cell("randoop", "default", lib, n), 40*n))
		}
	}
	run.Cells = append(run.Cells, programRecord(cell("randoop", "no_feedback", "zlib", 1), 0), corpusRecord(cell("ossfuzz", "default", "zlib", 1)), corpusRecord(cell("ossfuzz", "default", "zlib", 2)))
	run.Incomplete = []trial.Incomplete{
		{Cell: cell("ossfuzz", "default", "cjson", 1), Kind: "missing_harness", Message: "no libFuzzer harness in the tree of cjson 1.7.15-1"},
		{Cell: cell("ossfuzz", "default", "cjson", 2), Kind: "missing_harness", Message: "no libFuzzer harness in the tree of cjson 1.7.15-1"},
		{Cell: cell("randoop", "no_feedback", "zlib", 2), Kind: "tool", Message: "killed\x1b[31m by the kernel"},
	}
	return run
}

func programRecord(c trial.Cell, gain int) trial.Record {
	r := trial.Record{
		Schema: trial.RecordSchema, Key: digest(c.ID()), Cell: c, Kind: trial.KindPrograms,
		Stop: trial.StopPrograms, Usage: trial.Usage{Wall: 12 * time.Second, CPU: 20 * time.Second, Programs: 200},
		Programs: &trial.ProgramCounts{Generated: 200, Compiled: 196 - c.Trial, Executed: 150 + gain/20, FalseAlarms: c.Trial - 1,
			Outcomes: map[trial.Outcome]int{trial.OK: 150 + gain/20, trial.CompileError: 4 + c.Trial, trial.Crash: 196 - c.Trial - 150 - gain/20 - c.Trial, trial.Assertion: c.Trial}},
		Coverage: coverageOf(500 + gain),
		Growth:   growthOf(500+gain, 200),
		Notes:    []string{"3 programs were retried alone"},
	}
	assertion := &trial.AssertionFailure{File: "p00017.c", Line: 6, Func: "test", Expr: "r == Z_STREAM_END"}
	if c.Trial == 2 {
		r.Alarms = []trial.TestReference{{ID: "p00003", File: "suite/gone.c", Outcome: trial.Assertion, Oracle: trial.OracleReference, Assertion: assertion}}
		r.Failures = []trial.TestReference{{ID: "p00004", File: "suite/gone.c", Origin: "hand/<written>.c", Outcome: trial.CompileError,
			Detail: "p00004.c:3:1: warning: old style\np00004.c:7:9: error: use of undeclared identifier 'x'\n  7 | x\n"}}
	}
	for i := 1; i <= 5; i++ {
		b := trial.BugResult{Bug: fmt.Sprintf("%s-%d", c.Library, i)}
		switch {
		case i <= 2 || i == 3 && c.Trial == 1:
			b.Detected, b.Tests, b.Oracles = true, 3, []trial.OracleClass{trial.OracleReference}
			b.First = []trial.TestReference{{ID: hostileName, File: "suite/p00017.c", Outcome: trial.Assertion, Oracle: trial.OracleReference, Assertion: assertion, Elapsed: 1500 * time.Millisecond}}
			if i == 2 {
				b.Oracles = []trial.OracleClass{trial.OracleCrash, trial.OracleReference}
			}
		case i == 5:
			b.Missing = &trial.Reason{Kind: trial.ReasonBuild, Message: "the buggy build has other public headers"}
		}
		r.Bugs = append(r.Bugs, b)
	}
	return r
}

func corpusRecord(c trial.Cell) trial.Record {
	r := trial.Record{
		Schema: trial.RecordSchema, Key: digest(c.ID()), Cell: c, Kind: trial.KindCorpus,
		Stop: trial.StopExecs, Inputs: 340 + c.Trial, Usage: trial.Usage{Wall: 9 * time.Second, Execs: 50000},
		Coverage: coverageOf(700), Growth: growthOf(700, 50000),
	}
	for i := 1; i <= 5; i++ {
		b := trial.BugResult{Bug: fmt.Sprintf("%s-%d", c.Library, i), Fuzzed: &trial.Fuzzed{Execs: int64(9000 + 100*i), Wall: 2 * time.Second}}
		if i == 4 && c.Trial == 2 {
			b.Detected, b.Tests, b.Oracles = true, 1, []trial.OracleClass{trial.OracleCrash}
			b.First = []trial.TestReference{{ID: "crash-1", File: "suite/crash-1", Outcome: trial.Crash, Oracle: trial.OracleCrash, Signal: 11, Detail: "heap-buffer-overflow in inflate"}}
		}
		r.Bugs = append(r.Bugs, b)
	}
	return r
}

func coverageOf(lines int) *trial.Coverage {
	return &trial.Coverage{LinesCovered: lines, LinesTotal: 1500, BranchesCovered: lines / 2, BranchesTotal: 1100,
		FunctionsCovered: lines / 10, FunctionsTotal: 120, RegionsCovered: lines, RegionsTotal: 1800}
}

// growthOf is a curve that nears its end ever more slowly, at twenty checkpoints.
func growthOf(lines, tests int) []trial.GrowthPoint {
	var points []trial.GrowthPoint
	for i := 1; i <= 20; i++ {
		share := 1 - (1-float64(i)/20)*(1-float64(i)/20)
		points = append(points, trial.GrowthPoint{Programs: tests * i / 20, Elapsed: time.Duration(i) * 600 * time.Millisecond,
			LinesCovered: int(float64(lines) * (0.3 + 0.7*share)), BranchesCovered: int(float64(lines/2) * (0.3 + 0.7*share))})
	}
	return points
}
