package citywalk

import (
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// options are the parameters of a variant (trial.Parameter): the parts of the paper's ablation, each on by default,
// and which functions.
type options struct {
	Configuration bool     `param:"configuration" doc:"Configuration dependencies in the prompt."`
	CrossFile     bool     `param:"cross_file" doc:"Cross-file data dependencies in the prompt."`
	Intentions    bool     `param:"intentions" doc:"Documents and usages in the prompt."`
	Guidelines    bool     `param:"guidelines" doc:"Language-specific guidelines in the prompt."`
	Fixing        bool     `param:"fixing" doc:"The three post-processing passes."`
	Functions     []string `param:"functions" doc:"The focal functions by their names, in C++ qualified; a name stands for all of its overloads. Default: every public function. The order is that of the headers all the same."`
}

// defaultOptions are the tool as its authors describe it.
func defaultOptions() options {
	return options{Configuration: true, CrossFile: true, Intentions: true, Guidelines: true, Fixing: true}
}

// parseOptions reads a variant's parameters. The error names the first that is unknown or out of
// range.
func parseOptions(params map[string]any) (options, error) {
	o := defaultOptions()
	if err := trial.SetParams(params, &o); err != nil {
		return o, fmt.Errorf("citywalk: %w", err)
	}
	return o, nil
}

// Settings are the values of all parameters of a variant. The error names the first that is unknown or out of range.
func (t *Tool) Settings(params map[string]any) (map[string]any, error) {
	o, err := parseOptions(params)
	return trial.Settings(&o), err
}

// Parameters lists the parameters of a variant.
func (*Tool) Parameters() []trial.Parameter {
	o := defaultOptions()
	return trial.Parameters(&o)
}

// chosen are the focal functions with those names; all without any.
func chosen(all []*focal, names []string) ([]*focal, error) {
	if len(names) == 0 {
		return all, nil
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(f *focal) bool { return f.name == name }) {
			return nil, fmt.Errorf("functions: %s is no focal function: give names as the headers have them, in C++ with namespace and class", name)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(f *focal) bool { return !slices.Contains(names, f.name) }), nil
}
