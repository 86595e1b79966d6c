package sequence

import (
	"maps"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/ngram"
)

// Options are what a variant can change. The first four switches are the paper's ablations (table
// tab:ablation_lisa1).
type Options struct {
	Rules    bool // project rules in the prompts, given and mined
	Feedback bool // N-gram feedback; false: combinations are drawn uniformly
	Repair   bool // one repair for each program that fails
	Examples bool // successful programs in the prompts
	Angles   bool // the programs for one combination are asked to differ, each in its way; not in the paper

	Order    int     // N of the N-grams
	AlphaMin float64 // least exponent of the condensation
	Epsilon  float64 // least normalised energy

	Samples       int // answers to one prompt, 1 to 100
	Pool          int // successful examples kept, 1 to 10
	RuleThreshold int // programs that fail with one signature before a rule is made of it
	QuietRounds   int // rounds in a row without a new N-gram before it stops; 0: never
}

// defaultOptions are the paper's where it states them (N = 3, alpha_min = 0.5, epsilon = 0.01),
// else its artifact's (10 answers to a prompt, 2 examples).
func defaultOptions() Options {
	feedback := ngram.Default()
	return Options{
		Rules: true, Feedback: true, Repair: true, Examples: true, Angles: true,
		Order: feedback.Order, AlphaMin: feedback.AlphaMin, Epsilon: feedback.Epsilon,
		Samples: 10, Pool: 2, RuleThreshold: 3,
	}
}

// ParseOptions reads a variant's parameters. The error names the first that is unknown or out
// of range.
func ParseOptions(params map[string]any) (Options, error) {
	o := defaultOptions()
	if err := trial.SetParams(params, o.fields()); err != nil {
		return o, err
	}
	return o, o.feedback().Validate()
}

// Settings are the values of all parameters.
func (o Options) Settings() map[string]any { return trial.Settings(o.fields()) }

// Parameters returns the names that ParseOptions knows, sorted.
func Parameters() []string {
	var o Options
	return slices.Sorted(maps.Keys(o.fields()))
}

// fields sets a field by the name of its parameter.
func (o *Options) fields() map[string]trial.Setting {
	return map[string]trial.Setting{
		"rules": trial.SetBool(&o.Rules), "feedback": trial.SetBool(&o.Feedback),
		"repair": trial.SetBool(&o.Repair), "examples": trial.SetBool(&o.Examples), "angles": trial.SetBool(&o.Angles),
		"ngram_order": trial.SetWhole(&o.Order, 2, 8), "samples": trial.SetWhole(&o.Samples, 1, 100), "example_pool": trial.SetWhole(&o.Pool, 1, 10),
		"rule_threshold": trial.SetWhole(&o.RuleThreshold, 2, 100), "quiet_rounds": trial.SetWhole(&o.QuietRounds, 0, 1000),
		"alpha_min": trial.SetFraction(&o.AlphaMin), "epsilon": trial.SetFraction(&o.Epsilon),
	}
}

// feedback is the configuration of the scheduler.
func (o Options) feedback() ngram.Config {
	return ngram.Config{Order: o.Order, AlphaMin: o.AlphaMin, Epsilon: o.Epsilon, Uniform: !o.Feedback}
}
