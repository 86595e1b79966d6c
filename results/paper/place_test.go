package paper

import "testing"

// TestPlaces: what a variant switches off is named in the table of its stage, and in no other.
func TestPlaces(t *testing.T) {
	p, err := Published()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tool, variant string
		want          bool
	}{
		{"lisa", "no_inv_repair", true}, {"lisa", "no_repair", false},
		{"lisa-api", "no_repair", true}, {"lisa-api", "no_inv_repair", false},
		{"lisa", "daikon_only", true}, {"lisa", "daikon_judged", false},
		{"lisa-api", "ngram_2", true}, {"ossfuzz", "for_bugs", true}, {"randoop", "default", false},
	} {
		if got := p.Places(c.tool, c.variant); got != c.want {
			t.Errorf("%s of %s: %v", c.variant, c.tool, got)
		}
	}
}
