package property

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

// wordsOfBugs has, to a bug, what nothing that the tool says to a model may have: the APIs of bugs; names in their edits
// and witnesses that only one library has; and five words in a row of their titles, symptoms and notes.
func wordsOfBugs(b *lisabench.Bench) map[string]string {
	found := map[string]string{}
	libraries := map[string][]string{} // that have a name
	for _, lib := range b.Libraries {
		for _, bug := range lib.Bugs {
			text := bug.Witness.Source
			for _, r := range []*lisabench.Reintroduce{bug.Upstream, bug.Debian} {
				if r != nil {
					for _, e := range r.Edits {
						text += "\n" + e.Anchor + "\n" + e.Replacement
					}
				}
			}
			for _, name := range programName.FindAllString(text, -1) {
				found[name] = bug.ID
				if !slices.Contains(libraries[name], lib.Name) {
					libraries[name] = append(libraries[name], lib.Name)
				}
			}
			for _, run := range fives(bug.Title + " . " + bug.Symptom + " . " + bug.Note) {
				found[run] = bug.ID
			}
		}
	}
	for name, in := range libraries {
		if len(in) > 1 || strings.HasPrefix(strings.ToLower(name), "lisa") {
			delete(found, name)
		}
	}
	for _, lib := range b.Libraries {
		for _, bug := range lib.Bugs {
			for _, api := range bug.APIs {
				found[api] = bug.ID
			}
		}
	}
	return found
}

// programName is a word that is no English one: with an underscore, a digit, or a capital inside.
var programName = regexp.MustCompile(`\b(?:[A-Za-z_]\w*[_0-9]\w*|\w*[a-z][A-Z]\w*)\b`)

var notWord = regexp.MustCompile(`[^a-z0-9.]+`)

// fives are the runs of five words within sentences.
func fives(text string) (runs []string) {
	words := strings.Fields(notWord.ReplaceAllString(strings.ReplaceAll(strings.ToLower(text), ".", " . "), " "))
	for i := range max(0, len(words)-4) {
		if run := strings.Join(words[i:i+5], " "); !strings.Contains(run, ".") {
			runs = append(runs, run)
		}
	}
	return runs
}

// findings are what a text has of the bugs.
func findings(bugs map[string]string, text string) (list []string) {
	for _, w := range append(word.FindAllString(text, -1), fives(text)...) {
		if bugs[w] != "" {
			list = append(list, fmt.Sprintf("%q of %s", w, bugs[w]))
		}
	}
	return list
}

// TestGeneral: prompts, aspects, header and example have nothing of the bugs, and neither has what an agent is told.
func TestGeneral(t *testing.T) {
	b, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	bugs := wordsOfBugs(b)
	assert.Assert(t, len(bugs) >= 200, "the bugs have %d words", len(bugs))
	texts := map[string]string{"header": header}
	for _, a := range aspects {
		texts[a.name] = a.task
	}
	files, err := fs.Glob(promptFiles, "prompts/*.tmpl")
	assert.Assert(t, err == nil && len(files) >= 5, "prompts %q, %v", files, err)
	for _, f := range files {
		text, err := promptFiles.ReadFile(f)
		assert.NilError(t, err)
		texts[f] = string(text)
	}
	for _, pattern := range []string{"../../baselines/agent/prompts/*.tmpl", "../../baselines/agent/*.go", "../../tools/agentspace/*.tmpl", "../../tools/agentspace/*.go"} {
		others, err := filepath.Glob(pattern)
		assert.Assert(t, err == nil && len(others) != 0, "%s: %q, %v", pattern, others, err)
		for _, f := range others {
			text, err := os.ReadFile(f)
			assert.NilError(t, err)
			texts[f] = string(text)
		}
	}
	for _, name := range sorted(texts) {
		if found := findings(bugs, texts[name]); len(found) > 0 {
			t.Errorf("%s: %s", name, strings.Join(found, "; "))
		}
		for _, lib := range b.Libraries {
			assert.Check(t, !regexp.MustCompile(`(?i)\b`+lib.Name+`\b`).MatchString(texts[name]),
				"%s names %s", name, lib.Name)
		}
	}
	for _, planted := range sorted(bugs)[:5] {
		assert.Check(t, len(findings(bugs, "Sweep "+planted+" and more")) != 0, "%q is not found", planted)
	}
}
