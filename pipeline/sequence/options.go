package sequence

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/ngram"
)

// Options are what a variant can change. The four switches are the paper's ablations (table
// tab:ablation_lisa1).
type Options struct {
	Rules    bool // project rules in the prompts, given and mined
	Feedback bool // N-gram feedback; false: combinations are drawn uniformly
	Repair   bool // one repair for each program that fails
	Examples bool // successful programs in the prompts

	Order    int     // N of the N-grams
	AlphaMin float64 // least exponent of the condensation
	Epsilon  float64 // least normalised energy

	Samples       int // answers to one prompt, 1 to 100
	Pool          int // successful examples kept, 1 to 10
	RuleThreshold int // programs that fail with one signature before a rule is made of it
	QuietRounds   int // rounds in a row without a new N-gram before it stops; 0: never
}

// DefaultOptions are the paper's where it states them (N = 3, alpha_min = 0.5, epsilon = 0.01),
// else its artifact's (10 answers to a prompt, 2 examples).
func DefaultOptions() Options {
	feedback := ngram.Default()
	return Options{
		Rules: true, Feedback: true, Repair: true, Examples: true,
		Order: feedback.Order, AlphaMin: feedback.AlphaMin, Epsilon: feedback.Epsilon,
		Samples: 10, Pool: 2, RuleThreshold: 3,
	}
}

// ParseOptions reads a variant's parameters. The error names the first that is unknown or out
// of range.
func ParseOptions(params map[string]any) (Options, error) {
	o := DefaultOptions()
	fields := o.fields()
	for _, name := range slices.Sorted(maps.Keys(params)) {
		set := fields[name]
		if set == nil {
			known := strings.Join(slices.Sorted(maps.Keys(fields)), ", ")
			return o, fmt.Errorf("unknown parameter %q; known are %s", name, known)
		}
		if err := set(params[name]); err != nil {
			return o, fmt.Errorf("%s is %v, want %w", name, params[name], err)
		}
	}
	return o, o.feedback().Validate()
}

// Parameters returns the names that ParseOptions knows, sorted.
func Parameters() []string {
	var o Options
	return slices.Sorted(maps.Keys(o.fields()))
}

// fields sets a field by the name of its parameter.
func (o *Options) fields() map[string]func(v any) error {
	return map[string]func(v any) error{
		"rules": boolean(&o.Rules), "feedback": boolean(&o.Feedback),
		"repair": boolean(&o.Repair), "examples": boolean(&o.Examples),
		"ngram_order": whole(&o.Order, 2, 8), "samples": whole(&o.Samples, 1, 100), "example_pool": whole(&o.Pool, 1, 10),
		"rule_threshold": whole(&o.RuleThreshold, 2, 100), "quiet_rounds": whole(&o.QuietRounds, 0, 1000),
		"alpha_min": fraction(&o.AlphaMin), "epsilon": fraction(&o.Epsilon),
	}
}

// feedback is the configuration of the scheduler.
func (o Options) feedback() ngram.Config {
	c := ngram.Default()
	c.Order, c.AlphaMin, c.Epsilon, c.Uniform = o.Order, o.AlphaMin, o.Epsilon, !o.Feedback
	return c
}

func boolean(to *bool) func(any) error {
	return func(v any) error {
		b, ok := v.(bool)
		if !ok {
			return fmt.Errorf("true or false")
		}
		*to = b
		return nil
	}
}

// whole accepts the number types that YAML and JSON decoders produce.
func whole(to *int, least, most int) func(any) error {
	return func(v any) error {
		f, ok := number(v)
		if !ok || f != float64(int(f)) || int(f) < least || int(f) > most {
			return fmt.Errorf("a whole number from %d to %d", least, most)
		}
		*to = int(f)
		return nil
	}
}

func fraction(to *float64) func(any) error {
	return func(v any) error {
		f, ok := number(v)
		if !ok || f <= 0 || f > 1 {
			return fmt.Errorf("a number above 0 and at most 1")
		}
		*to = f
		return nil
	}
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
