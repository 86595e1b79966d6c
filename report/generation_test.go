package report_test

import (
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	. "github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/report/render"
)

// modelRecord is a cell of a tool that asks a model: two rounds of ten programs.
func modelRecord(c trial.Cell) trial.Record {
	g := &trial.Generation{
		Answers: []trial.AnswerCount{{Stage: "sequence", Outcome: "code", Count: 19}, {Stage: "sequence", Outcome: "prose", Count: c.Trial}, {Stage: "sequence-repair", Outcome: "code", Count: 6}},
		First:   trial.Attempts{Programs: 20, Refused: 2, Compiled: 16, Executed: 14},
		Final:   trial.Attempts{Programs: 19, Refused: 0, Compiled: 19, Executed: 18}, Repairs: 6,
		Rounds: []trial.GenerationRound{{Round: 1, Grams: 30, Skew: 0, Alpha: 1}, {Round: 2, Grams: 41 + c.Trial, Skew: 0.5, Alpha: 0.8}},
		Rules: []trial.MinedRule{{Round: 2, Signature: "crash: SEGV in inflate", Programs: []string{"r0001-c-sequence02", "r0001-c-sequence05", "r0001-c-sequence07"},
			Text: "Initialise the stream with inflateInit before inflate.", Origin: "model"}},
	}
	points := []trial.GrowthPoint{{}, {Programs: 10, Tokens: 4000, Dollars: 0.01, LinesCovered: 300, BranchesCovered: 100}, {Programs: 19, Tokens: 9000, Dollars: 0.02, LinesCovered: 500, BranchesCovered: 160}}
	return trial.Record{
		Schema: trial.RecordSchema, Key: digest(c.ID()), Cell: c, Kind: trial.KindPrograms, Stop: trial.StopLLMCalls,
		Usage:    trial.Usage{Wall: time.Minute, LLMCalls: 26, Tokens: 9000, Dollars: 0.02, Programs: 19},
		Programs: &trial.ProgramCounts{Generated: 19, Compiled: 19, Executed: 18, Outcomes: map[trial.Outcome]int{trial.OK: 18, trial.Crash: 1}},
		Coverage: coverageOf(500), Growth: points, Generation: g,
	}
}

// TestPasses has a tool with passes in two trials, one of which left no program, and a tool
// without any; every format shows the table.
func TestPasses(t *testing.T) {
	run := Run{Experiment: "passes", Command: "bench run passes"}
	for n, compiled := range [][4]int{{10, 11, 16, 18}, {12, 12, 17, 20}, {}} {
		c := trial.Cell{Tool: "citywalk", Variant: "default", Library: "zlib", Edition: "debian", Trial: n + 1}
		r := modelRecord(c)
		for i, name := range []string{"model", "syntax rules", "compile-error rules", "model round"} {
			p := trial.Pass{Name: name, Compiled: compiled[i], Programs: 20}
			if n == 2 {
				p.Programs = 0
			}
			r.Generation.Passes = append(r.Generation.Passes, p)
		}
		run.Planned, run.Cells = append(run.Planned, c), append(run.Cells, r)
	}
	c := trial.Cell{Tool: "lisa-api", Variant: "default", Library: "zlib", Edition: "debian", Trial: 1}
	run.Planned, run.Cells = append(run.Planned, c), append(run.Cells, modelRecord(c))
	d := build(t, run)
	var text strings.Builder
	assert.NilError(t, render.Text(&text, only(d, "generation")))
	golden.Assert(t, text.String(), "generation.txt")
}
