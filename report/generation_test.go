package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	. "github.com/lisa-bench/lisa-bench/report"
	. "github.com/lisa-bench/lisa-bench/report/doc"
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

func TestGenerationWithAModel(t *testing.T) {
	run := Run{Experiment: "models", Command: "bench run models"}
	for n := 1; n <= 2; n++ {
		c := trial.Cell{Tool: "lisa-api", Variant: "default", Library: "zlib", Edition: "debian", Trial: n}
		run.Planned = append(run.Planned, c)
		run.Cells = append(run.Cells, modelRecord(c))
	}
	d := build(t, run)
	charts := map[string][]Point{}
	for _, s := range d.Sections {
		for _, c := range s.Charts {
			for _, series := range c.Series {
				charts[c.ID] = series.Points
			}
		}
	}
	for id, want := range map[string]Point{
		"growth-zlib-tokens-line":     {X: 9000, Mean: 100 * 500.0 / 1500, Min: 100 * 500.0 / 1500, Max: 100 * 500.0 / 1500},
		"growth-zlib-dollars-branch":  {X: 0.02, Mean: 100 * 160.0 / 1100, Min: 100 * 160.0 / 1100, Max: 100 * 160.0 / 1100},
		"growth-zlib-programs-branch": {X: 19, Mean: 100 * 160.0 / 1100, Min: 100 * 160.0 / 1100, Max: 100 * 160.0 / 1100},
	} {
		points := charts[id]
		if len(points) == 0 {
			t.Errorf("no chart %s among %d", id, len(charts))
			continue
		}
		if last := points[len(points)-1]; last.X != want.X || last.Mean != want.Mean || last.Min != want.Min || last.Max != want.Max {
			t.Errorf("%s ends at %+v, want %+v", id, last, want)
		}
	}
}

// TestNoModelNoSection: tools that ask no model leave no trace of one.
func TestNoModelNoSection(t *testing.T) {
	for _, s := range build(t, fixture()).Sections {
		for _, c := range s.Charts {
			if s.ID == "generation" || strings.Contains(c.ID, "-tokens-") || strings.Contains(c.ID, "-dollars-") {
				t.Errorf("section %s, chart %s", s.ID, c.ID)
			}
		}
	}
}
