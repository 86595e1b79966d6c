package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

// A block of docs/results.md is made from the recordings: what is between its marks.
//
//	<!-- made: recording NAME TITLE -->  the table of that title in recordings/NAME/tables.txt
//	<!-- made: answers -->               how many answers are recorded, tool by library
//	<!-- made: bugs -->                  the bugs that recordings detect, tool by library
//	<!-- end -->
var block = regexp.MustCompile(`(?s)<!-- made: (recording ([^\n]*?)|answers|bugs) -->\n.*?<!-- end -->\n`)

// detected matches a row of a recording's table of bugs: library, tool with variant, bugs detected of those checked. It
// has one trial: several are no sum of what one detects, and have tables of their own.
var detected = regexp.MustCompile(`^ (\S+)\s+([^\s/]+)(?:/(\S+))?(?: \[\d+\])?\s+1 of 1\s+\S+(?: \[[\d,]+\])?\s+(\d+) of (\d+)\s`)

// TestResultsPage makes the blocks of docs/results.md from the recordings again and compares.
func TestResultsPage(t *testing.T) {
	file := filepath.Join("..", "..", "docs", "results.md")
	text := readFile(t, file)
	blocks := 0
	made := block.ReplaceAllStringFunc(text, func(old string) string {
		blocks++
		m := block.FindStringSubmatch(old)
		content := ""
		switch m[1] {
		case "answers":
			content = byToolAndLibrary(t, recordedAnswers(t))
		case "bugs":
			content = byToolAndLibrary(t, recordedBugs(t))
		default:
			content = recordedTable(t, m[2])
		}
		return fmt.Sprintf("<!-- made: %s -->\n%s\n<!-- end -->\n", m[1], content)
	})
	if *update {
		writeFile(t, file, made)
	} else if made != text {
		t.Errorf("%s is not what the recordings say: -update writes its blocks anew. It would be\n%s", file, made)
	}
	if blocks < 3 {
		t.Errorf("%s has lost its blocks", file)
	}
}

// recordedTable is the table of "NAME TITLE" as a block of code: the one of that title in recordings/NAME/tables.txt.
func recordedTable(t *testing.T, what string) string {
	t.Helper()
	name, title, _ := strings.Cut(what, " ")
	file := filepath.Join("..", "..", "recordings", name, "tables.txt")
	_, table, found := strings.Cut(readFile(t, file), "\n"+title+"\n")
	if !found {
		t.Fatalf("%s has no table %q", file, title)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	var lines []string
	for line := range strings.Lines(table) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	return "```\n" + strings.Join(lines, "\n") + "\n```"
}

// ofAblation reports whether a file is of a recorded ablation, whose variants have tables of their own.
func ofAblation(file string) bool {
	return strings.Contains(filepath.ToSlash(file), "/recordings/ablation-")
}

// recordedAnswers says how many answers each cell of recordings/ has, by tool and library.
func recordedAnswers(t *testing.T) map[string][]string {
	t.Helper()
	cells := map[string][]string{}
	for _, file := range matches(t, filepath.Join("..", "..", "recordings", "*", "transcripts", "*.jsonl.gz")) {
		cell := strings.Split(strings.TrimSuffix(filepath.Base(file), ".jsonl.gz"), ".")
		if len(cell) != 5 { // tool, variant, library, edition, trial
			t.Fatalf("%s is not named for a cell", file)
		}
		answers := strings.Count(readFile(t, strings.TrimSuffix(file, ".gz")), "\n") - 1
		what := fmt.Sprint(answers)
		if cell[1] != "default" {
			if ofAblation(file) {
				continue
			}
			what = cell[1] + " " + what
		}
		if cell[4] != "1" {
			what = "trial " + cell[4] + " " + what
		}
		cells[cell[0]+" "+cell[2]] = append(cells[cell[0]+" "+cell[2]], what)
	}
	return cells
}

// recordedBugs says how many bugs each cell of recordings/ detects, by tool and library; the library "" stands for all
// that the tool's default was recorded on.
func recordedBugs(t *testing.T) map[string][]string {
	t.Helper()
	cells, sums := map[string][]string{}, map[string][2]int{}
	for _, file := range matches(t, filepath.Join("..", "..", "recordings", "*", "tables.txt")) {
		_, rows, found := strings.Cut(readFile(t, file), "\nHistorical bugs detected\n")
		rows, _, ended := strings.Cut(rows, "\n\n")
		if !found || !ended {
			t.Fatalf("%s has no table of bugs", file)
		}
		n := 0
		for row := range strings.Lines(rows) {
			m := detected.FindStringSubmatch(row)
			if m == nil {
				continue
			}
			n++
			library, tool, what := m[1], m[2], m[4]+" of "+m[5]
			own := filepath.Join(filepath.Dir(file), "transcripts", tool+".default."+library+".*")
			if ofAblation(file) && (m[3] != "" || len(matches(t, own)) == 0) { // the default may be another recording's
				continue
			}
			if m[3] != "" {
				what = m[3] + " " + what
			} else {
				bugs, _ := strconv.Atoi(m[4])
				of, _ := strconv.Atoi(m[5])
				sums[tool] = [2]int{sums[tool][0] + bugs, sums[tool][1] + of}
			}
			cells[tool+" "+library] = append(cells[tool+" "+library], what)
		}
		if n == 0 && !strings.Contains(rows, " 3 of 3 ") {
			t.Fatalf("%s: no row of its table of bugs can be read", file)
		}
	}
	for tool, sum := range sums {
		cells[tool+" "] = []string{fmt.Sprintf("%d of %d", sum[0], sum[1])}
	}
	return cells
}

// byToolAndLibrary is a table of what cells have, of tools that ask a model and libraries.
func byToolAndLibrary(t *testing.T, cells map[string][]string) string {
	t.Helper()
	bench, err := lisabench.Load(lisabench.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	var libraries []string
	for _, l := range bench.Libraries {
		libraries = append(libraries, l.Name)
	}
	head := "| tool | " + strings.Join(libraries, " | ") + " |"
	if slices.ContainsFunc(slices.Collect(maps.Keys(cells)), func(cell string) bool { return strings.HasSuffix(cell, " ") }) {
		libraries = append(libraries, "")
		head += " all recorded |"
	}
	for _, have := range cells {
		slices.Sort(have) // the default, which has no name, before variants and trials
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n|---|%s", head, strings.Repeat("---|", len(libraries)))
	for _, tool := range []string{"lisa", "lisa-prop", "lisa-api", "vanilla", "citywalk"} {
		if !slices.ContainsFunc(harness.Kinds, func(k harness.Kind) bool { return k.Name() == tool }) {
			t.Fatalf("there is no tool %s", tool)
		}
		fmt.Fprintf(&out, "\n| `%s` |", tool)
		for _, l := range libraries {
			if list := cells[tool+" "+l]; len(list) > 0 {
				fmt.Fprintf(&out, " %s |", strings.Join(list, ", "))
			} else {
				fmt.Fprint(&out, " not recorded |")
			}
		}
	}
	return out.String()
}
