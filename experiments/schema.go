package experiments

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
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

// conforms holds the tree against the schema. It is false if the tree cannot be decoded; other problems, such as
// unknown keys, leave the rest to be checked.
func (d *document) conforms() (decodable bool, err error) {
	schema, err := compiled()
	if err != nil {
		return false, err
	}
	if !d.simple(d.root) {
		return false, nil
	}
	var v any
	if err := d.root.Decode(&v); err != nil {
		d.problem(d.root, "%s", strings.TrimPrefix(err.Error(), "yaml: "))
		return false, nil
	}
	var invalid *jsonschema.ValidationError
	if errors.As(schema.Validate(v), &invalid) {
		return d.refuse(schema, invalid), nil
	}
	return true, nil
}

// simple refuses what YAML has and JSON has not, and cuts keys that are given twice. YAML takes a day for a time: it
// becomes a text. The result is false if the tree cannot be decoded.
func (d *document) simple(n *yaml.Node) bool {
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		d.problem(n, "anchors and aliases are not used in experiments: write it out")
		return false
	case n.ShortTag() == "!!timestamp":
		n.Tag, n.Style = "!!str", yaml.DoubleQuotedStyle
	case n.ShortTag() == "!!float":
		if f, err := strconv.ParseFloat(n.Value, 64); err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			d.problem(n, "%s is not a number", n.Value)
			return false
		}
	}
	ok := true
	if n.Kind == yaml.MappingNode {
		first := map[string]*yaml.Node{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			k := n.Content[i]
			if was := first[k.Value]; was != nil {
				d.problem(k, "key %q is given twice, first at %s", k.Value, d.at(was))
				n.Content = slices.Delete(n.Content, i, i+2)
				i -= 2
			} else if first[k.Value] = k; k.Kind != yaml.ScalarNode {
				d.problem(k, "a key is a word")
				ok = false
			}
		}
	}
	for _, c := range n.Content {
		ok = d.simple(c) && ok
	}
	return ok
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
	n, _ := d.descend(e.InstanceLocation)
	what, at := shown(e.InstanceLocation), below(schema, e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		in := ""
		if what != "" {
			in = " in " + what
		}
		for _, key := range k.Properties {
			known := slices.Sorted(maps.Keys(at.Properties))
			d.problem(n.Content[indexOf(n, key)], "unknown key %q%s%s", key, in, lisabench.Suggest(key, known))
		}
	case *kind.Required:
		for _, key := range k.Missing {
			d.problem(n, "%s: needs %s (%s)", what, key, at.Properties[key].Description)
		}
	case *kind.Enum:
		words := namesOf(at.Enum.Values, func(v any) string { return fmt.Sprint(v) })
		d.problem(n, "%s: unknown %q%s", what, n.Value, lisabench.Suggest(n.Value, words))
	case *kind.Format:
		d.problem(n, "%s: %q is not a day such as 2024-10-01", what, n.Value)
	case *kind.ExclusiveMinimum:
		d.problem(n, "%s: %s: must be greater than 0; omit the key for no limit", what, n.Value)
	case *kind.Minimum, *kind.Maximum:
		d.problem(n, "%s: %s is not %s", what, n.Value, limits(at))
	case *kind.Pattern:
		if t, err := time.ParseDuration(n.Value); err == nil && t <= 0 {
			d.problem(n, "%s: %s: must be greater than 0", what, n.Value)
			return true
		}
		d.problem(n, "%s: not a duration such as 20s, 5m or 1h30m%s", what, got(n))
		return false
	case *kind.Type:
		wanted := wanted[k.Want[0]]
		if at.Pattern != nil {
			wanted = "a duration such as 20s, 5m or 1h30m"
		}
		d.problem(n, "%s: not %s%s", what, wanted, got(n))
		return false
	default:
		d.problem(n, "%s: %v", what, e)
		return false
	}
	return true
}

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

// limits says between what a number must be.
func limits(s *jsonschema.Schema) string {
	if s.Maximum == nil {
		return s.Minimum.RatString() + " or more"
	}
	return fmt.Sprintf("between %s and %s", s.Minimum.RatString(), s.Maximum.RatString())
}

// index is a step into a list.
var index = regexp.MustCompile(`\.(\d+)`)

// shown prints a place as in "tools[0].params".
func shown(steps []string) string {
	return index.ReplaceAllString(strings.Join(steps, "."), "[$1]")
}

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
