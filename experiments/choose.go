package experiments

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Choose returns which cells of the plan are named: by their ids, and by their numbers from 1 as
// in "7", "1-10" or "1-10,15".
func (p Plan) Choose(ids []string, numbers string) (func(trial.Cell) bool, error) {
	chosen := map[string]bool{}
	var known []string
	for _, c := range p.Cells {
		known = append(known, c.Cell.ID())
	}
	for _, name := range ids {
		chosen[name] = true
		if !slices.Contains(known, name) {
			return nil, lisabench.NewUnknownError("cell", name, known)
		}
	}
	ranges, err := parseRanges(numbers, len(known))
	if err != nil {
		return nil, fmt.Errorf("--cells %s: %w", numbers, err)
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
