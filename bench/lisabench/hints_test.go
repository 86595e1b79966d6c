package lisabench

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// toolTexts are all texts of a library that reach tools (trial.Target).
func toolTexts(l *Library) []string {
	texts := slices.Concat([]string{l.Name, l.Domain, l.Description}, l.Headers, l.Documents)
	for _, x := range l.ExcludedAPIs {
		texts = append(texts, x.Name)
	}
	for _, r := range l.Rules {
		texts = append(texts, slices.Concat([]string{r.ID, r.Text, r.Source.Document, r.Source.Place}, r.APIs)...)
	}
	for _, f := range l.FuzzTargets {
		texts = append(texts, slices.Concat([]string{f.Name, f.Source, f.Dictionary}, f.Seeds, f.Defines, f.Options)...)
	}
	return texts
}

// hintAtBugs matches words that point at bugs, and commit ids.
var hintAtBugs = regexp.MustCompile(`(?i)\b(bugs?|fix(es|ed)?|defects?|wrong|broken|regressions?|cve|issues?)\b|\b[0-9a-f]{7,40}\b`)

func TestToolsAreToldNothingOfTheBugs(t *testing.T) {
	bench, err := Load(Embedded())
	assert.NilError(t, err)
	for _, l := range bench.Libraries {
		for _, text := range toolTexts(l) {
			if hint := hintAtBugs.FindString(text); hint != "" {
				t.Errorf("%s: tools are told %q, in which %q hints at a bug", l.Name, text, hint)
			}
			for _, b := range l.Bugs {
				for _, secret := range []string{b.ID, b.Title, b.Symptom} {
					assert.Check(t, !strings.Contains(text, secret),
						"%s: tools are told %q, which gives %s away", l.Name, text, b.ID)
				}
			}
		}
	}
}

// A witness tells what the documents promise, so that it can be judged without the fix.
func TestWitnessesOfTheEmbeddedBenchmark(t *testing.T) {
	bench, err := Load(Embedded())
	assert.NilError(t, err)
	for _, l := range bench.Libraries {
		for _, b := range l.Bugs {
			src := b.Witness.Source
			assert.Check(t, strings.Contains(src, "int main("), "%s: the witness has no main", b.ID)
			if !strings.HasPrefix(strings.TrimSpace(src), "/*") && !strings.HasPrefix(strings.TrimSpace(src), "//") {
				t.Errorf("%s: the witness does not begin with what is promised", b.ID)
			}
			assert.Check(t, !strings.Contains(src, b.Fix[:8]), "%s: the witness names the fix", b.ID)
		}
	}
}
