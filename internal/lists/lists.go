// Package lists has what package slices lacks: the members of a list that fit (Filter), and those that belong together
// (Group). Neither changes the list.
package lists

// Filter returns the members that keep takes, in their order; nil if it takes none.
func Filter[T any](list []T, keep func(T) bool) []T {
	var kept []T
	for _, x := range list {
		if keep(x) {
			kept = append(kept, x)
		}
	}
	return kept
}

// Group returns the members with the same key together, in the order in which the keys first appear.
func Group[K comparable, T any](list []T, key func(T) K) [][]T {
	var groups [][]T
	index := map[K]int{}
	for _, x := range list {
		k := key(x)
		i, known := index[k]
		if !known {
			i = len(groups)
			index[k], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], x)
	}
	return groups
}
