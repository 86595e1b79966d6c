package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
)

// TestQuickstartOfTheREADME runs the quickstart, and compares each row that could be measured here with
// the README's table.
func TestQuickstartOfTheREADME(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the whole quickstart")
	}
	dir := filepath.Join(t.TempDir(), "run")
	s := start(t, dir, "run", "quickstart", "--cache", testcache.Dir(""), "--dir", dir)
	if code := s.wait(t); code != exitOK && code != exitIncomplete { // without the OSS-Fuzz repository
		t.Fatalf("exit code %d:\n%s", code, s.out.String())
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
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
	compared := 0
	for _, line := range row.FindAllString(overview, -1) {
		if line = flat(line); strings.Contains(line, "incomplete") {
			continue
		}
		compared++
		if !strings.Contains(strings.Join(told, "\n"), line) {
			t.Errorf("the README's table lacks the row\n%s\nand has\n%s", line, strings.Join(told, "\n"))
		}
	}
	if compared < 3 || len(told) != 4 {
		t.Errorf("%d rows compared with %d of the README", compared, len(told))
	}
}
