package experiments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const reference = "../docs/reference/experiments.md"

// words are the texts that a key may have, by its path without indexes.
var words = map[string][]string{
	"sandbox":              Sandboxes,
	"libraries.edition":    {string(lisabench.Debian), string(lisabench.Upstream)},
	"llm.provider":         llm.Providers,
	"llm.reasoning_effort": llm.ReasoningEfforts,
	"tools.oracle":         {string(trial.OracleSpecification), string(trial.OracleReference)},
}

// required are the keys without which nothing can be made of a map.
var required = map[string][]string{
	"libraries": {"name"}, "tools": {"name"}, "tools.variants": {"name"},
	"llm.stages": {"name"}, "llm.prices": {"model", "input", "output"},
}

// The schema and the reference of the keys are made from the types and their comments.
func TestSchemaIsOfTheTypes(t *testing.T) {
	m := &schemaMaker{comments: comments(t, ".", "../internal/llm", "../internal/trial")}
	root := m.object(reflect.TypeFor[file](), "")
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "Lisa-Bench experiment"
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(root); err != nil {
		t.Fatal(err)
	}
	golden(t, "schema.json", b.Bytes())

	doc, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, reference, []byte(between(t, string(doc), "<!-- keys -->\n", "<!-- end of keys -->", m.table.String())))

	for _, key := range m.undescribed {
		t.Errorf("key %s has no comment in its type", key)
	}
	for key := range words {
		if !slices.Contains(m.seen, key) {
			t.Errorf("no key %s", key)
		}
	}
}

// Every experiment that comes with bench satisfies the schema.
func TestSchemaAcceptsOurExperiments(t *testing.T) {
	schema := compileSchema(t)
	names, err := filepath.Glob("*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := validateYAML(t, schema, string(data)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An editor shows what a validator says of a wrong file.
func TestSchemaRefuses(t *testing.T) {
	schema := compileSchema(t)
	for _, c := range []struct{ text, want string }{
		{"trails: 3", "additional properties 'trails' not allowed"},
		{"trials: three", "at '/trials': got string, want integer"},
		{"budget: 20s", "at '/budget': got string, want object"},
		{"budget: {wall: 20}", "at '/budget/wall': got number, want string"},
		{"budget: {wall: 20 seconds}", "does not match pattern"},
		{"libraries: [{edition: debian}]", "missing property 'name'"},
		{"libraries: [{name: zlib, edition: fedora}]", "value must be one of 'debian', 'upstream'"},
		{"sandbox: chroot", "value must be one of 'bwrap', 'docker', 'none'"},
		{"tools: [{name: lisa, params: [1]}]", "at '/tools/0/params': got array, want object"},
		{"llm: {provider: magic}", "value must be one of 'openai', 'batch', 'replay'"},
		{"test: {repeats: 2.5}", "at '/test/repeats': got number, want integer"},
		{"profiles: {quick: {trails: 1}}", "at '/profiles/quick': additional properties 'trails' not allowed"},
	} {
		if err := validateYAML(t, schema, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("experiment.json", v); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("experiment.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validateYAML(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	v, err = jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

// A schemaMaker turns types into JSON Schema and a table in Markdown.
type schemaMaker struct {
	comments    map[string]string // of fields, by type and field as in "llm.Config.Dir"
	table       strings.Builder
	seen        []string
	undescribed []string
}

// object returns the schema of a struct, and writes a row for each key that it has not met yet.
func (m *schemaMaker) object(t reflect.Type, at string) map[string]any {
	properties := map[string]any{}
	var under []func()
	if at == "" {
		m.table.WriteString(header)
	}
	m.fields(t, func(owner reflect.Type, f reflect.StructField, key string) {
		where := strings.TrimPrefix(at+"."+key, ".")
		text := m.comments[owner.String()+"."+f.Name]
		if text == "" {
			m.undescribed = append(m.undescribed, where)
		}
		s := m.value(f.Type, where)
		s["description"] = text
		if !strings.HasPrefix(where, "parts.") && !strings.HasPrefix(where, "profiles.") {
			m.seen = append(m.seen, where)
			fmt.Fprintf(&m.table, "| `%s` | %s | %s |\n", where, kind(f.Type, s), strings.ReplaceAll(text, "|", `\|`))
		}
		properties[key] = s
		under = append(under, func() { m.below(f.Type, where, s) })
	})
	for _, f := range under {
		f()
	}
	s := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if r := required[at]; r != nil {
		s["required"] = r
	}
	return s
}

const header = "| key | value | meaning |\n|---|---|---|\n"

// fields calls f for each key of a struct, those of inlined structs among them.
func (m *schemaMaker) fields(t reflect.Type, f func(owner reflect.Type, field reflect.StructField, key string)) {
	for field := range t.Fields() {
		key, options, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if strings.Contains(options, "inline") {
			m.fields(field.Type, f)
			continue
		}
		f(t, field, key)
	}
}

// below fills in what a value of maps or lists of maps holds.
func (m *schemaMaker) below(t reflect.Type, at string, s map[string]any) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.Struct:
		maps.Copy(s, m.keeping(s, m.object(t, at)))
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		s["items"] = m.object(t.Elem(), at)
	case t.Kind() == reflect.Map && t.Elem().Kind() == reflect.Struct:
		s["additionalProperties"] = m.object(t.Elem(), at)
	}
}

func (m *schemaMaker) keeping(s, of map[string]any) map[string]any {
	of["description"] = s["description"]
	return of
}

// value returns the schema of a key's value, without what is below it.
func (m *schemaMaker) value(t reflect.Type, at string) map[string]any {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	plain := regexp.MustCompile(`^(parts|profiles)\.`).ReplaceAllString(at, "")
	switch {
	case t == durationType:
		return map[string]any{"type": "string", "pattern": `^([0-9.]+(h|m|s|ms|us|ns))+$|^0$`}
	case t == bugsType:
		list := map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
		return map[string]any{"anyOf": []any{map[string]any{"type": "string"}, list}}
	case words[plain] != nil:
		return map[string]any{"type": "string", "enum": words[plain]}
	}
	switch t.Kind() {
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Uint64:
		return map[string]any{"type": "integer", "minimum": 0}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Interface:
		return map[string]any{}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": m.value(t.Elem(), at)}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": m.value(t.Elem(), at)}
	}
	return map[string]any{"type": "object"}
}

// kind says in the table what a key's value is.
func kind(t reflect.Type, s map[string]any) string {
	if e, ok := s["enum"].([]string); ok {
		return "`" + strings.Join(e, "`, `") + "`"
	}
	switch {
	case t == durationType:
		return "duration"
	case t == bugsType:
		return "a word or a list of ids"
	case s["type"] == "array" && s["items"].(map[string]any)["type"] == "string":
		return "list of texts"
	case s["type"] == nil:
		return "any"
	}
	return map[any]string{
		"string": "text", "boolean": "true or false", "number": "number", "integer": "whole number", "object": "map", "array": "list",
	}[s["type"]]
}

// comments returns what is written above and beside the fields of structs, by package, type and field.
func comments(t *testing.T, dirs ...string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				spec, ok := n.(*ast.TypeSpec)
				if !ok {
					return true
				}
				if s, ok := spec.Type.(*ast.StructType); ok {
					for _, field := range s.Fields.List {
						for _, name := range field.Names {
							out[path.Join(f.Name.Name+"."+spec.Name.Name+"."+name.Name)] = sentence(field.Doc.Text() + " " + field.Comment.Text())
						}
					}
				}
				return true
			})
		}
	}
	return out
}

func sentence(comment string) string { return strings.Join(strings.Fields(comment), " ") }

// between returns doc with the text between two marks replaced.
func between(t *testing.T, doc, begin, end, with string) string {
	t.Helper()
	before, rest, ok1 := strings.Cut(doc, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("no %q and %q in %s", begin, end, reference)
	}
	return before + begin + with + end + after
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not of the types: go test ./experiments -run Schema -update", name)
	}
}
