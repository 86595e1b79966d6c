package citywalk

import (
	"fmt"
	"math"
	"testing"
)

// TestBM25ByHand has values that were computed from the formula by hand. Three texts of 2, 4 and
// 3 words, 3 on average; "cat" is in two of them, "dog" in one.
//
//	idf(cat) = ln(1 + 1.5/2.5) = 0.4700036, idf(dog) = ln(1 + 2.5/1.5) = 0.9808293
//	text 0, cat once, length 2: 2.2 / (1 + 1.2 (0.25 + 0.75·2/3)) = 2.2/1.9 = 1.1578947
//	text 1, cat twice, length 4: 4.4 / (2 + 1.2 (0.25 + 0.75·4/3)) = 4.4/3.5 = 1.2571429
//	text 1, dog once: 2.2 / (1 + 1.5) = 0.88
func TestBM25ByHand(t *testing.T) {
	l := newLexicon([]string{"cat sat", "cat cat dog ran", "bird flew off"})
	for _, c := range []struct {
		query string
		text  int
		want  float64
	}{
		{"cat", 0, 0.4700036 * 1.1578947},
		{"cat", 1, 0.4700036 * 1.2571429},
		{"cat", 2, 0},
		{"dog", 1, 0.9808293 * 0.88},
		{"the cat dog", 1, 0.4700036*1.2571429 + 0.9808293*0.88},
		{"horse", 1, 0},
	} {
		if got := l.scores(c.query)[c.text]; math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%q in text %d: %.7f, want %.7f", c.query, c.text, got, c.want)
		}
	}
	if got := fmt.Sprint(best(l.scores("cat"), 2), best(l.scores("cat"), 1), best(l.scores("horse"), 2), best(newLexicon(nil).scores("cat"), 2)); got != "[1 0] [1] [] []" {
		t.Errorf("order %s", got)
	}
}
