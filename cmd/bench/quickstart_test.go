package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
)

// TestQuickstartOfTheREADME runs the quickstart, and compares its table with the README's.
func TestQuickstartOfTheREADME(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the whole quickstart")
	}
	t.Chdir(filepath.Join("..", "..")) // where the recorded answers are
	dir := filepath.Join(t.TempDir(), "run")
	start(t, dir, "run", "quickstart", "--cache", testcache.Dir(""), "--dir", dir).expect(t, exitOK)
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(readme), "## Two commands")
	text, _, _ = strings.Cut(text, "\n## ")
	report, err := os.ReadFile(filepath.Join(dir, "report", "report.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, overview, _ := strings.Cut(string(report), "Results at a glance")
	marks, row := regexp.MustCompile(` \[[0-9,]+\]`), regexp.MustCompile(`(?m)^ (cJSON|zlib) .*$`)
	flat := func(line string) string { return strings.Join(strings.Fields(marks.ReplaceAllString(line, "")), " ") }
	var told []string
	for _, line := range row.FindAllString(text, -1) {
		told = append(told, flat(line))
	}
	overview, _, _ = strings.Cut(overview, "\n\n")
	var measured []string
	for _, line := range row.FindAllString(overview, -1) {
		measured = append(measured, flat(line))
	}
	if want, got := strings.Join(told, "\n"), strings.Join(measured, "\n"); want != got || got == "" {
		t.Errorf("the README's table has\n%s\nand the run\n%s", want, got)
	}
}
