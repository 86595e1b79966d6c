package genloop

import (
	"maps"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Counts are what a generator counts for its record: by list, then name.
type Counts map[string]map[string]int

// Add counts one of a name in a list.
func (c Counts) Add(list, name string) { c.AddN(list, name, 1) }

// AddN counts n of a name in a list.
func (c Counts) AddN(list, name string, n int) {
	if c[list] == nil {
		c[list] = map[string]int{}
	}
	c[list][name] += n
}

// List returns a list, sorted by name.
func (c Counts) List(list string) []trial.NamedCount {
	var out []trial.NamedCount
	for _, name := range slices.Sorted(maps.Keys(c[list])) {
		out = append(out, trial.NamedCount{Name: name, Count: c[list][name]})
	}
	return out
}
