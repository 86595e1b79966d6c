package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/run/harness"
)

// A block of docs/results.md is made from a run's report or from the recordings: what is between its marks.
//
//	<!-- made: report TITLE -->     what stands under that heading of report.md
//	<!-- made: answers -->          how many answers are recorded, tool by library
//	<!-- end -->
var block = regexp.MustCompile(`(?s)<!-- made: (report ([^\n]*?)|answers) -->\n.*?<!-- end -->\n`)

// TestResultsPage makes the blocks of docs/results.md again and compares: those of the recordings always, those of
// a report if LISA_BENCH_RESULTS names the run of experiments/recorded.yaml (make results).
func TestResultsPage(t *testing.T) {
	const page = "docs/results.md"
	run := os.Getenv("LISA_BENCH_RESULTS")
	if run != "" && !filepath.IsAbs(run) {
		run = filepath.Join("..", "..", run)
	}
	file := filepath.Join("..", "..", filepath.FromSlash(page))
	text := readFile(t, file)
	made := block.ReplaceAllStringFunc(text, func(old string) string {
		m := block.FindStringSubmatch(old)
		title, content := m[2], ""
		switch {
		case m[1] == "answers":
			content = recordedAnswers(t)
		case run == "":
			return old
		default:
			content = under(t, filepath.Join(run, "report", "report.md"), title)
		}
		return fmt.Sprintf("<!-- made: %s -->\n%s\n<!-- end -->\n", m[1], content)
	})
	if *update {
		writeFile(t, file, made)
	} else if made != text {
		t.Errorf("%s is not what the recordings say: make results UPDATE=1 writes its blocks anew. It would be\n%s", page, made)
	}
	if !strings.Contains(text, "<!-- made: report ") || !strings.Contains(text, "<!-- made: answers -->") {
		t.Errorf("%s has lost its blocks", page)
	}
}

// under returns what stands under a heading of a Markdown file, up to the next one. Its own cell for a bracket
// is left as it is.
func under(t *testing.T, file, title string) string {
	t.Helper()
	_, rest, found := strings.Cut(readFile(t, file), "\n### "+title+"\n")
	if !found {
		return "The run has no table \"" + title + "\"."
	}
	if i := strings.Index(rest, "\n#"); i >= 0 {
		rest = rest[:i]
	}
	return strings.TrimSpace(rest)
}

// recordedAnswers is a table of the answers in recordings/: for each tool that asks a model and each library the cells,
// and for each cell its answers.
func recordedAnswers(t *testing.T) string {
	t.Helper()
	bench, err := lisabench.Load(lisabench.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	cells := map[string][]string{} // by tool and library
	for _, file := range matches(t, filepath.Join("..", "..", "recordings", "*", "transcripts", "*.jsonl.gz")) {
		cell := strings.Split(strings.TrimSuffix(filepath.Base(file), ".jsonl.gz"), ".")
		if len(cell) != 5 { // tool, variant, library, edition, trial
			t.Fatalf("%s is not named for a cell", file)
		}
		answers := strings.Count(readFile(t, strings.TrimSuffix(file, ".gz")), "\n") - 1
		what := fmt.Sprint(answers)
		if cell[1] != "default" {
			what = cell[1] + " " + what
		}
		cells[cell[0]+" "+cell[2]] = append(cells[cell[0]+" "+cell[2]], what)
	}
	var out strings.Builder
	fmt.Fprint(&out, "| tool |")
	for _, l := range bench.Libraries {
		fmt.Fprintf(&out, " %s |", l.Name)
	}
	fmt.Fprintf(&out, "\n|---|%s", strings.Repeat("---|", len(bench.Libraries)))
	for _, tool := range []string{"lisa", "lisa-prop", "lisa-api", "vanilla", "citywalk"} {
		if !slices.ContainsFunc(harness.Kinds, func(k harness.Kind) bool { return k.Name == tool }) {
			t.Fatalf("there is no tool %s", tool)
		}
		fmt.Fprintf(&out, "\n| `%s` |", tool)
		for _, l := range bench.Libraries {
			if list := cells[tool+" "+l.Name]; len(list) > 0 {
				fmt.Fprintf(&out, " %s |", strings.Join(list, ", "))
			} else {
				fmt.Fprint(&out, " not recorded |")
			}
		}
	}
	return out.String()
}
