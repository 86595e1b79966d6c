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
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
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

// A Pair is two assertions in a small program, and what a person says of them.
type Pair struct {
	ID      string         `yaml:"id"`
	Lang    trial.Language `yaml:"lang"`    // c unless stated
	Given   string         `yaml:"given"`   // statements before
	First   string         `yaml:"first"`   // an expression, or statements that end with ; or }
	Between string         `yaml:"between"` // statements
	Second  string         `yaml:"second"`
	Label   Label          `yaml:"label"`
	Why     string         `yaml:"why"`
}

// A Labelled set is pairs over preludes, one for each language.
type Labelled struct {
	Preludes map[trial.Language]string `yaml:"preludes"`
	Pairs    []Pair                    `yaml:"pairs"`
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
		return ParseLabelled("agreement.yaml", agreement)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return ParseLabelled(file, data)
}

// ParseLabelled reads a labelled set from data, and checks it. file is for the errors.
func ParseLabelled(file string, data []byte) (*Labelled, error) {
	var set Labelled
	if err := parse(file, data, &set); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i := range set.Pairs {
		p := &set.Pairs[i]
		if p.Lang == "" {
			p.Lang = trial.C
		}
		switch {
		case p.ID == "" || strings.Trim(p.ID, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "":
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
func (s *Labelled) program(p Pair) toolchain.Unit {
	var b strings.Builder
	b.WriteString(s.Preludes[p.Lang])
	b.WriteString("\nint test(void) {\n")
	for _, part := range []string{p.Given, asserted(p.First), p.Between, asserted(p.Second)} {
		b.WriteString(part)
		b.WriteByte('\n')
	}
	b.WriteString("return 0;\n}\n")
	return toolchain.Unit{ID: p.ID, Lang: p.Lang, Source: b.String()}
}

func asserted(text string) string {
	if strings.HasSuffix(text, ";") || strings.HasSuffix(text, "}") {
		return text
	}
	return "assert(" + text + ");"
}

// A Judgement is what the program says of a pair.
type Judgement struct {
	Label      Label
	Structural bool
	Timeouts   int
	Verdicts   []Verdict
}

// Judge asks the counter about every pair.
func (c *Counter) Judge(ctx context.Context, dir string, set *Labelled) (map[string]Judgement, error) {
	var units []toolchain.Unit
	for _, p := range set.Pairs {
		units = append(units, set.program(p))
	}
	results, err := c.Count(ctx, dir, toolchain.Flags{}, units)
	if err != nil {
		return nil, err
	}
	said := map[string]Judgement{}
	for i, p := range set.Pairs {
		r := results[i]
		if !r.Compiles {
			return nil, fmt.Errorf("pair %s does not compile:\n%s", p.ID, units[i].Source)
		}
		if len(r.Verdicts) != 2 {
			return nil, fmt.Errorf("pair %s has %d assertions, not two", p.ID, len(r.Verdicts))
		}
		j := Judgement{Label: Different, Structural: r.Count.Structural > 0, Timeouts: r.Count.Timeouts, Verdicts: r.Verdicts}
		switch {
		case r.Count.Tautologies+r.Count.Contradictions > 0:
			j.Label = Trivial
		case r.Count.Repeated > 0:
			j.Label = Same
		}
		said[p.ID] = j
	}
	return said, nil
}
