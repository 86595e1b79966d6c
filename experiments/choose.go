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
	known := namesOf(p.Cells, func(c Cell) string { return c.ID() })
	for _, id := range ids {
		if !slices.Contains(known, id) {
			return nil, lisabench.NewUnknownError("cell", id, known)
		}
	}
	chosen := slices.Clone(ids)
	if numbers != "" {
		numbered, err := inRanges(numbers, known)
		if err != nil {
			return nil, fmt.Errorf("--cells %s: %w", numbers, err)
		}
		chosen = append(chosen, numbered...)
	}
	return func(c trial.Cell) bool { return slices.Contains(chosen, c.ID()) }, nil
}

// Only removes all libraries but the named ones, as in "libraries=zlib,cJSON", and the parts and tools that are left
// without a library.
func (e *Experiment) Only(arg string) error {
	key, list, _ := strings.Cut(arg, "=")
	if key != "libraries" || list == "" {
		return fmt.Errorf("--only %s: give libraries=NAME,…", arg)
	}
	chosen := strings.Split(list, ",")
	known := namesOf(e.AllLibraries(), func(l LibrarySpec) string { return l.Name })
	for _, l := range chosen {
		if !slices.Contains(known, l) {
			return lisabench.NewUnknownError("library", l, known)
		}
	}
	unchosen := func(name string) bool { return !slices.Contains(chosen, name) }
	cut := func(libraries []LibrarySpec, tools []ToolSpec) ([]LibrarySpec, []ToolSpec) {
		for i, t := range tools {
			tools[i].Libraries = slices.DeleteFunc(t.Libraries, unchosen)
		}
		return slices.DeleteFunc(libraries, func(l LibrarySpec) bool { return unchosen(l.Name) }),
			slices.DeleteFunc(tools, func(t ToolSpec) bool { return t.Libraries != nil && len(t.Libraries) == 0 })
	}
	e.Libraries, e.Tools = cut(e.Libraries, e.Tools)
	for i := range e.Parts {
		e.Parts[i].Libraries, e.Parts[i].Tools = cut(e.Parts[i].Libraries, e.Parts[i].Tools)
	}
	e.Parts = slices.DeleteFunc(e.Parts, func(p Part) bool { return len(p.Libraries) == 0 })
	return nil
}

// inRanges returns the ids whose numbers from 1 are in "7", "1-10" or a list of these with commas.
func inRanges(text string, ids []string) (chosen []string, err error) {
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
		case a < 1 || b > len(ids):
			return nil, fmt.Errorf("the plan has the cells 1 to %d", len(ids))
		case a > b:
			return nil, fmt.Errorf("%q: the range ends before it begins", part)
		}
		chosen = append(chosen, ids[a-1:b]...)
	}
	return chosen, nil
}
