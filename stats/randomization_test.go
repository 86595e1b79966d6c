package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Darwin's Zea mays in eighths of an inch, as Fisher tests them in The Design of Experiments (1935), section 21:
// 863 of 32,768 sums are at least as large, and as many at least as small.
func TestPairedRandomizationOfDarwin(t *testing.T) {
	r, err := PairedRandomization([]int{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "P", r.P, 1726.0/32768, 1e-12)
	near(t, "MinP", r.MinP, 2.0/32768, 1e-12)
}

func TestPairedRandomizationIsMcNemarOfOneTrial(t *testing.T) {
	for first := range 12 {
		for second := range 12 {
			differences := []int{0, 0}
			for range first {
				differences = append(differences, 1)
			}
			for range second {
				differences = append(differences, -1)
			}
			r, err := PairedRandomization(differences)
			if err != nil {
				t.Fatal(err)
			}
			m := McNemarExact(first, second)
			near(t, "P", r.P, m.P, 1e-12)
			near(t, "MinP", r.MinP, m.MinP, 1e-12)
		}
	}
}

func TestPairedRandomizationProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		differences, swapped, doubled := []int{}, []int{}, []int{}
		for range random.IntN(12) {
			d := random.IntN(21) - 10
			differences, swapped, doubled = append(differences, d), append(swapped, -d), append(doubled, 2*d)
		}
		a, err := PairedRandomization(differences)
		if err != nil {
			t.Fatal(err)
		}
		for name, other := range map[string][]int{"swapped": swapped, "in another unit": doubled} {
			b, err := PairedRandomization(other)
			if err != nil {
				t.Fatal(err)
			}
			near(t, name, b.P, a.P, 1e-12)
		}
		if a.P < a.MinP-1e-12 || a.P > 1 || a.MinP <= 0 {
			t.Errorf("%v: P %g, least %g", differences, a.P, a.MinP)
		}
	}
	if _, err := PairedRandomization([]int{math.MaxInt, math.MaxInt}); err == nil {
		t.Error("differences whose sum overflows are accepted")
	}
}
