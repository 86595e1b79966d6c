package touched

import (
	"cmp"
	"slices"

	"github.com/ianlancetaylor/demangle"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
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
		for section, steps := range lib.reachable(lib.defined["="+entry]...) {
			for _, symbol := range section.defines {
				if name := qualified(symbol); section.kind == code {
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

// qualified is a symbol's name as clang qualifies it.
func qualified(symbol string) string {
	return demangle.Filter(symbol, demangle.NoParams, demangle.NoTemplateParams, demangle.NoEnclosingParams)
}
