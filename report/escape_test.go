package report_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// markup is text that would be more than text on a page that took it as it is; n tells where it was.
func markup(n int) string {
	return fmt.Sprintf(`</script><script>canary%[1]d()</script><img src=x onerror="canary%[1]d()">`, n)
}

// TestNothingOfAProgramIsMarkup puts markup wherever a model's answer, a program, a library or an
// error can have its words in a report, and looks for each of them in every format.
func TestNothingOfAProgramIsMarkup(t *testing.T) {
	run := fixture()
	assertion := func(n int) *trial.AssertionFailure {
		return &trial.AssertionFailure{File: markup(n), Line: 6, Func: markup(n), Expr: "a < b && " + markup(n+1)}
	}
	where := []string{
		"reason of an incomplete cell", "note of a tool", "reason of a bug that could not be checked",
		"place of an assertion", "assertion", "program of a detection",
		"origin of a program", "compiler's words", "sanitizer's words", "text of a program", "title of a bug",
		"fact of provenance", "command",
	}
	run.Incomplete[0].Message = markup(0)
	run.Cells[0].Notes = append(run.Cells[0].Notes, markup(1))
	for c := range run.Cells {
		cell := &run.Cells[c]
		for i := range cell.Bugs {
			b := &cell.Bugs[i]
			if b.Missing != nil {
				b.Missing = &trial.Reason{Kind: trial.ReasonBuild, Message: markup(2)}
			}
			for k := range b.First {
				if b.First[k].Assertion != nil {
					b.First[k].Assertion, b.First[k].ID = assertion(3), markup(5)
				} else {
					b.First[k].Detail = markup(8)
				}
			}
		}
		for i := range cell.Failures {
			cell.Failures[i].Origin, cell.Failures[i].Detail = markup(6), "p00004.c:7:9: error: "+markup(7)
		}
	}
	run.Sources = func(string, string) (string, error) { return "int main(void) { /* " + markup(9) + " */ }\n", nil }
	for i := range run.Bugs {
		run.Bugs[i].Title = markup(10)
	}
	run.Provenance[0].Value = markup(11)
	run.Command = "bench run " + markup(12)

	files := rendered(t, build(t, run))
	element, attribute := regexp.MustCompile(`<script>canary|<img src=x`), regexp.MustCompile(`onerror="canary`)
	seen := ""
	for name, text := range files {
		seen += text
		ext := filepath.Ext(name)
		if ext == ".html" || ext == ".svg" || ext == ".md" {
			at := element.FindStringIndex(text)
			if at == nil && ext != ".md" { // where < is text, so is what follows it
				at = attribute.FindStringIndex(text)
			}
			if at != nil {
				t.Errorf("%s has markup as it is: …%s…", name, text[max(0, at[0]-200):at[1]])
			}
		}
	}
	for n, what := range where {
		assert.Check(t, strings.Contains(seen, fmt.Sprintf("canary%d(", n)),
			"no report shows the %s: what would it do with markup in it?", what)
	}
}
