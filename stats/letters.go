package stats

import (
	"fmt"
	"slices"
)

// mostLetters bounds the groups, which can be exponentially many in the worst case.
const mostLetters = 1000

// LetterGroups returns the groups of n things of which differ tells the pairs that a test
// tells apart: two share a group exactly if they are not told apart. Groups are increasing
// indexes 0..n-1, sorted by their first ones; none is part of another. They are the columns of a
// compact letter display, by insertion and absorption (Piepho, Journal of Computational and
// Graphical Statistics 13, 2004). The error is ErrTooLarge.
func LetterGroups(n int, differ func(i, j int) bool) ([][]int, error) {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	groups := [][]int{all}
	for i := range n {
		for j := i + 1; j < n; j++ {
			if !differ(i, j) {
				continue
			}
			groups = absorb(split(groups, i, j))
			if len(groups) > mostLetters {
				return nil, fmt.Errorf("%w: more than %d groups of %d things", ErrTooLarge, mostLetters, n)
			}
		}
	}
	slices.SortFunc(groups, slices.Compare)
	return groups, nil
}

// split replaces each group with both i and j by one without i and one without j.
func split(groups [][]int, i, j int) [][]int {
	var out [][]int
	for _, g := range groups {
		if !slices.Contains(g, i) || !slices.Contains(g, j) {
			out = append(out, g)
			continue
		}
		for _, x := range []int{i, j} {
			out = append(out, slices.DeleteFunc(slices.Clone(g), func(y int) bool { return x == y }))
		}
	}
	return out
}

// absorb drops the groups that are part of another; of equal ones it keeps the first.
func absorb(groups [][]int) [][]int {
	var out [][]int
	for a, g := range groups {
		within := func(b int) bool {
			o := groups[b]
			if a == b || len(g) == len(o) && a < b {
				return false
			}
			return !slices.ContainsFunc(g, func(x int) bool { return !slices.Contains(o, x) })
		}
		part := false
		for b := range groups {
			part = part || within(b)
		}
		if !part {
			out = append(out, g)
		}
	}
	return out
}
