package experiments

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// A Growth is what an experiment has more than one that was run before.
type Growth struct {
	Cells  int // new ones
	Bugs   int // cells that are checked for more bugs
	Budget int // cells that may spend more
}

// String describes it, e.g. "4 more cells, 2 cells with a larger budget".
func (g Growth) String() string {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(g.Cells, "more cells")
	add(g.Bugs, "cells with more bugs")
	add(g.Budget, "cells with a larger budget")
	return strings.Join(parts, ", ")
}

// asked is what an llm block says that can change answers. Another endpoint, its limits, habits and prices may take over at
// any time.
func asked(c *llm.Config) llm.Config {
	if c == nil {
		return llm.Config{}
	}
	same := *c
	same.BaseURL, same.APIKeyEnv, same.Upload, same.Prices = "", "", false, nil
	same.Stream, same.StreamOptions, same.MaxTokensName = nil, nil, ""
	same.Limits = llm.Limits{MaxAnswerBytes: c.Limits.MaxAnswerBytes}
	return same
}

// Grown compares the plan of a run with what it is to become. The error says what is no growth: a cell
// less, or one that would be made or measured otherwise.
func Grown(from, to Plan) (Growth, error) {
	var g Growth
	if from.Seed != to.Seed || from.Sandbox != to.Sandbox || from.Test != to.Test || !reflect.DeepEqual(asked(from.LLM), asked(to.LLM)) {
		return g, fmt.Errorf("seed, sandbox, test, and what llm says of models and stages cannot change in a run that grows")
	}
	now := map[string]Cell{}
	for _, c := range to.Cells {
		now[c.ID()] = c
	}
	for _, was := range from.Cells {
		c, ok := now[was.ID()]
		switch {
		case !ok:
			return g, fmt.Errorf("cell %s is not in it", was.ID())
		case len(c.Params)+len(was.Params) > 0 && !reflect.DeepEqual(c.Params, was.Params):
			return g, fmt.Errorf("cell %s has other parameters", was.ID())
		case !was.Budget.GrowsTo(c.Budget):
			return g, fmt.Errorf("cell %s has a budget of %s, and had %s", was.ID(), c.Budget, was.Budget)
		case slices.ContainsFunc(was.Bugs, func(bug string) bool { return !slices.Contains(c.Bugs, bug) }):
			return g, fmt.Errorf("cell %s is no longer checked for all its bugs", was.ID())
		}
		if c.Budget != was.Budget {
			g.Budget++
		}
		if len(c.Bugs) > len(was.Bugs) {
			g.Bugs++
		}
	}
	g.Cells = len(to.Cells) - len(from.Cells)
	return g, nil
}
