package citywalk

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A configuration is what the library's build files say of how it is compiled: the paper's
// configuration dependencies.
type configuration struct {
	Standard   string    // of the language, e.g. C++17; "" if no file says
	Libraries  []library // third-party ones, by name
	GoogleTest bool      // the build links its tests with GoogleTest
}

// A library is one that the build asks for.
type library struct {
	Name    string
	Version string // at least; "" if none is asked for
}

// libraries.yaml has the third-party libraries of the benchmark's libraries.
//
//go:embed libraries.yaml
var librariesText []byte

var (
	buildComment = regexp.MustCompile(`(?m)(^|\s)(dnl\b|#).*$`)
	standardWord = regexp.MustCompile(`(?:-std=(?:gnu|c)|(?:C|c|CXX|cxx)_(?:STANDARD|std_)\s*)(\+\+)?([0-9][0-9a-z])\b`)
	googleTest   = regexp.MustCompile(`(?i:gtest::)|(?i:find_package\(\s*gtest\b)|-lgtest\b|\bgtest(_main)?\b`)
	libraryWord  = regexp.MustCompile(`(?i:find_package)\(\s*(\w+)(?:\s+([\d.]+))?|AC_CHECK_LIB\(\s*\[?([\w.+-]+)|[\s"'=]-l([\w.+-]+)`)
)

// systemLibraries come with the compiler: no third party's.
var systemLibraries = clex.Set("m c dl pthread rt Threads stdc++ gcc")

// readConfiguration looks for words in the CMakeLists.txt of the root and of its test directories. Without
// one it reads configure.ac and Makefiles, which the paper does not do: three of the benchmark's libraries have
// no CMake. What third-party libraries the words name is known for these, because it is in recorded prompts.
func (p *project) readConfiguration(t trial.Target) (c configuration, err error) {
	files := []string{"CMakeLists.txt", "test/CMakeLists.txt", "tests/CMakeLists.txt"}
	if _, ok := p.text[files[0]]; !ok {
		files = []string{"configure.ac", "configure.in", "Makefile", "Makefile.am", "Makefile.in"}
	}
	text := ""
	for _, f := range files {
		text += buildComment.ReplaceAllString(p.text[f], "") + "\n"
	}
	c.GoogleTest = googleTest.MatchString(text)
	for _, m := range standardWord.FindAllStringSubmatch(text, -1) {
		isCXX := m[1] != "" || strings.HasPrefix(strings.ToLower(m[0]), "cxx")
		name := map[bool]string{false: "C", true: "C++"}[isCXX] + m[2]
		if isCXX == (t.Language == trial.CXX) && (c.Standard == "" || year(name) > year(c.Standard)) {
			c.Standard = name
		}
	}
	var known map[string][]string
	if err := yaml.Unmarshal(librariesText, &known); err != nil {
		return c, fmt.Errorf("citywalk: libraries.yaml: %w", err)
	}
	if names, ok := known[t.Library]; ok {
		for _, name := range names {
			c.Libraries = append(c.Libraries, library{Name: name})
		}
		return c, nil
	}
	for _, m := range libraryWord.FindAllStringSubmatch(text, -1) {
		l := library{Name: m[1] + m[3] + m[4], Version: m[2]}
		isOwn := systemLibraries[l.Name] || googleTest.MatchString(strings.ToLower(l.Name)) || strings.EqualFold(l.Name, t.Library)
		if !isOwn && !slices.ContainsFunc(c.Libraries, func(o library) bool { return o.Name == l.Name }) {
			c.Libraries = append(c.Libraries, l)
		}
	}
	slices.SortFunc(c.Libraries, func(a, b library) int { return strings.Compare(a.Name, b.Name) })
	return c, nil
}

// year orders standards, which have two digits: C89 and C++98 are older than C11.
func year(standard string) string {
	if digits := strings.TrimLeft(standard, "C+"); digits < "8" {
		return "20" + digits
	}
	return "19" + strings.TrimLeft(standard, "C+")
}
