package exttool

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// suiteSchemaText is one of the contract's two forms as JSON Schema (draft 2020-12): a line of what a
// command may leave. The other, what it is given, is manifest.schema.json.
//
//go:embed suite.schema.json
var suiteSchemaText []byte

var suiteSchema = sync.OnceValues(func() (*jsonschema.Schema, error) { return compileSchema(suiteSchemaText) })

func compileSchema(text []byte) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	const name = "schema.json"
	if err := c.AddResource(name, doc); err != nil {
		return nil, err
	}
	return c.Compile(name)
}

// conforms checks a JSON text against a schema. The error is one line.
func conforms(schema *jsonschema.Schema, text []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	err = schema.Validate(value)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	for len(invalid.Causes) > 0 {
		invalid = invalid.Causes[0]
	}
	words := invalid.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	if at := strings.Join(invalid.InstanceLocation, "."); at != "" {
		return fmt.Errorf("%s: %s", at, words)
	}
	return errors.New(words)
}
