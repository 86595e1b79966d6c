package verify

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestCompare changes one thing that the second evaluation found. Wanted are the figures that are not equal; those
// with an excuse end in "?".
func TestCompare(t *testing.T) {
	was := trial.Record{
		Kind:     trial.KindPrograms,
		Programs: &trial.ProgramCounts{Generated: 2, Compiled: 2, Executed: 1, FalseAlarms: 1, Outcomes: map[trial.Outcome]int{trial.OK: 1, trial.Assertion: 1}},
		Coverage: &trial.Coverage{LinesCovered: 5, LinesTotal: 10, BranchesCovered: 1, BranchesTotal: 4},
		Growth:   []trial.GrowthPoint{{}, {Programs: 2, Elapsed: time.Second, LinesCovered: 5, BranchesCovered: 1}},
		Alarms:   []trial.TestReference{{ID: "p00002", File: "suite/p00002.c", Outcome: trial.Assertion, Oracle: trial.OracleReference}},
		Bugs: []trial.BugResult{
			{Bug: "cjson-1", Detected: true, Tests: 1, First: []trial.TestReference{{ID: "p00001", Outcome: trial.Assertion}}},
			{Bug: "cjson-2"},
		},
		Verifications: &trial.Verifications{Seeds: 2, Programs: 2, Passing: 1, Unique: 3, Assertions: 4, Repeated: 1},
	}
	for _, tc := range []struct {
		name   string
		change func(now *trial.Record)
		corpus bool
		want   []string
	}{
		{"the same", func(*trial.Record) {}, false, nil},
		{"times", func(now *trial.Record) { now.Usage.Wall, now.Growth[1].Elapsed, now.Alarms[0].Elapsed = 7, 8, 9 }, false, nil},
		{"a flag that was taken out", func(now *trial.Record) {
			now.Flags = []trial.Flag{{Kind: trial.DependsOnBuild, Tests: 1}, {Kind: trial.IsFlaky, Tests: 1}}
		}, false, []string{"flag " + string(trial.DependsOnBuild)}},
		{"no excuse for what compiles", func(now *trial.Record) {
			now.Programs.Compiled, now.Programs.Outcomes = 1, map[trial.Outcome]int{trial.Flaky: 1, trial.CompileError: 1}
		}, false, []string{"compiled", "programs?"}},
		{"flaky", func(now *trial.Record) {
			now.Programs.Executed, now.Programs.Outcomes = 0, map[trial.Outcome]int{trial.Flaky: 1, trial.Assertion: 1}
			now.Coverage.LinesCovered = 4
		}, false, []string{"coverage?", "programs?"}},
		{"coverage", func(now *trial.Record) { now.Coverage.LinesCovered = 4 }, false, []string{"coverage?"}},
		{"alarm", func(now *trial.Record) { now.Alarms[0].ID = "p00001" }, false, []string{"alarms?"}},
		{"AUVC", func(now *trial.Record) { now.Verifications.Unique = 2 }, false, []string{"verifications?"}},
		{"no count here", func(now *trial.Record) {
			now.Verifications = nil
			now.Lack(trial.PartVerifications, trial.Reason{Kind: trial.ReasonAssertions, Message: "no count"})
		}, false, []string{"verifications?"}},
		{"bug not detected", func(now *trial.Record) { now.Bugs[0] = trial.BugResult{Bug: "cjson-1"} }, false, []string{"bug cjson-1"}},
		{"bug not detected, of a suite with flaky programs", func(now *trial.Record) {
			now.Bugs[0] = trial.BugResult{Bug: "cjson-1"}
			now.Programs.Outcomes[trial.Flaky] = 1
		}, false, []string{"bug cjson-1", "programs?"}},
		{"another detecting test", func(now *trial.Record) { now.Bugs[0].First[0].ID = "p00002" }, false, []string{"bug cjson-1?"}},
		{"bug of a flaky test", func(now *trial.Record) { now.Bugs[0] = trial.BugResult{Bug: "cjson-1", Flaky: 1} }, false, []string{"bug cjson-1?"}},
		{"bug not built here", func(now *trial.Record) {
			now.Bugs[0] = trial.BugResult{Bug: "cjson-1", Missing: &trial.Reason{Kind: trial.ReasonBuild, Message: "no source"}}
		}, false, []string{"bug cjson-1?"}},
		{"bug invented", func(now *trial.Record) { now.Bugs = now.Bugs[1:] }, false, []string{"bug cjson-1"}},
		{"a fuzzer's bug", func(now *trial.Record) { now.Bugs[0] = trial.BugResult{Bug: "cjson-1"} }, true, []string{"bug cjson-1?"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			was, now := copied(t, was), copied(t, was)
			if tc.corpus {
				was.Kind = trial.KindCorpus
			}
			tc.change(now)
			var got []string
			for _, f := range compare(was, now) {
				switch {
				case f.Equal():
				case f.Excuse != "":
					got = append(got, strings.TrimPrefix(f.Name, "detections of ")+"?")
				default:
					got = append(got, f.Name)
				}
			}
			if slices.Sort(got); !slices.Equal(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func copied(t *testing.T, r trial.Record) *trial.Record {
	t.Helper()
	text, err := json.Marshal(r)
	assert.NilError(t, err)
	var own trial.Record
	assert.NilError(t, json.Unmarshal(text, &own))
	return &own
}
