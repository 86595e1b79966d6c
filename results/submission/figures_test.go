package submission

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// copied returns a deep copy of a record with a change.
func copied(t *testing.T, r *trial.Record, change func(*trial.Record)) *trial.Record {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var own trial.Record
	if err := json.Unmarshal(text, &own); err != nil {
		t.Fatal(err)
	}
	change(&own)
	return &own
}

func TestCompare(t *testing.T) {
	was := madeRun(t, "tool").Cells[0].Record
	for _, tc := range []struct {
		name   string
		change func(now *trial.Record)
		unlike string
		want   map[string]Confirmation // of the figures that do not hold
	}{
		{"the same", func(*trial.Record) {}, "", nil},
		{"times", func(now *trial.Record) {
			now.Usage.Wall, now.Growth[1].Elapsed, now.Alarms[0].Elapsed = 7, 8, 9
		}, "", nil},
		{"a flag that was taken out", func(now *trial.Record) {
			now.Flags = []trial.Flag{{Kind: trial.FlagBuild, Tests: 1, First: []string{"a"}}, {Kind: trial.FlagChance, Tests: 1}}
		}, "", map[string]Confirmation{"depends_on_build": Differs}},
		{"CSR", func(now *trial.Record) {
			now.Programs.Compiled, now.Programs.Outcomes = 1, map[trial.Outcome]int{trial.OK: 1, trial.CompileError: 1}
		}, "", map[string]Confirmation{"CSR": Differs, "outcomes": Differs}},
		{"no excuse for CSR", func(now *trial.Record) {
			now.Programs.Compiled, now.Programs.Outcomes = 1, map[trial.Outcome]int{trial.Flaky: 1, trial.CompileError: 1}
		}, "", map[string]Confirmation{"CSR": Differs, "outcomes": Undecided}},
		{"flaky", func(now *trial.Record) {
			now.Programs.Executed, now.Programs.Outcomes = 0, map[trial.Outcome]int{trial.Flaky: 1, trial.Assertion: 1}
			now.Coverage.LinesCovered = 4
		}, "", map[string]Confirmation{"ESR": Undecided, "outcomes": Undecided, "LC": Undecided}},
		{"coverage", func(now *trial.Record) { now.Coverage.LinesCovered, now.Coverage.BranchesCovered = 4, 0 }, "", map[string]Confirmation{"LC": Differs, "BC": Differs}},
		{"coverage by another clang", func(now *trial.Record) { now.Coverage.LinesCovered = 4 }, "clang is other", map[string]Confirmation{"LC": Undecided}},
		{"growth", func(now *trial.Record) { now.Growth[1].LinesCovered = 4 }, "", map[string]Confirmation{"growth": Differs}},
		{"alarm", func(now *trial.Record) { now.Alarms[0].ID = "p00001" }, "", map[string]Confirmation{"first failures": Differs}},
		{"AUVC", func(now *trial.Record) { now.Verifications.Unique = 2 }, "", map[string]Confirmation{"AUVC": Differs}},
		{"mutation score", func(now *trial.Record) {
			m := *now.Mutation
			m.Killed = 2
			now.Mutation = &m
		}, "", map[string]Confirmation{"mutation score": Differs}},
		{"no mutants here", func(now *trial.Record) {
			now.Mutation = nil
			now.Lack(trial.PartMutation, trial.Reason{Kind: trial.ReasonBuild, Message: "no plugin"})
		}, "", map[string]Confirmation{"mutation score": Undecided}},
		{"no count here", func(now *trial.Record) {
			now.Verifications = nil
			now.Lack(trial.PartVerifications, trial.Reason{Kind: trial.ReasonAssertions, Message: "no count"})
		}, "", map[string]Confirmation{"AUVC": Undecided}},
		{"no coverage build here", func(now *trial.Record) {
			now.Coverage, now.Growth = nil, nil
			why := trial.Reason{Kind: trial.ReasonBuild, Message: "no profile runtime"}
			now.Lack(trial.PartCoverage, why)
			now.Lack(trial.PartGrowth, why)
		}, "", map[string]Confirmation{"LC": Undecided, "BC": Undecided, "functions": Undecided, "regions": Undecided, "growth": Undecided}},
		{"no growth here", func(now *trial.Record) {
			now.Growth = nil
			now.Lack(trial.PartGrowth, trial.Reason{Kind: trial.ReasonToolchain, Message: "llvm-cov was killed"})
		}, "", map[string]Confirmation{"growth": Undecided}},
		{"no run on the reference here", func(now *trial.Record) {
			now.Programs, now.Alarms, now.Failures = nil, nil, nil
			now.Lack(trial.PartSuccess, trial.Reason{Kind: trial.ReasonSandbox, Message: "bwrap is gone"})
		}, "", map[string]Confirmation{"CSR": Undecided, "ESR": Undecided, "false alarms": Undecided, "outcomes": Undecided, "first failures": Undecided}},
		{"bug not detected", func(now *trial.Record) { now.Bugs[0] = trial.BugResult{Bug: "cjson-1"} }, "", map[string]Confirmation{"HBDR": Differs, "bug cjson-1": Differs}},
		{"bug not detected, of a suite with flaky programs", func(now *trial.Record) {
			now.Bugs[0] = trial.BugResult{Bug: "cjson-1"}
			now.Programs.Outcomes[trial.Flaky] = 1
		}, "", map[string]Confirmation{"HBDR": Differs, "bug cjson-1": Differs, "outcomes": Undecided}},
		{"another detecting test", func(now *trial.Record) { now.Bugs[0].First[0].ID = "p00002" }, "", map[string]Confirmation{"HBDR": Differs, "bug cjson-1": Differs}},
		{"bug of an unstable test", func(now *trial.Record) { now.Bugs[0] = trial.BugResult{Bug: "cjson-1", Unstable: 1} }, "", map[string]Confirmation{"HBDR": Undecided, "bug cjson-1": Undecided}},
		{"bug not built here", func(now *trial.Record) {
			now.Bugs[0] = trial.BugResult{Bug: "cjson-1", Missing: &trial.Reason{Kind: trial.ReasonBuild, Message: "no source"}}
		}, "", map[string]Confirmation{"HBDR": Undecided, "bug cjson-1": Undecided}},
		{"bug invented", func(now *trial.Record) { now.Bugs = now.Bugs[1:] }, "", map[string]Confirmation{"HBDR": Differs, "bug cjson-1": Differs}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := map[string]Confirmation{}
			for _, f := range Compare(was, copied(t, was, tc.change), tc.unlike) {
				if f.Verdict != Holds {
					got[f.Name] = f.Verdict
				}
				if f.Verdict == Undecided && f.Why == "" {
					t.Errorf("%s is undecided without a reason", f.Name)
				}
			}
			if len(got) != len(tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
			for name, v := range tc.want {
				if got[name] != v {
					t.Errorf("%s: %q, want %q", name, got[name], v)
				}
			}
		})
	}
}

// A fuzzer's detections are found with a budget of their own on every buggy build.
func TestCompareCorpus(t *testing.T) {
	was := &trial.Record{Kind: trial.KindCorpus, Coverage: &trial.Coverage{LinesCovered: 1, LinesTotal: 2}, Bugs: []trial.BugResult{{Bug: "b", Detected: true, Tests: 1}}}
	now := copied(t, was, func(r *trial.Record) { r.Bugs[0], r.Coverage.LinesCovered = trial.BugResult{Bug: "b"}, 2 })
	verdicts := map[string]Confirmation{}
	for _, f := range Compare(was, now, "") {
		verdicts[f.Name] = f.Verdict
	}
	if verdicts["HBDR"] != Undecided || verdicts["LC"] != Differs {
		t.Errorf("got %v", verdicts)
	}
}

func TestCheckSuite(t *testing.T) {
	c := madeRun(t, "tool").Cells[0]
	suite := trial.Suite{Kind: trial.KindPrograms, Stop: c.Record.Stop, Usage: c.Record.Usage, Programs: []trial.SuiteEntry{{ID: "a", File: "a.c", SHA256: "1"}, {ID: "b", File: "b.c", SHA256: "2"}}}
	hashes := map[string]string{"x/suite/a.c": "1", "x/suite/b.c": "2", "x/suite/in": "3"}
	if err := CheckSuite(hashes, "x/suite", suite, c.Record); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*trial.Suite){
		"outside of the suite":      func(s *trial.Suite) { s.Programs[0].File = "../../../etc/passwd" },
		"programs, the suite has 1": func(s *trial.Suite) { s.Programs = s.Programs[:1] },
		"what was spent":            func(s *trial.Suite) { s.Usage.Tokens = 1 },
		"no name or there":          func(s *trial.Suite) { s.Programs[0].ID = "../../a" },
		"or there twice":            func(s *trial.Suite) { s.Programs[0].ID = "b" },
		"one of corpus":             func(s *trial.Suite) { s.Kind = trial.KindCorpus },
		"how the tool worked":       func(s *trial.Suite) { s.Generation = &trial.Generation{Repairs: 1} },
		"of 0 inputs":               func(s *trial.Suite) { s.Inputs = []trial.CorpusInput{{File: "in", SHA256: "3"}} },
		"a.c is not what":           func(s *trial.Suite) { s.Programs[0].SHA256 = "2" },
		"c.c is not what":           func(s *trial.Suite) { s.Programs[0].File = "c.c" },
	} {
		bad := suite
		bad.Programs = append([]trial.SuiteEntry(nil), suite.Programs...)
		change(&bad)
		if err := CheckSuite(hashes, "x/suite", bad, c.Record); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
