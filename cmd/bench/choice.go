package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// choice returns which cells of the plan the flags name; nil means that they name none.
func (f runFlags) choice(plan experiments.Plan) (func(trial.Cell) bool, error) {
	if len(f.cells) == 0 && f.numbers == "" {
		return nil, nil
	}
	if f.prepare {
		return nil, usageError{errors.New("--prepare works on no cell: leave out --cell and --cells")}
	}
	chosen := map[string]bool{}
	var known []string
	for _, c := range plan.Cells {
		known = append(known, c.Cell.ID())
	}
	for _, name := range f.cells {
		chosen[name] = true
		if !slices.Contains(known, name) {
			return nil, lisabench.NewUnknownError("cell", name, known)
		}
	}
	ranges, err := parseRanges(f.numbers, len(known))
	if err != nil {
		return nil, usageError{fmt.Errorf("--cells %s: %w", f.numbers, err)}
	}
	for _, r := range ranges {
		for i := r[0]; i <= r[1]; i++ {
			chosen[known[i-1]] = true
		}
	}
	return func(c trial.Cell) bool { return chosen[c.ID()] }, nil
}

// parseRanges reads "7", "1-10" and lists of these with commas: whole numbers of 1..most.
func parseRanges(text string, most int) (ranges [][2]int, err error) {
	if text == "" {
		return nil, nil
	}
	for _, part := range strings.Split(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		a, aerr := strconv.Atoi(strings.TrimSpace(first))
		b, berr := strconv.Atoi(strings.TrimSpace(last))
		switch {
		case aerr != nil || berr != nil:
			return nil, fmt.Errorf("%q is neither a number nor a range such as 1-10", part)
		case a < 1 || b > most:
			return nil, fmt.Errorf("the plan has the cells 1 to %d", most)
		case a > b:
			return nil, fmt.Errorf("%q: the range ends before it begins", part)
		}
		ranges = append(ranges, [2]int{a, b})
	}
	return ranges, nil
}
