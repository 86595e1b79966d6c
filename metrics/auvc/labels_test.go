package auvc

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A label is a judgement of two assertions.
type label string

const (
	same      label = "same"      // equivalent in the same state: one verification
	different label = "different" // two verifications
	trivial   label = "trivial"   // at least one verifies nothing
)

var labels = []label{same, different, trivial}

// A pair is two assertions, and what a person says of them. They are given either in a small program that is made
// of parts, or by their lines in a program of a file.
type pair struct {
	ID      string         `yaml:"id"`
	Lang    trial.Language `yaml:"lang"`    // c unless stated
	Given   string         `yaml:"given"`   // statements before
	First   string         `yaml:"first"`   // an expression, or statements that end with ; or }; a line of Program
	Between string         `yaml:"between"` // statements
	Second  string         `yaml:"second"`  // as First
	Program string         `yaml:"program"` // a file beside that of the pairs; include/DIR is for those in DIR
	Stratum string         `yaml:"stratum"` // how it was drawn
	Label   label          `yaml:"label"`
	Why     string         `yaml:"why"`
}

// A labelled set is pairs over preludes, one for each language.
type labelled struct {
	Preludes map[trial.Language]string `yaml:"preludes"`
	Pairs    []pair                    `yaml:"pairs"`

	dir string
}

func loadLabelled(t *testing.T, file string) *labelled {
	t.Helper()
	data, err := os.ReadFile(file)
	assert.NilError(t, err)
	set := labelled{dir: filepath.Dir(file)}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	assert.NilError(t, d.Decode(&set))
	for i := range set.Pairs {
		p := &set.Pairs[i]
		if p.Lang == "" {
			p.Lang = trial.C
		}
		if p.ID == "" {
			p.ID = fmt.Sprintf("%s:%s:%s", strings.TrimSuffix(p.Program, path.Ext(p.Program)), p.First, p.Second)
		}
		assert.Assert(t, slices.Contains(labels, p.Label), "pair %s has the label %q", p.ID, p.Label)
	}
	return &set
}

// unit returns the pair's program, and what it is compiled with.
func (s *labelled) unit(t *testing.T, p pair) (toolchain.Unit, toolchain.Flags) {
	t.Helper()
	u := toolchain.Unit{ID: strings.NewReplacer("/", "-", ":", "-").Replace(p.ID), Lang: p.Lang}
	if p.Program == "" {
		u.Source = fmt.Sprintf("%s\nint test(void) {\n%s\n%s\n%s\n%s\nreturn 0;\n}\n", s.Preludes[p.Lang], p.Given, asserted(p.First), p.Between, asserted(p.Second))
		return u, toolchain.Flags{}
	}
	source, err := os.ReadFile(filepath.Join(s.dir, p.Program))
	assert.NilError(t, err)
	include, err := filepath.Abs(filepath.Join(s.dir, "include", filepath.Dir(p.Program)))
	assert.NilError(t, err)
	u.Source = string(source)
	return u, toolchain.Flags{IncludeDirs: []string{include}}
}

func asserted(text string) string {
	if strings.HasSuffix(text, ";") || strings.HasSuffix(text, "}") {
		return text
	}
	return "assert(" + text + ");"
}

// judged returns what the counter says of each pair, in order.
func (s *labelled) judged(t *testing.T, c *Counter) []label {
	t.Helper()
	said := make([]label, len(s.Pairs))
	byDir := map[string][]int{}
	for i, p := range s.Pairs {
		byDir[filepath.Dir(p.Program)] = append(byDir[filepath.Dir(p.Program)], i)
	}
	for _, pairs := range byDir {
		var units []toolchain.Unit
		var flags toolchain.Flags
		for _, i := range pairs {
			var u toolchain.Unit
			u, flags = s.unit(t, s.Pairs[i])
			units = append(units, u)
		}
		results, err := c.count(t.Context(), t.TempDir(), flags, units)
		assert.NilError(t, err)
		for k, i := range pairs {
			said[i] = judgement(t, s.Pairs[i], results[k].verdicts)
		}
	}
	return said
}

// judgement is what the statuses in a pair's program say of the pair.
func judgement(t *testing.T, p pair, all []assessment) label {
	t.Helper()
	if p.Program != "" {
		var two []assessment
		for _, line := range []string{p.First, p.Second} {
			i := slices.IndexFunc(all, func(v assessment) bool { return fmt.Sprint(v.line) == line })
			assert.Assert(t, i >= 0, "pair %s: there is no assertion in line %s of %s", p.ID, line, p.Program)
			two = append(two, all[i])
		}
		all = two
	}
	assert.Assert(t, len(all) == 2, "pair %s has %d assertions, not two", p.ID, len(all))
	first := func(v assessment) int { // line of the first assertion like it
		if v.status == repeated {
			return v.same
		}
		return v.line
	}
	for _, v := range all {
		if v.status == tautology || v.status == contradiction {
			return trivial
		}
	}
	if p.Program == "" && all[1].status == repeated || p.Program != "" && first(all[0]) == first(all[1]) {
		return same
	}
	return different
}
