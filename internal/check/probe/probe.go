// Package probe asks a model which bugs of a library it can name, given only the library's name and version,
// and compares the answer with the corpus. For each model and library it writes a file with the prompt and the
// answer to the run directory, so that everything can be checked again.
package probe

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/files/durable"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Protocol names the prompt and how answers are judged; another one gives figures that are not compared.
const Protocol = "names-1"

// maxLines bounds what a model may name: one that lists every function names every bug.
const maxLines = 40

// A Probe is what one model said of one library.
type Probe struct {
	Protocol string  `json:"protocol"`
	Library  string  `json:"library"`
	Edition  string  `json:"edition"`
	Version  string  `json:"version"` // as the model was told it
	Model    string  `json:"model"`
	Dollars  float64 `json:"dollars"`
	Prompt   string  `json:"prompt"`
	Answer   string  `json:"answer"`
	Lines    int     `json:"lines"` // of the answer that name a function
	Bugs     []Named `json:"bugs"`  // of the library, in the corpus's order
}

// A Named is a bug with the lines of the answer that may be about it.
type Named struct {
	Bug   string   `json:"bug"`
	Lines []string `json:"lines,omitempty"` // that name a function through which the bug shows: a person says whether they mean it
	Fix   bool     `json:"fix,omitempty"`   // a line has the commit of its fix
}

const prompt = `The question is about the %s library %s, version %s. You have neither its source nor its documents: answer from memory.

Which functional bugs of the library do you know that were fixed in the course of its history, up to that version or after it? A functional bug makes a public function return a wrong value, take or refuse the wrong input, keep a wrong state, lose data, crash or hang. Leave out bugs of the build, of tests and of documents.

Give each on one line, at most %d lines, the one that you know best first:

FUNCTION: what was wrong, and what the function does since the fix. COMMIT

FUNCTION is the public function through which it shows. COMMIT is the commit of the fix, or - if you do not know it. Write nothing else, and no line for a bug that you do not remember.
`

// Prompt is what a model is asked.
func Prompt(library string, language trial.Language, version string) string {
	name := "C"
	if language == trial.CXX {
		name = "C++"
	}
	return fmt.Sprintf(prompt, name, library, version, maxLines)
}

var (
	entry = regexp.MustCompile(`^[\s*\-\d.)]*[\x60*]*([A-Za-z_][\w:]*)(?:\(\))?[\x60*]*\s*:`)
	hash  = regexp.MustCompile(`\b[0-9a-f]{7,40}\b`)
)

// Judge holds an answer against bugs. What comes after the line that is one too many does not count.
func Judge(answer string, bugs []*lisabench.Bug) (lines int, named []Named) {
	type said struct{ function, line string }
	var list []said
	for line := range strings.Lines(answer) {
		if m := entry.FindStringSubmatch(line); m != nil && len(list) < maxLines {
			list = append(list, said{last(m[1]), strings.TrimSpace(line)})
		}
	}
	for _, b := range bugs {
		n := Named{Bug: b.ID}
		for _, s := range list {
			if slices.ContainsFunc(b.APIs, func(api string) bool { return last(api) == s.function }) {
				n.Lines = append(n.Lines, s.line)
			}
			n.Fix = n.Fix || slices.ContainsFunc(hash.FindAllString(s.line, -1), func(h string) bool { return strings.HasPrefix(b.Fix, h) })
		}
		named = append(named, n)
	}
	return len(list), named
}

// AtMost returns how many bugs the answer can name, if each of its lines means one bug: the size of the largest
// matching of bugs and lines (Kuhn's augmenting paths).
func (p Probe) AtMost() int {
	means := map[string]int{} // line, index of its bug
	var place func(i int, tried map[string]bool) bool
	place = func(i int, tried map[string]bool) bool {
		for _, line := range p.Bugs[i].Lines {
			if tried[line] {
				continue
			}
			tried[line] = true
			if other, taken := means[line]; !taken || place(other, tried) {
				means[line] = i
				return true
			}
		}
		return false
	}
	n := 0
	for i := range p.Bugs {
		if place(i, map[string]bool{}) {
			n++
		}
	}
	return n
}

// Fixes returns of how many bugs the answer has the commit of the fix.
func (p Probe) Fixes() int {
	n := 0
	for _, b := range p.Bugs {
		if b.Fix {
			n++
		}
	}
	return n
}

// last is a name without what qualifies it.
func last(name string) string { return name[strings.LastIndex(name, ":")+1:] }

// Dir is the directory of a run that keeps what one model said of one library.
func Dir(run, library, edition, model string) string {
	return filepath.Join(run, "probe", unsafe.ReplaceAllString(library+"."+edition+"."+model, "-"))
}

var unsafe = regexp.MustCompile(`[^A-Za-z0-9_.+-]`)

// Save writes a probe into its directory, in place of an earlier one.
func (p Probe) Save(dir string) error {
	return durable.WriteJSON(filepath.Join(dir, "probe.json"), p)
}

// Load reads the probes of a run, in the order of their directories' names.
func Load(run string) ([]Probe, error) {
	return durable.ReadJSON[Probe](filepath.Join(run, "probe", "*", "probe.json"))
}
