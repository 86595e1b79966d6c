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
func Leads(ref *libbuild.Build, entries []string) (map[string][]string, error) {
	lib, err := open(ref.StaticLib)
	if err != nil {
		return nil, err
	}
	steps := map[string]map[string]int{} // by function and entry
	for _, entry := range entries {
		for section, n := range lib.reachable(lib.defined["="+entry]...) {
			for _, symbol := range section.defines {
				if section.kind != code {
					continue
				}
				name := qualified(symbol)
				if steps[name] == nil {
					steps[name] = map[string]int{}
				}
				if least, known := steps[name][entry]; !known || n < least {
					steps[name][entry] = n
				}
			}
		}
	}
	leads := map[string][]string{}
	for name, of := range steps {
		for entry := range of {
			leads[name] = append(leads[name], entry)
		}
		slices.SortFunc(leads[name], func(a, b string) int { return cmp.Or(cmp.Compare(of[a], of[b]), cmp.Compare(a, b)) })
	}
	return leads, nil
}

// reachable returns the sections that others lead to, themselves included, by calls or by addresses in code or data,
// with how many references lie between at least.
func (lib *library) reachable(from ...*section) map[*section]int {
	steps := map[*section]int{}
	for n := 0; len(from) > 0; n++ {
		var next []*section
		for _, s := range from {
			if _, known := steps[s]; known {
				continue
			}
			steps[s] = n
			for _, ref := range s.refs {
				if other := lib.sections[ref]; other != nil {
					next = append(next, other)
				}
				next = append(next, lib.defined[ref]...)
			}
		}
		from = next
	}
	return steps
}

// qualified is a symbol's name as clang qualifies it.
func qualified(symbol string) string {
	return demangle.Filter(symbol, demangle.NoParams, demangle.NoTemplateParams, demangle.NoEnclosingParams)
}
