package experiments

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

// Schema is the JSON Schema (draft 2020-12) of experiment files, with a description of each key, for
// editors that complete and check, and for Load. It holds names, types and limits of single values; what needs the
// corpus or two keys at once, Load checks. A test makes it from the types and their comments.
//
//go:embed schema.json
var Schema []byte

var compiled = sync.OnceValues(func() (*jsonschema.Schema, error) {
	text, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat() // of days
	if err := c.AddResource("experiment.json", text); err != nil {
		return nil, err
	}
	return c.Compile("experiment.json")
})

// conforms holds the values against the schema. It is false if they cannot be decoded; other problems, such as
// unknown keys, leave the rest to be checked.
func (d *document) conforms() (decodable bool, err error) {
	if d.broken {
		return false, nil
	}
	schema, err := compiled()
	if err != nil {
		return false, err
	}
	var invalid *jsonschema.ValidationError
	if errors.As(schema.Validate(d.root), &invalid) {
		return d.refuse(schema, invalid), nil
	}
	return true, nil
}

// refuse reports what does not conform.
func (d *document) refuse(schema *jsonschema.Schema, e *jsonschema.ValidationError) (decodable bool) {
	if len(e.Causes) > 0 {
		decodable = true
		// The validator walks maps: without an order, problems of one line come in any.
		slices.SortStableFunc(e.Causes, func(a, b *jsonschema.ValidationError) int {
			return slices.Compare(a.InstanceLocation, b.InstanceLocation)
		})
		for _, cause := range e.Causes {
			decodable = d.refuse(schema, cause) && decodable
		}
		return decodable
	}
	path := strings.Join(e.InstanceLocation, ".")
	n, what, at := d.nearest(path).node, index.ReplaceAllString(path, "[$1]"), below(schema, e.InstanceLocation)
	refuse := func(format string, args ...any) { d.wrong(path, "%s: "+format, append([]any{what}, args...)...) }
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		in := ""
		if what != "" {
			in = " in " + what
		}
		for _, key := range k.Properties {
			known := slices.Sorted(maps.Keys(at.Properties))
			d.wrong(join(path, key)+"=", "unknown key %q%s%s", key, in, lisabench.Suggest(key, known))
		}
	case *kind.Required:
		for _, key := range k.Missing {
			refuse("needs %s (%s)", key, at.Properties[key].Description)
		}
	case *kind.Enum:
		words := namesOf(at.Enum.Values, func(v any) string { return fmt.Sprint(v) })
		refuse("unknown %q%s", n.Value, lisabench.Suggest(n.Value, words))
	case *kind.Format:
		refuse("%q is not a day such as 2024-10-01", n.Value)
	case *kind.ExclusiveMinimum:
		refuse("%s: must be greater than 0; omit the key for no limit", n.Value)
	case *kind.Minimum, *kind.Maximum:
		limits := at.Minimum.RatString() + " or more"
		if at.Maximum != nil {
			limits = fmt.Sprintf("between %s and %s", at.Minimum.RatString(), at.Maximum.RatString())
		}
		refuse("%s is not %s", n.Value, limits)
	case *kind.Pattern:
		if t, err := time.ParseDuration(n.Value); err == nil && t <= 0 {
			refuse("%s: must be greater than 0", n.Value)
			return true
		}
		refuse("not "+aDuration+"%s", got(n))
		return false
	case *kind.Type:
		wanted := wanted[k.Want[0]]
		if at.Pattern != nil {
			wanted = aDuration
		}
		refuse("not %s%s", wanted, got(n))
		return false
	default:
		refuse("%v", e)
		return false
	}
	return true
}

const aDuration = "a duration such as 20s, 5m or 1h30m"

// wanted has what a value should be, by the name of its type in the schema.
var wanted = map[string]string{
	"string": "a text", "number": "a number", "boolean": "true or false", "integer": "a whole number",
	"array": "a list", "object": "a map of keys",
}

// got quotes a wrong value.
func got(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return ": it is a map"
	case n.Kind == yaml.SequenceNode:
		return ": it is a list"
	case n.ShortTag() == "!!null":
		return ": it is empty"
	}
	return fmt.Sprintf(": %q", n.Value)
}

// index is a step into a list.
var index = regexp.MustCompile(`\.(\d+)`)

// below returns the schema of a place.
func below(s *jsonschema.Schema, steps []string) *jsonschema.Schema {
	for _, step := range steps {
		next := s.Properties[step]
		if next == nil {
			next = s.Items2020
		}
		if next == nil {
			next, _ = s.AdditionalProperties.(*jsonschema.Schema)
		}
		if next == nil {
			return s
		}
		s = next
	}
	return s
}
