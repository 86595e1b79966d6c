package mutation

import (
	"fmt"
	"testing"

	"gotest.tools/v3/assert"
)

// TestForFeedback: a generator is told of no mutant that a score draws.
func TestForFeedback(t *testing.T) {
	for n, want := range map[int]int{100: 0, DefaultSample: 0, DefaultSample + 10: 10, 9000: feedbackSample} {
		lib := &MutableLibrary{}
		for i := range n {
			lib.Mutants = append(lib.Mutants, Mutant{ID: i + 1, File: "a.c", Function: fmt.Sprint("f", i%37)})
		}
		drawn := map[int]bool{}
		for _, m := range sampleOf(lib.Mutants, 0) {
			drawn[m.ID] = true
		}
		told := lib.ForFeedback()
		for _, m := range told {
			if drawn[m.ID] {
				t.Errorf("of %d, mutant %d is told and drawn", n, m.ID)
			}
		}
		assert.Check(t, len(told) == want, "of %d, %d are told, want %d", n, len(told), want)
	}
}
