package citywalk

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

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
	fields := map[string]*bool{
		"configuration": &o.Configuration, "cross_file": &o.CrossFile, "intentions": &o.Intentions,
		"guidelines": &o.Guidelines, "fixing": &o.Fixing,
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		v := params[name]
		if name == "round" {
			n, ok := number(v)
			if !ok || n != float64(int(n)) || n < 1 || n > 1000 {
				return o, fmt.Errorf("round is %v, want a whole number from 1 to 1000", v)
			}
			o.Round = int(n)
			continue
		}
		field := fields[name]
		if field == nil {
			known := append(slices.Sorted(maps.Keys(fields)), "round")
			return o, fmt.Errorf("unknown parameter %q; known are %s", name, strings.Join(known, ", "))
		}
		b, ok := v.(bool)
		if !ok {
			return o, fmt.Errorf("%s is %v, want true or false", name, v)
		}
		*field = b
	}
	return o, nil
}

// number accepts the number types that YAML and JSON decoders produce.
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
