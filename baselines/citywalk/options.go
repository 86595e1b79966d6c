package citywalk

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// options are what a variant can change: the parts of the paper's ablation, each on by default,
// how many functions one round asks for, and which.
type options struct {
	Configuration bool // configuration dependencies in the prompt
	CrossFile     bool // cross-file data dependencies in the prompt
	Intentions    bool // documents and usages in the prompt
	Guidelines    bool // language-specific guidelines in the prompt
	Fixing        bool // the three post-processing passes
	Round         int  // focal functions asked for at once, 1 to 1000; changes no prompt
	// Functions are the focal functions by their names, in C++ qualified; a name stands for all of
	// its overloads. Empty: every public function. The order is that of the headers all the same.
	Functions []string
}

// defaultOptions are the tool as its authors describe it.
func defaultOptions() options {
	return options{Configuration: true, CrossFile: true, Intentions: true, Guidelines: true, Fixing: true, Round: 32}
}

// parseOptions reads a variant's parameters. The error names the first that is unknown or out of
// range.
func parseOptions(params map[string]any) (options, error) {
	o := defaultOptions()
	if err := trial.SetParams(params, o.settings()); err != nil {
		return o, fmt.Errorf("citywalk: %w", err)
	}
	return o, nil
}

// Settings are the values of all parameters of a variant. The error names the first that is unknown or out of range.
func (t *Tool) Settings(params map[string]any) (map[string]any, error) {
	o, err := parseOptions(params)
	return trial.Settings(o.settings()), err
}

// settings sets an option by the name of its parameter.
func (o *options) settings() map[string]trial.Setting {
	return map[string]trial.Setting{
		"configuration": trial.SetBool(&o.Configuration), "cross_file": trial.SetBool(&o.CrossFile),
		"intentions": trial.SetBool(&o.Intentions), "guidelines": trial.SetBool(&o.Guidelines),
		"fixing": trial.SetBool(&o.Fixing), "round": trial.SetWhole(&o.Round, 1, 1000),
		"functions": setNames(&o.Functions),
	}
}

// setNames takes a list of names.
func setNames(to *[]string) trial.Setting {
	return trial.Setting{Get: func() any { return *to }, Set: func(v any) error {
		list, ok := v.([]any)
		for _, one := range list {
			name, text := one.(string)
			ok = ok && text && name != "" && !slices.Contains(*to, name)
			*to = append(*to, name)
		}
		if !ok || len(list) == 0 {
			return errors.New("a list of different names of functions")
		}
		return nil
	}}
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
