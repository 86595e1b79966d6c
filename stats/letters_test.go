package stats

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLetterGroups has the outcomes that one reads off a line of means.
func TestLetterGroups(t *testing.T) {
	for _, tc := range []struct {
		name   string
		n      int
		differ [][2]int
		want   [][]int
	}{
		{"one", 1, nil, [][]int{{0}}},
		{"none told apart", 3, nil, [][]int{{0, 1, 2}}},
		{"all told apart", 3, [][2]int{{0, 1}, {0, 2}, {1, 2}}, [][]int{{0}, {1}, {2}}},
		{"only the ends", 3, [][2]int{{0, 2}}, [][]int{{0, 1}, {1, 2}}},
		{"not in order", 4, [][2]int{{0, 1}, {2, 3}}, [][]int{{0, 2}, {0, 3}, {1, 2}, {1, 3}}},
		{"best alone", 4, [][2]int{{0, 1}, {0, 2}, {0, 3}}, [][]int{{0}, {1, 2, 3}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := LetterGroups(tc.n, func(i, j int) bool { return slices.Contains(tc.differ, [2]int{i, j}) })
			if err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(got, tc.want, slices.Equal) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

// TestLetterGroupsShareExactlyWhatIsAlike checks the definition on random relations.
func TestLetterGroupsShareExactlyWhatIsAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for range 200 {
		n := 1 + rng.IntN(9)
		apart := map[[2]int]bool{}
		for i := range n {
			for j := i + 1; j < n; j++ {
				apart[[2]int{i, j}] = rng.IntN(2) == 0
			}
		}
		groups, err := LetterGroups(n, func(i, j int) bool { return apart[[2]int{i, j}] })
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if !slices.ContainsFunc(groups, func(g []int) bool { return slices.Contains(g, i) }) {
				t.Fatalf("%d is in no group of %v", i, groups)
			}
			for j := i + 1; j < n; j++ {
				share := slices.ContainsFunc(groups, func(g []int) bool { return slices.Contains(g, i) && slices.Contains(g, j) })
				if share == apart[[2]int{i, j}] {
					t.Fatalf("%d and %d: share %t, told apart %t: %v", i, j, share, apart[[2]int{i, j}], groups)
				}
			}
		}
	}
}

// TestLetterGroupsTooMany has 2^12 groups: twelve pairs, each told apart.
func TestLetterGroupsTooMany(t *testing.T) {
	_, err := LetterGroups(24, func(i, j int) bool { return i%2 == 0 && j == i+1 })
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}
