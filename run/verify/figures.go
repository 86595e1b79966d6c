package verify

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// A CellCheck is what was found of one cell: its figures, or why it has no record.
type CellCheck struct {
	Cell       string   `json:"cell"`
	Figures    []Figure `json:"figures,omitempty"`
	Incomplete string   `json:"incomplete,omitempty"`
}

// A Figure is a part of a record, or its result for one bug, as it was recorded and as it was found.
type Figure struct {
	Name     string          `json:"figure"`
	Recorded json.RawMessage `json:"recorded,omitempty"`
	Found    json.RawMessage `json:"found,omitempty"`
	// Excuse says what makes a difference prove nothing, or why there is nothing to compare. It is "" where the figure
	// is equal, and where it is wrong.
	Excuse string `json:"excuse,omitempty"`
}

// Equal reports whether the figure was found as it was recorded.
func (f Figure) Equal() bool { return f.Excuse == "" && string(f.Recorded) == string(f.Found) }

// A record's fields that are no measurement of its suite.
var notMeasured = []string{"schema", "key", "answers", "cell", "kind", "stop", "usage", "before", "generation", "missing", "notes", "flags", "bugs"}

// measuredByPrograms are the fields that depend on the versions of clang and llvm-cov.
var measuredByPrograms = []string{"coverage", "growth", "verifications", "mutation"}

// compare returns every figure of a record with what a new evaluation of the same suite gave. Times are not compared.
// unlike says why coverage and the like may be counted otherwise here.
func compare(was, now *trial.Record, unlike string) ([]Figure, error) {
	var figures []Figure
	for _, g := range now.Gaps() {
		figures = append(figures, Figure{Name: g.Name(), Excuse: "not measured here: " + g.Reason.String()})
	}
	was, now = results.Common(results.Untimed(was), results.Untimed(now))
	recorded, err := figuresOf(was)
	if err != nil {
		return nil, err
	}
	found, err := figuresOf(now)
	if err != nil {
		return nil, err
	}
	all := maps.Clone(recorded)
	maps.Copy(all, found)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		f := Figure{Name: name, Recorded: recorded[name], Found: found[name]}
		if !f.Equal() {
			f.Excuse = varies(name, was, now, unlike)
		}
		figures = append(figures, f)
	}
	return figures, nil
}

// figuresOf are the figures of a record by their names.
func figuresOf(r *trial.Record) (map[string]json.RawMessage, error) {
	all, err := fields(r)
	if err != nil {
		return nil, err
	}
	for _, name := range notMeasured {
		delete(all, name)
	}
	if r.Programs != nil {
		all["compiled"] = json.RawMessage(strconv.Itoa(r.Programs.Compiled))
	}
	for _, f := range r.Flags { // but for those that chance raises
		if f.Kind == trial.DependsOnBuild || f.Kind == trial.ForgedCoverage {
			all["flag "+string(f.Kind)] = json.RawMessage("true")
		}
	}
	for _, b := range r.Bugs {
		if all["bug "+b.Bug], err = json.Marshal(b); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// fields are the parts of a record by their names in its file.
func fields(r *trial.Record) (map[string]json.RawMessage, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	var m map[string]json.RawMessage
	return m, json.Unmarshal(text, &m)
}

// varies says why a difference in a figure proves nothing, "" if it does.
func varies(name string, was, now *trial.Record, unlike string) string {
	chance := unsteady(was, now)
	if id, isBug := strings.CutPrefix(name, "bug "); isBug {
		find := func(r *trial.Record) *trial.BugResult {
			if i := slices.IndexFunc(r.Bugs, func(b trial.BugResult) bool { return b.Bug == id }); i >= 0 {
				return &r.Bugs[i]
			}
			return nil
		}
		before, after := find(was), find(now)
		if before == nil || after == nil {
			return ""
		}
		return bugVaries(was.Kind, before, after, chance)
	}
	switch {
	case name == "compiled": // whether a program compiles does not vary
		return ""
	case chance == "" && slices.Contains(measuredByPrograms, name):
		return unlike
	}
	return chance
}

// bugVaries says why a difference between two results for one bug proves nothing, "" if it does.
func bugVaries(kind trial.SuiteKind, was, now *trial.BugResult, varies string) string {
	switch {
	case kind == trial.KindCorpus:
		return "on each buggy build the fuzzer gets a budget of its own, and does not repeat itself"
	case was.Flaky+now.Flaky+was.Untried+now.Untried > 0:
		return "some tests of it do not fail every time, or hang"
	case was.Detected == now.Detected:
		return varies // programs that do not always pass cannot make or unmake a detection
	}
	return ""
}

// unsteady says what makes the figures of a suite vary from one evaluation to the next, "" if nothing does.
func unsteady(was, now *trial.Record) string {
	words := map[trial.Outcome]string{trial.Flaky: "flaky", trial.Timeout: "at the time limit"}
	for _, o := range []trial.Outcome{trial.Flaky, trial.Timeout} {
		for _, r := range []*trial.Record{was, now} {
			if r.Programs != nil && r.Programs.Outcomes[o] > 0 {
				return fmt.Sprintf("%d programs are %s", r.Programs.Outcomes[o], words[o])
			}
		}
	}
	return ""
}
