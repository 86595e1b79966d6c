package auvc

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Label is a judgement of two assertions.
type Label string

// The labels.
const (
	Same      Label = "same"      // equivalent in the same state: one verification
	Different Label = "different" // two verifications
	Trivial   Label = "trivial"   // at least one verifies nothing
)

var labels = []Label{Same, Different, Trivial}

// A Pair is two assertions, and what a person says of them. They are given either in a small program that is made
// of parts, or by their lines in a program of a file.
type Pair struct {
	ID      string         `yaml:"id"`      // of a pair with a Program, that and the lines unless stated
	Lang    trial.Language `yaml:"lang"`    // c unless stated
	Given   string         `yaml:"given"`   // statements before
	First   string         `yaml:"first"`   // an expression, or statements that end with ; or }; a line of Program
	Between string         `yaml:"between"` // statements
	Second  string         `yaml:"second"`  // as First
	Program string         `yaml:"program"` // a file beside that of the pairs
	Stratum string         `yaml:"stratum"` // how it was drawn
	Label   Label          `yaml:"label"`
	Why     string         `yaml:"why"`

	lines [2]int // of First and Second
}

// A Labelled set is pairs over preludes, one for each language.
type Labelled struct {
	Preludes map[trial.Language]string `yaml:"preludes"`
	Pairs    []Pair                    `yaml:"pairs"`

	dir string // of the programs; include/NAME is for those in NAME
}

// An Annotation is one annotator's labels by pair.
type Annotation struct {
	Annotator string           `yaml:"annotator"`
	Labels    map[string]Label `yaml:"labels"`
}

//go:embed agreement.yaml
var agreement []byte

// LoadLabelled reads a labelled set; "" is the one that is built in. Errors name the file and
// the line.
func LoadLabelled(file string) (*Labelled, error) {
	if file == "" {
		return parseLabelled("agreement.yaml", agreement)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parseLabelled(file, data)
}

// parseLabelled reads a labelled set from data, and checks it. file is for the errors, and its
// directory has the programs.
func parseLabelled(file string, data []byte) (*Labelled, error) {
	set := Labelled{dir: filepath.Dir(file)}
	if err := parse(file, data, &set); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i := range set.Pairs {
		p := &set.Pairs[i]
		if err := p.complete(); err != nil {
			return nil, fmt.Errorf("%s: pair %d %w", file, i+1, err)
		}
		switch {
		case strings.Trim(p.ID, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" || p.ID == "":
			return nil, fmt.Errorf("%s: pair %d has the id %q: only small letters, digits, dots, - and _ may be used", file, i+1, p.ID)
		case seen[p.ID]:
			return nil, fmt.Errorf("%s: two pairs have the id %s", file, p.ID)
		case p.First == "" || p.Second == "":
			return nil, fmt.Errorf("%s: pair %s lacks an assertion: give both first and second", file, p.ID)
		case p.Lang != trial.C && p.Lang != trial.CXX:
			return nil, fmt.Errorf("%s: pair %s is in the language %q: use %s or %s", file, p.ID, p.Lang, trial.C, trial.CXX)
		case !slices.Contains(labels, p.Label):
			return nil, fmt.Errorf("%s: pair %s has the label %q: use same, different or trivial", file, p.ID, p.Label)
		}
		seen[p.ID] = true
	}
	if len(set.Pairs) == 0 {
		return nil, fmt.Errorf("%s: there are no pairs", file)
	}
	return &set, nil
}

// complete fills in what a pair does not state.
func (p *Pair) complete() error {
	if p.Lang == "" {
		p.Lang = trial.C
	}
	if p.Program == "" {
		return nil
	}
	if !filepath.IsLocal(p.Program) || p.Given+p.Between != "" {
		return fmt.Errorf("names the program %q: use a path below the file of the pairs, and no given or between", p.Program)
	}
	for i, text := range []string{p.First, p.Second} {
		if _, err := fmt.Sscanf(text, "%d", &p.lines[i]); err != nil {
			return fmt.Errorf("has %q for a line of %s", text, p.Program)
		}
	}
	if p.ID == "" {
		name := strings.TrimSuffix(p.Program, path.Ext(p.Program))
		p.ID = fmt.Sprintf("%s-%d-%d", strings.ReplaceAll(name, "/", "-"), p.lines[0], p.lines[1])
	}
	return nil
}

// LoadAnnotation reads one annotator's labels of the pairs of a set; a pair may lack one.
func LoadAnnotation(file string, set *Labelled) (*Annotation, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var a Annotation
	if err := parse(file, data, &a); err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, p := range set.Pairs {
		known[p.ID] = true
	}
	if a.Annotator == "" || len(a.Labels) == 0 {
		return nil, fmt.Errorf("%s: an annotator's file has annotator (a name) and labels (one by pair)", file)
	}
	for _, id := range slices.Sorted(maps.Keys(a.Labels)) {
		l := a.Labels[id]
		if !known[id] {
			return nil, fmt.Errorf("%s: there is no pair %s", file, id)
		}
		if !slices.Contains(labels, l) {
			return nil, fmt.Errorf("%s: pair %s has the label %q: use same, different or trivial", file, id, l)
		}
	}
	return &a, nil
}

func parse(file string, data []byte, into any) error {
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(into); err != nil {
		if errors.Is(err, io.EOF) {
			return fmt.Errorf("%s: it is empty", file)
		}
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// program is a pair as a test program.
func (s *Labelled) program(p Pair) (toolchain.Unit, error) {
	u := toolchain.Unit{ID: p.ID, Lang: p.Lang}
	if p.Program != "" {
		text, err := os.ReadFile(filepath.Join(s.dir, p.Program))
		u.Source = string(text)
		return u, err
	}
	var b strings.Builder
	b.WriteString(s.Preludes[p.Lang])
	b.WriteString("\nint test(void) {\n")
	for _, part := range []string{p.Given, asserted(p.First), p.Between, asserted(p.Second)} {
		b.WriteString(part)
		b.WriteByte('\n')
	}
	b.WriteString("return 0;\n}\n")
	u.Source = b.String()
	return u, nil
}

// flags are those of the programs in a directory; "." is for pairs without a file.
func (s *Labelled) flags(dir string) (f toolchain.Flags, err error) {
	if dir == "." {
		return f, nil
	}
	include, err := filepath.Abs(filepath.Join(s.dir, "include", dir))
	f.IncludeDirs = []string{include}
	return f, err
}

func asserted(text string) string {
	if strings.HasSuffix(text, ";") || strings.HasSuffix(text, "}") {
		return text
	}
	return "assert(" + text + ");"
}

// Judge asks the counter about every pair. What is kept has no verdicts, so the counter must keep nothing.
func (c *Counter) Judge(ctx context.Context, dir string, set *Labelled) (map[string]Label, error) {
	said := map[string]Label{}
	byDir := map[string][]Pair{} // pairs by the directory of their program
	for _, p := range set.Pairs {
		d := filepath.Dir(p.Program)
		byDir[d] = append(byDir[d], p)
	}
	for _, d := range slices.Sorted(maps.Keys(byDir)) {
		flags, err := set.flags(d)
		if err != nil {
			return nil, err
		}
		var units []toolchain.Unit
		for _, p := range byDir[d] {
			u, err := set.program(p)
			if err != nil {
				return nil, err
			}
			units = append(units, u)
		}
		results, err := c.Count(ctx, dir, flags, units)
		if err != nil {
			return nil, err
		}
		for i, p := range byDir[d] {
			if !results[i].Compiles {
				return nil, fmt.Errorf("pair %s does not compile:\n%s", p.ID, units[i].Source)
			}
			if said[p.ID], err = judgement(p, results[i].Verdicts); err != nil {
				return nil, err
			}
		}
	}
	return said, nil
}

// judgement is what the verdicts on a pair's program say of the pair.
func judgement(p Pair, all []Assessment) (Label, error) {
	pair := all
	if p.Program != "" {
		pair = nil
		for _, line := range p.lines {
			i := slices.IndexFunc(all, func(v Assessment) bool { return v.Line == line })
			if i < 0 {
				return "", fmt.Errorf("pair %s: there is no assertion in line %d of %s", p.ID, line, p.Program)
			}
			pair = append(pair, all[i])
		}
	}
	if len(pair) != 2 {
		return "", fmt.Errorf("pair %s has %d assertions, not two", p.ID, len(pair))
	}
	first := func(v Assessment) int { // line of the first assertion like it
		if v.Status == Repeated {
			return v.Same
		}
		return v.Line
	}
	switch a, b := pair[0], pair[1]; {
	case a.trivial() || b.trivial():
		return Trivial, nil
	case p.Program == "" && b.Status == Repeated || p.Program != "" && first(a) == first(b):
		return Same, nil
	}
	return Different, nil
}

func (v Assessment) trivial() bool { return v.Status == Tautology || v.Status == Contradiction }
