package ngram

import (
	"fmt"
	"slices"
)

// A Config is what an experiment can vary.
type Config struct {
	Order    int     `json:"order"`             // N: calls in an N-gram, 2 to 8
	Epsilon  float64 `json:"epsilon"`           // floor of a normalised energy, in (0, 1)
	AlphaMin float64 `json:"alpha_min"`         // least exponent, in (0, 1]; 1 switches condensation off
	Sizes    []int   `json:"sizes"`             // sizes of a combination, equally likely
	Uniform  bool    `json:"uniform,omitempty"` // ablation: ignore the energies when sampling
}

// Default returns the paper's configuration.
func Default() Config {
	return Config{Order: 3, Epsilon: 0.01, AlphaMin: 0.5, Sizes: []int{4, 5}}
}

// maxOrder bounds N. Beyond it nearly every N-gram of a test program is new and N says
// nothing; the paper's sweep ends at 4.
const maxOrder = 8

// Validate says what is wrong with c and what would be right.
func (c Config) Validate() error {
	switch {
	case c.Order < 2 || c.Order > maxOrder:
		return fmt.Errorf("n-gram order %d: use 2 to %d", c.Order, maxOrder)
	case !(c.Epsilon > 0 && c.Epsilon < 1):
		return fmt.Errorf("n-gram epsilon %g: use a number above 0 and below 1 (the paper's is 0.01)", c.Epsilon)
	case !(c.AlphaMin > 0 && c.AlphaMin <= 1):
		return fmt.Errorf("n-gram alpha_min %g: use a number above 0 and up to 1 (the paper's is 0.5)", c.AlphaMin)
	case len(c.Sizes) == 0:
		return fmt.Errorf("n-gram sizes: name at least one size of an API combination, as 4")
	case slices.Min(c.Sizes) < 1:
		return fmt.Errorf("n-gram sizes: a combination of %d APIs cannot be asked for, use 1 or more", slices.Min(c.Sizes))
	}
	return nil
}
