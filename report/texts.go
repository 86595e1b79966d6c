package report

import (
	_ "embed"

	"go.yaml.in/yaml/v3"
)

//go:embed definitions.yaml
var definitionsFile []byte

// definitions has, by the ID of a section, what its figures are.
var definitions = func() (all map[string][]Definition) {
	if err := yaml.Unmarshal(definitionsFile, &all); err != nil {
		panic(err) // the file is part of the program
	}
	return all
}()
