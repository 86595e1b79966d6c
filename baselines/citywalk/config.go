package citywalk

import (
	_ "embed"
	"fmt"
	"regexp"

	"go.yaml.in/yaml/v3"
)

// A configuration is what is known of how a library is compiled: the paper's configuration dependencies.
type configuration struct {
	Standard   string   // of the language, e.g. C++17; "" if it is not known
	Libraries  []string // third-party ones
	GoogleTest bool     // the build links its tests with GoogleTest
}

//go:embed configuration.yaml
var configurations []byte

// mentionsGoogleTest finds a mention that is no comment of CMake's.
var mentionsGoogleTest = regexp.MustCompile(`(?im)^[^#\n]*\bgtest(_main)?\b`)

// readConfiguration takes the configuration of one of the benchmark's libraries from a list, and looks
// whether the CMakeLists.txt of the root or of its test directories mentions GoogleTest.
func (p *project) readConfiguration(library string) (configuration, error) {
	var known map[string]configuration
	if err := yaml.Unmarshal(configurations, &known); err != nil {
		return configuration{}, fmt.Errorf("citywalk: configuration.yaml: %w", err)
	}
	c := known[library]
	for _, f := range []string{"CMakeLists.txt", "test/CMakeLists.txt", "tests/CMakeLists.txt"} {
		c.GoogleTest = c.GoogleTest || mentionsGoogleTest.MatchString(p.text[f])
	}
	return c, nil
}
