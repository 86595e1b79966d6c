package citywalk

import "github.com/lisa-bench/lisa-bench/internal/trial"

// Options are what a variant can change: the parts of the paper's ablation, each on by default,
// and how many functions one round asks for.
type Options struct {
	Configuration bool // configuration dependencies in the prompt
	CrossFile     bool // cross-file data dependencies in the prompt
	Intentions    bool // documents and usages in the prompt
	Guidelines    bool // language-specific guidelines in the prompt
	Fixing        bool // the three post-processing passes
	Round         int  // focal functions asked for at once, 1 to 1000; changes no prompt
}

// DefaultOptions are the tool as its authors describe it.
func DefaultOptions() Options {
	return Options{Configuration: true, CrossFile: true, Intentions: true, Guidelines: true, Fixing: true, Round: 32}
}

// ParseOptions reads a variant's parameters. The error names the first that is unknown or out of
// range.
func ParseOptions(params map[string]any) (Options, error) {
	o := DefaultOptions()
	return o, trial.SetParams(params, map[string]trial.Setter{
		"configuration": trial.SetBool(&o.Configuration), "cross_file": trial.SetBool(&o.CrossFile),
		"intentions": trial.SetBool(&o.Intentions), "guidelines": trial.SetBool(&o.Guidelines),
		"fixing": trial.SetBool(&o.Fixing), "round": trial.SetWhole(&o.Round, 1, 1000),
	})
}
