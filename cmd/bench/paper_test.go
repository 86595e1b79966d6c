package main

import (
	"slices"
	"testing"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

// TestPaperIncludesWhatCanBeRun asks for every experiment of the paper whose tools exist to be part of the
// whole, with parameters that its tools know.
func TestPaperIncludesWhatCanBeRun(t *testing.T) {
	bench, err := lisabench.Load(lisabench.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	list, err := experiments.List(harness.Known(bench))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := harness.Load(bench, "paper", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range list {
		for _, profile := range append([]string{""}, l.Profiles...) {
			if _, err := harness.Load(bench, l.Name, profile, nil); err != nil {
				t.Errorf("%s %s: %v", l.Name, profile, err)
			}
		}
		ofThePaper := !slices.Contains([]string{"quickstart", "random", "recorded", "paper", "oracles", "properties", "knowledge"}, l.Name)
		if ofThePaper && !slices.ContainsFunc(whole.Parts, func(p experiments.Part) bool { return p.Name == l.Name }) {
			t.Errorf("experiments/paper.yaml does not include %s, whose tools exist now", l.Name)
		}
	}
}
