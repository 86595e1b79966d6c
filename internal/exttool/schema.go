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

// ManifestSchema and SuiteSchema are the contract's two forms as JSON Schema (draft 2020-12): what a
// command is given, and a line of what it may leave.
var (
	//go:embed manifest.schema.json
	ManifestSchema []byte
	//go:embed suite.schema.json
	SuiteSchema []byte
)

var suiteSchema = sync.OnceValues(func() (*jsonschema.Schema, error) { return compileSchema(SuiteSchema) })

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
