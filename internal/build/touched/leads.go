package touched

import (
	"cmp"
	"slices"

	"github.com/ianlancetaylor/demangle"

	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
)

// Leads says which functions of a library's interface lead to its other functions. It has, for each function that
// one of the symbols in entries reaches by a call, or by an address in code or data, those entries, the
// nearest first. A function is named as clang qualifies it, without parameters; functions of one name are
// one. What an entry leads to in this sense may need arguments that no caller can give.
func (s *Selector) Leads(ref *libbuild.Build, entries []string) (map[string][]string, error) {
	lib, err := s.reference(ref)
	if err != nil {
		return nil, err
	}
	type way struct {
		entry string
		steps int
	}
	ways := map[string][]way{}
	for _, entry := range entries {
		for a, steps := range lib.from(lib.globals[entry].atom) {
			for _, symbol := range a.defines {
				if name := qualified(symbol); a.exec {
					ways[name] = append(ways[name], way{entry, steps})
				}
			}
		}
	}
	leads := map[string][]string{}
	for name, list := range ways {
		slices.SortFunc(list, func(a, b way) int { return cmp.Or(cmp.Compare(a.steps, b.steps), cmp.Compare(a.entry, b.entry)) })
		for _, w := range list {
			if !slices.Contains(leads[name], w.entry) {
				leads[name] = append(leads[name], w.entry)
			}
		}
	}
	return leads, nil
}

// from returns what an atom leads to, itself included, with how many references lie between; of nil, nothing.
func (lib *library) from(a *atom) map[*atom]int {
	steps := map[*atom]int{}
	var queue []*atom
	reach := func(next *atom, n int) {
		if _, known := steps[next]; next != nil && !known {
			steps[next] = n
			queue = append(queue, next)
		}
	}
	for reach(a, 0); len(queue) > 0; queue = queue[1:] {
		for _, ref := range queue[0].refs {
			next := lib.atoms[ref]
			if ref[0] == '=' {
				next = lib.globals[ref[1:]].atom
			}
			reach(next, steps[queue[0]]+1)
		}
	}
	return steps
}

// qualified is a symbol's name as clang qualifies it.
func qualified(symbol string) string {
	return demangle.Filter(symbol, demangle.NoParams, demangle.NoTemplateParams, demangle.NoEnclosingParams)
}
