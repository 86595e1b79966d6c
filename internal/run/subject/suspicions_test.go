package subject

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/exec/testrun"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A shown program of docs/explanation/suspicions.md: its own fence, and the next one with what comes of it.
var shown = regexp.MustCompile("(?s)```c( sanitizers)?\n(.*?)```\n+```text\n(.*?)```")

var (
	quoted  = regexp.MustCompile(`(?m)(?:^> .*\n)+`)
	spacing = regexp.MustCompile(`[\s*]+`)
)

// TestSuspicionsPage runs the programs of docs/explanation/suspicions.md on the reference builds: they print what
// stands under them, or the sanitizers say it. Each sentence that is quoted is in the library's source.
func TestSuspicionsPage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two libraries, also with sanitizers")
	}
	bench, err := lisabench.Load(lisabench.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "explanation", "suspicions.md"))
	if err != nil {
		t.Fatal(err)
	}
	for i, section := range strings.Split(string(page), "\n## ")[1:] {
		name, text, _ := strings.Cut(section, "\n")
		t.Run(name, func(t *testing.T) {
			lib, _ := openTarget(t, bench, name)
			equip(t, lib)
			checkQuotes(t, lib, text)
			programs := shown.FindAllStringSubmatch(text, -1)
			if want := []int{13, 12}[i]; len(programs) != want {
				t.Fatalf("%d programs, want %d", len(programs), want)
			}
			_, prelude, _ := strings.Cut(text, "```c prelude\n")
			prelude, _, _ = strings.Cut(prelude, "```")
			reference := testrun.Reference{Engine: lib.Engine, Plain: lib.Plain, Sanitizer: lib.sanitizer}
			for _, m := range programs {
				p := trial.Program{ID: "p", Lang: trial.C, Source: prelude + m[2]}
				sanitize, want := m[1] != "", m[3]
				results, err := reference.Run(t.Context(), []trial.Program{p}, trial.ExecOptions{Stdout: true, Sanitize: sanitize})
				if err != nil {
					t.Fatal(err)
				}
				r := results[0]
				if sanitize {
					if said := r.Diagnostic + r.Stderr; r.Outcome != trial.Crash || !strings.Contains(said, strings.TrimSpace(want)) {
						t.Errorf("%s\nends with %s and says %q, not %q", m[2], r.Outcome, said, want)
					}
				} else if r.Outcome != trial.OK || r.Stdout != want {
					t.Errorf("%s\nends with %s %s and prints %q, not %q", m[2], r.Outcome, r.Diagnostic, r.Stdout, want)
				}
			}
		})
	}
}

// checkQuotes looks for each quoted sentence in the file that is named behind it.
func checkQuotes(t *testing.T, lib *OpenLibrary, text string) {
	t.Helper()
	flat := func(s string) string { return spacing.ReplaceAllString(s, " ") }
	for _, quote := range quoted.FindAllString(text, -1) {
		quote = strings.TrimSpace(flat(strings.ReplaceAll("\n"+quote, "\n> ", " ")))
		sentence, file, _ := strings.Cut(strings.TrimSuffix(quote, ")"), " (")
		for next := ""; strings.Contains(file, " ("); { // the sentence has a bracket too
			next, file, _ = strings.Cut(file, " (")
			sentence += " (" + next
		}
		source, err := os.ReadFile(filepath.Join(lib.Tree.Dir, file))
		if err != nil {
			t.Errorf("%s: %v", quote, err)
		} else if !strings.Contains(flat(string(source)), sentence) {
			t.Errorf("%s does not say %q", file, sentence)
		}
	}
}
