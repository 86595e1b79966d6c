package trial

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A Parameter is one option of a tool that a variant can change. A tool's parameters are the fields of a struct with
// these tags: param has the name, doc the meaning, and values the least and the largest value of an int, or the words
// that a string may be, separated by commas. The fields are of type bool, int, float64 (above 0, at most 1), string
// (one of the words, or the path of a directory, or of what the tag path says) or []string (different names).
type Parameter struct {
	Name    string `json:"name"`
	Value   string `json:"value"`   // what values it takes, such as "true or false"
	Default string `json:"default"` // "" for none
	Doc     string `json:"doc"`
}

// A field is a parameter in a struct of options.
type field struct {
	reflect.StructField
	value reflect.Value
}

// fields returns the parameters in the structs that options point to, in their order.
func fields(options ...any) (list []field) {
	for _, o := range options {
		v := reflect.ValueOf(o).Elem()
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Tag.Get("param") != "" {
				list = append(list, field{f, v.Field(i)})
			}
		}
	}
	return list
}

// Parameters lists the parameters in the structs that options point to. Their values are the defaults.
func Parameters(options ...any) (list []Parameter) {
	for _, f := range fields(options...) {
		p := Parameter{Name: f.Tag.Get("param"), Value: f.wanted(), Doc: f.Tag.Get("doc")}
		if f.Type.Kind() == reflect.Bool || !f.value.IsZero() || f.Type.Kind() == reflect.Int {
			p.Default = fmt.Sprint(f.value)
		}
		list = append(list, p)
	}
	return list
}

// Settings returns the values of the parameters in the structs that options point to, by name.
func Settings(options ...any) map[string]any {
	values := map[string]any{}
	for _, f := range fields(options...) {
		values[f.Tag.Get("param")] = f.value.Interface()
	}
	return values
}

// SetParams puts a variant's parameters into the structs that options point to. The error names the first one, in the
// order of names, that is unknown or has a wrong value.
func SetParams(params map[string]any, options ...any) error {
	known := map[string]field{}
	for _, f := range fields(options...) {
		known[f.Tag.Get("param")] = f
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		f, ok := known[name]
		if !ok {
			return fmt.Errorf("unknown parameter %q; known are %s", name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		if !f.set(params[name]) {
			return fmt.Errorf("%s is %v, want %s", name, params[name], f.wanted())
		}
	}
	return nil
}

func (f field) values() []string { return strings.Split(f.Tag.Get("values"), ",") }

// wanted says what values a field takes.
func (f field) wanted() string {
	words := f.values()
	switch f.Type.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return fmt.Sprintf("a whole number from %s to %s", words[0], words[1])
	case reflect.Float64:
		return "a number above 0 and at most 1"
	case reflect.Slice:
		return "a list of different names"
	}
	if words[0] == "" {
		return "the path of a " + cmp.Or(f.Tag.Get("path"), "directory")
	}
	return "one of " + strings.Join(words, ", ")
}

// set sets the field, and reports whether it takes the value. A path need not exist.
func (f field) set(v any) bool {
	switch to := f.value.Addr().Interface().(type) {
	case *bool:
		b, ok := v.(bool)
		*to = b
		return ok
	case *int:
		n, ok := number(v)
		least, _ := strconv.Atoi(f.values()[0])
		most, _ := strconv.Atoi(f.values()[1])
		*to = int(n)
		return ok && n == float64(*to) && least <= *to && *to <= most
	case *float64:
		n, ok := number(v)
		*to = n
		return ok && n > 0 && n <= 1
	case *string:
		s, ok := v.(string)
		*to = s
		return ok && s != "" && (f.Tag.Get("values") == "" || slices.Contains(f.values(), s))
	case *[]string:
		list, ok := v.([]any)
		for _, one := range list {
			name, text := one.(string)
			ok = ok && text && name != "" && !slices.Contains(*to, name)
			*to = append(*to, name)
		}
		return ok && len(list) > 0
	}
	return false
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
