package sequence

// Options are what a variant can change. The first four switches are the paper's ablations (table
// tab:ablation_lisa1). The meaning of each is its doc tag (trial.Parameter).
type Options struct {
	Rules    bool `param:"rules" doc:"Project rules in the prompts, given and mined."`
	Feedback bool `param:"feedback" doc:"N-gram feedback; false: combinations are drawn uniformly."`
	Repair   bool `param:"repair" doc:"One repair for each program that fails."`
	Examples bool `param:"examples" doc:"Successful programs in the prompts."`
	Angles   bool `param:"angles" doc:"The programs for one combination are asked to differ, each in its way; not in the paper."`

	Order    int     `param:"ngram_order" values:"2,8" doc:"N of the N-grams."`
	AlphaMin float64 `param:"alpha_min" doc:"Least exponent of the condensation."`
	Epsilon  float64 `param:"epsilon" doc:"Least normalised energy."`

	Samples       int `param:"samples" values:"1,100" doc:"Answers to one prompt."`
	Pool          int `param:"example_pool" values:"1,10" doc:"Successful examples kept."`
	RuleThreshold int `param:"rule_threshold" values:"2,100" doc:"Programs that fail with one signature before a rule is made of it."`
	QuietRounds   int `param:"quiet_rounds" values:"0,1000" doc:"Rounds in a row without a new N-gram before it stops; 0: never."`
}

// DefaultOptions are the paper's where it states them (N = 3, alpha_min = 0.5, epsilon = 0.01),
// else its artifact's (10 answers to a prompt, 2 examples).
func DefaultOptions() Options {
	return Options{
		Rules: true, Feedback: true, Repair: true, Examples: true, Angles: true,
		Order: 3, AlphaMin: 0.5, Epsilon: 0.01, Samples: 10, Pool: 2, RuleThreshold: 3,
	}
}
