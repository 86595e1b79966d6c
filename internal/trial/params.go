package trial

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Setting is one option of a tool that a parameter can change.
type Setting struct {
	// Set puts a parameter's value into the options. Its error says what is wanted of the value,
	// such as "true or false".
	Set func(value any) error
	Get func() any // the option's value
}

// Settings returns the values of options by the names of their parameters.
func Settings(all map[string]Setting) map[string]any {
	values := map[string]any{}
	for name, s := range all {
		values[name] = s.Get()
	}
	return values
}

// SetParams puts a variant's parameters into options, by the names of settings. The error names
// the first, in the order of names, that is unknown or whose value is refused.
func SetParams(params map[string]any, settings map[string]Setting) error {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		setting, ok := settings[name]
		if !ok {
			return fmt.Errorf("unknown parameter %q; known are %s", name, strings.Join(slices.Sorted(maps.Keys(settings)), ", "))
		}
		if err := setting.Set(params[name]); err != nil {
			return fmt.Errorf("%s is %v, want %w", name, params[name], err)
		}
	}
	return nil
}

// SetBool takes true and false.
func SetBool(to *bool) Setting {
	return Setting{Get: func() any { return *to }, Set: func(v any) error {
		b, ok := v.(bool)
		if !ok {
			return errors.New("true or false")
		}
		*to = b
		return nil
	}}
}

// SetWhole takes whole numbers from least to most.
func SetWhole(to *int, least, most int) Setting {
	return Setting{Get: func() any { return *to }, Set: func(v any) error {
		f, ok := number(v)
		if !ok || f != float64(int(f)) || int(f) < least || int(f) > most {
			return fmt.Errorf("a whole number from %d to %d", least, most)
		}
		*to = int(f)
		return nil
	}}
}

// SetFraction takes numbers in (0, 1].
func SetFraction(to *float64) Setting {
	return Setting{Get: func() any { return *to }, Set: func(v any) error {
		f, ok := number(v)
		if !ok || f <= 0 || f > 1 {
			return errors.New("a number above 0 and at most 1")
		}
		*to = f
		return nil
	}}
}

// SetOneOf takes the given words.
func SetOneOf(to *string, words []string) Setting {
	return Setting{Get: func() any { return *to }, Set: func(v any) error {
		s, ok := v.(string)
		if !ok || !slices.Contains(words, s) {
			return fmt.Errorf("one of %s", strings.Join(words, ", "))
		}
		*to = s
		return nil
	}}
}

// SetDir takes the path of a directory; whether it is there is not looked at.
func SetDir(to *string) Setting {
	return Setting{Get: func() any { return *to }, Set: func(v any) error {
		s, ok := v.(string)
		if !ok || s == "" {
			return errors.New("the path of a directory")
		}
		*to = s
		return nil
	}}
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
