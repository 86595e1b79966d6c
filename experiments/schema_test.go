package experiments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/invopop/jsonschema"
	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const (
	reference = "../docs/reference/experiments.md"
	number    = `[0-9]+(\.[0-9]+)?(h|m|s|ms|us|ns)`
)

// duration is a time above 0: one of its parts has a digit that is none.
const duration = `^(` + number + `)*[0-9.]*[1-9][0-9.]*(h|m|s|ms|us|ns)(` + number + `)*$`

// TestSchema makes the schema and the reference of the keys from the types, their tags and their comments.
func TestSchema(t *testing.T) {
	r := &jsonschema.Reflector{Anonymous: true, DoNotReference: true, RequiredFromJSONSchemaTags: true, FieldNameTag: "yaml", Mapper: ofType}
	for _, dir := range []string{".", "../internal/llm", "../internal/trial"} {
		assert.NilError(t, r.AddGoComments("github.com/lisa-bench/lisa-bench/experiments", dir))
	}
	schema := r.ReflectFromType(reflect.TypeFor[file]())
	schema.Title = "Lisa-Bench experiment"
	table := "| key | value | meaning |\n|---|---|---|\n" + rows(t, schema, "")
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	assert.NilError(t, enc.Encode(schema))
	golden.Assert(t, b.String(), "../schema.json")

	doc, err := os.ReadFile(reference)
	assert.NilError(t, err)
	before, rest, _ := strings.Cut(string(doc), "<!-- keys -->\n")
	_, after, found := strings.Cut(rest, "<!-- end of keys -->")
	assert.Assert(t, found, "no marks of the keys in %s", reference)
	golden.Assert(t, before+"<!-- keys -->\n"+table+"<!-- end of keys -->"+after, "../"+reference)

	sandbox, _ := schema.Properties.Get("sandbox")
	if !slices.Equal(words(sandbox.Enum), Sandboxes) ||
		!slices.Equal(words(property(schema, "llm", "provider").Enum), []string{llm.ProviderOpenAI, llm.ProviderBatch, llm.ProviderReplay}) {
		t.Error("the words of a tag are not those of the constants")
	}
}

func words(values []any) []string {
	return namesOf(values, func(v any) string { return fmt.Sprint(v) })
}

func property(s *jsonschema.Schema, path ...string) *jsonschema.Schema {
	for _, key := range path {
		s, _ = s.Properties.Get(key)
	}
	return s
}

// ofType is the schema of types that YAML writes in another form than Go.
func ofType(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[time.Duration]():
		return &jsonschema.Schema{Type: "string", Pattern: duration}
	case reflect.TypeFor[lisabench.Edition]():
		return &jsonschema.Schema{Type: "string", Examples: []any{lisabench.Debian, lisabench.Fresh, lisabench.Upstream}}
	case reflect.TypeFor[Bugs]():
		since := jsonschema.NewProperties()
		since.Set("since", &jsonschema.Schema{Type: "string", Format: "date", Description: "the first day of their fixes"})
		return &jsonschema.Schema{Extras: map[string]any{"type": []string{"string", "array", "object"}}, Items: &jsonschema.Schema{Type: "string"},
			Properties: since, Required: []string{"since"}, AdditionalProperties: jsonschema.FalseSchema}
	case reflect.TypeFor[trial.Seed]():
		return &jsonschema.Schema{Type: "integer"}
	}
	return nil
}

// rows are the table's of the keys below at: those of a map before those below them.
func rows(t *testing.T, s *jsonschema.Schema, at string) string {
	var own, below strings.Builder
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		where := strings.TrimPrefix(at+"."+p.Key, ".")
		s := p.Value
		s.Description = strings.Join(strings.Fields(s.Description), " ")
		assert.Check(t, s.Description != "", "key %s has no comment in its type", where)
		fmt.Fprintf(&own, "| `%s` | %s | %s |\n", where, valueOf(s), strings.ReplaceAll(s.Description, "|", `\|`))
		if s.Items != nil {
			s = s.Items
		}
		if where != "parts" && where != "tools.budget" && s.Properties != nil { // their keys are those of the whole
			below.WriteString(rows(t, s, where))
		}
	}
	return own.String() + below.String()
}

// valueOf says in the table what a key's value is.
func valueOf(s *jsonschema.Schema) string {
	switch {
	case s.Pattern != "":
		return "duration"
	case s.Format == "date":
		return "day"
	case s.Enum != nil:
		return "`" + strings.Join(words(s.Enum), "`, `") + "`"
	case s.Examples != nil:
		return "`" + strings.Join(words(s.Examples), "`, `") + "`"
	case s.Type == "":
		return "a word or a list of ids"
	case s.Items != nil && s.Items.Type == "string":
		return "list of texts"
	}
	return map[string]string{
		"string": "text", "boolean": "true or false", "number": "number", "integer": "whole number", "object": "map", "array": "list",
	}[s.Type]
}
