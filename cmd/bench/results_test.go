package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"
)

// A block of docs/results.md is made from the recordings: what is between its marks.
//
//	<!-- made: recording NAME TITLE -->  the table of that title in recordings/NAME/tables.txt
//	<!-- end -->
var block = regexp.MustCompile(`(?s)<!-- made: recording ([^\n]*?) -->\n.*?<!-- end -->\n`)

// TestResultsPage makes the blocks of docs/results.md from the recordings again and compares.
func TestResultsPage(t *testing.T) {
	file := filepath.Join("..", "..", "docs", "results.md")
	text := readFile(t, file)
	made := block.ReplaceAllStringFunc(text, func(old string) string {
		what := block.FindStringSubmatch(old)[1]
		return fmt.Sprintf("<!-- made: recording %s -->\n%s\n<!-- end -->\n", what, recordedTable(t, what))
	})
	golden.Assert(t, made, filepath.Join("..", file))
	assert.Check(t, block.MatchString(text), "%s has lost its blocks", file)
}

// recordedTable is the table of "NAME TITLE" as a block of code: the one of that title in recordings/NAME/tables.txt.
func recordedTable(t *testing.T, what string) string {
	t.Helper()
	name, title, _ := strings.Cut(what, " ")
	file := filepath.Join("..", "..", "recordings", name, "tables.txt")
	_, table, found := strings.Cut(readFile(t, file), "\n"+title+"\n")
	assert.Assert(t, found, "%s has no table %q", file, title)
	table, _, _ = strings.Cut(table, "\n\n")
	var lines []string
	for line := range strings.Lines(table) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	return "```\n" + strings.Join(lines, "\n") + "\n```"
}
