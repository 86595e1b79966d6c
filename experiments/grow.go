package experiments

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// asked is what an llm block says that can change answers. Another endpoint, its limits and prices may take
// over at any time.
func asked(c *llm.Config) llm.Config {
	if c == nil {
		return llm.Config{}
	}
	return llm.Config{Provider: c.Provider, Dir: c.Dir, Settings: c.Settings, Stages: c.Stages, Cutoffs: c.Cutoffs,
		Limits: llm.Limits{MaxAnswerBytes: c.Limits.MaxAnswerBytes}}
}

// Grown compares the plan of a run with a new plan, and says what the new one adds, such as "4 more cells, 2 cells
// with a larger budget". It is an error if the new plan lacks a cell, or would make or measure one in another way.
func Grown(from, to Plan) (string, error) {
	if from.Seed != to.Seed || from.Sandbox != to.Sandbox || from.Test != to.Test || !reflect.DeepEqual(asked(from.LLM), asked(to.LLM)) {
		return "", errors.New("seed, sandbox, test, and what llm says of models and stages cannot change in a run that grows")
	}
	bugs, budgets := 0, 0 // cells with more of them
	for _, was := range from.Cells {
		i := slices.IndexFunc(to.Cells, func(c Cell) bool { return c.ID() == was.ID() })
		if i < 0 {
			return "", fmt.Errorf("cell %s is not in it", was.ID())
		}
		c := to.Cells[i]
		switch {
		case len(c.Params)+len(was.Params) > 0 && !reflect.DeepEqual(c.Params, was.Params):
			return "", fmt.Errorf("cell %s has other parameters", was.ID())
		case !was.Budget.GrowsTo(c.Budget):
			return "", fmt.Errorf("cell %s has a budget of %s, and had %s", was.ID(), c.Budget, was.Budget)
		case slices.ContainsFunc(was.Bugs, func(bug string) bool { return !slices.Contains(c.Bugs, bug) }):
			return "", fmt.Errorf("cell %s is no longer checked for all its bugs", was.ID())
		}
		if c.Budget != was.Budget {
			budgets++
		}
		if len(c.Bugs) > len(was.Bugs) {
			bugs++
		}
	}
	var more []string
	for _, m := range []struct {
		n    int
		what string
	}{{len(to.Cells) - len(from.Cells), "more cells"}, {bugs, "cells with more bugs"}, {budgets, "cells with a larger budget"}} {
		if m.n > 0 {
			more = append(more, fmt.Sprintf("%d %s", m.n, m.what))
		}
	}
	return strings.Join(more, ", "), nil
}
