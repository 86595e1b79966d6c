package verify

import (
	"encoding/json"
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

// compare returns every figure of a record with what a new evaluation of the same suite gave. Times are not compared.
func compare(was, now *trial.Record) (figures []Figure) {
	for _, g := range now.Gaps() {
		figures = append(figures, Figure{Name: g.Name(), Excuse: "not measured here: " + g.Reason.String()})
	}
	was, now = results.Common(results.Untimed(was), results.Untimed(now))
	recorded, found := figuresOf(was), figuresOf(now)
	all := maps.Clone(recorded)
	maps.Copy(all, found)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		f := Figure{Name: name, Recorded: recorded[name], Found: found[name]}
		if !f.Equal() {
			f.Excuse = varies(name, was, now)
		}
		figures = append(figures, f)
	}
	return figures
}

// figuresOf are the figures of a record by their names.
func figuresOf(r *trial.Record) map[string]json.RawMessage {
	all := fields(r)
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
		all["bug "+b.Bug] = marshal(b)
	}
	return all
}

// fields are the parts of a record by their names in its file.
func fields(r *trial.Record) (m map[string]json.RawMessage) {
	if err := json.Unmarshal(marshal(r), &m); err != nil {
		panic(err) // it was written just now
	}
	return m
}

func marshal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // records are read from such texts
	}
	return text
}

// varies says why a difference in a figure proves nothing, "" if it does: whether a program compiles, depends on the build
// or detects a bug does not vary.
func varies(name string, was, now *trial.Record) string {
	id, isBug := strings.CutPrefix(name, "bug ")
	switch {
	case name == "compiled" || strings.HasPrefix(name, "flag "):
		return ""
	case !isBug:
		return "it varies with flaky and slow programs, and with the versions of clang and llvm-cov"
	case was.Kind == trial.KindCorpus:
		return "on each buggy build the fuzzer gets a budget of its own, and does not repeat itself"
	}
	var of []trial.BugResult
	for _, b := range slices.Concat(was.Bugs, now.Bugs) {
		if b.Bug == id {
			of = append(of, b)
		}
	}
	switch {
	case len(of) < 2:
		return ""
	case of[0].Flaky+of[1].Flaky+of[0].Untried+of[1].Untried > 0:
		return "some tests of it do not fail every time, or hang"
	case of[0].Detected == of[1].Detected:
		return "which tests detect it varies with flaky and slow programs"
	}
	return ""
}
