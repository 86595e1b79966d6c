package property

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

// A corpus is what nothing that the tool says to a model may have words of.
type corpus struct {
	identifiers map[string]string // what only one library's bugs name, to the bug
	phrases     map[string]string // five words in a row of what a bug or its fix is described with
}

// corpusOf reads the bugs: identifiers of their edits, witnesses and APIs that only one library has, so
// that those of C are left out; and five words in a row of their titles, symptoms and notes.
func corpusOf(b *lisabench.Bench) corpus {
	libraries := map[string]map[string]bool{} // by identifier
	first := map[string]string{}
	c := corpus{map[string]string{}, map[string]string{}}
	for _, lib := range b.Libraries {
		for _, bug := range lib.Bugs {
			texts := []string{bug.Witness.Source}
			for _, r := range []*lisabench.Reintroduce{bug.Upstream, bug.Debian} {
				if r != nil {
					for _, e := range r.Edits {
						texts = append(texts, e.Anchor, e.Replacement)
					}
				}
			}
			for _, id := range word.FindAllString(strings.Join(texts, "\n"), -1) {
				if libraries[id] == nil {
					libraries[id], first[id] = map[string]bool{}, bug.ID
				}
				libraries[id][lib.Name] = true
			}
			for _, api := range bug.APIs {
				c.identifiers[api] = bug.ID
			}
			words := strings.Fields(plainWords(bug.Title + " . " + bug.Symptom + " . " + bug.Note))
			for i := range max(0, len(words)-4) {
				if run := strings.Join(words[i:i+5], " "); !strings.Contains(run, ".") {
					c.phrases[run] = bug.ID
				}
			}
		}
	}
	for id, in := range libraries {
		if len(in) == 1 && programName.MatchString(id) {
			c.identifiers[id] = first[id]
		}
	}
	return c
}

// programName is a word that is no English one: with an underscore, a digit, or a capital inside.
var programName = regexp.MustCompile(`^\w+[_0-9]\w*$|^\w*[a-z]+[A-Z]\w*$`)

var notWord = regexp.MustCompile(`[^a-z0-9.]+`)

func plainWords(text string) string {
	return notWord.ReplaceAllString(strings.ReplaceAll(strings.ToLower(text), ".", " . "), " ")
}

// findings are what a text has of the corpus. What begins with lisa is our own.
func (c corpus) findings(text string) []string {
	var list []string
	for _, w := range word.FindAllString(text, -1) {
		if bug := c.identifiers[w]; bug != "" && !strings.HasPrefix(strings.ToLower(w), "lisa") {
			list = append(list, fmt.Sprintf("%s of %s", w, bug))
		}
	}
	words := strings.Fields(plainWords(text))
	for i := range max(0, len(words)-4) {
		if run := strings.Join(words[i:i+5], " "); c.phrases[run] != "" {
			list = append(list, fmt.Sprintf("%q of %s", run, c.phrases[run]))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestGeneral: prompts, aspects, header and example have nothing of the bugs.
func TestGeneral(t *testing.T) {
	b, err := lisabench.Load(lisabench.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	c := corpusOf(b)
	if len(c.identifiers) < 100 || len(c.phrases) < 100 {
		t.Fatalf("the corpus has %d identifiers and %d phrases", len(c.identifiers), len(c.phrases))
	}
	texts := map[string]string{"header": header}
	for _, a := range aspects {
		texts[a.name] = a.task
	}
	files, err := fs.Glob(promptFiles, "prompts/*.tmpl")
	if err != nil || len(files) < 5 {
		t.Fatalf("prompts %q, %v", files, err)
	}
	for _, f := range files {
		text, err := promptFiles.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		texts[f] = string(text)
	}
	for _, name := range sorted(texts) {
		if found := c.findings(texts[name]); len(found) > 0 {
			t.Errorf("%s: %s", name, strings.Join(found, "; "))
		}
		for _, lib := range b.Libraries {
			if regexp.MustCompile(`(?i)\b` + lib.Name + `\b`).MatchString(texts[name]) {
				t.Errorf("%s names %s", name, lib.Name)
			}
		}
	}
	// It finds what is there.
	for _, planted := range []string{sorted(c.identifiers)[0], sorted(c.phrases)[0]} {
		if len(c.findings("Sweep "+planted+" and more")) == 0 {
			t.Errorf("%q is not found", planted)
		}
	}
}
