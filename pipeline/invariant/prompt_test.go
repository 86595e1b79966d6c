package invariant

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/knowledge"
)

// TestPrompts shows what a model is asked, in testdata/*.golden.md.
func TestPrompts(t *testing.T) {
	base := &knowledge.Base{Library: "tally", APIs: []knowledge.API{{Name: "tally_add", Contracts: []knowledge.Contract{
		{ID: "tally_add.1", Kind: knowledge.Relational, Text: "A full tally is unchanged.", Shape: "return == TALLY_FULL ==> t->sum == orig(t->sum)",
			Source: knowledge.Doc, Passage: "then t is unchanged", Status: knowledge.Accepted},
		{ID: "tally_add.2", Kind: knowledge.ValueRange, Text: "never shown", Source: knowledge.Daikon, Status: knowledge.Rejected},
	}}}}
	models := llmtest.Open(t, llmtest.Serve(t, func([]llm.Message) string { return "" }).Config())
	session, err := models.Session("c", llm.SessionOptions{Transcript: filepath.Join(t.TempDir(), "t.jsonl"), Ledger: trial.NewLedger(trial.Budget{LLMCalls: 1}, trial.Usage{}, time.Now)})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	s := &stage{job: trial.Job{Target: target(t)}, options: DefaultOptions(), model: session, lib: newLibrary(target(t), spec(t), base, "all")}
	p := &program{unit: "w0001-p001", source: withIncludes(sums), ready: true}
	head, rest, _ := strings.Cut(p.source, "    // STEP1\n")
	one, rest, _ := strings.Cut(rest, "    // STEP2\n")
	two, _, _ := strings.Cut(rest, "    // STEP3\n")
	p.parts = split{head: head, tail: "}\n", chunks: []chunk{
		{raw: "    // STEP1\n" + one, marker: "// STEP1", apis: []string{"tally_open"}},
		{raw: "    // STEP2\n" + two, marker: "// STEP2", apis: []string{"tally_add"}},
	}}
	p.done = []accepted{{text: "    // STEP1\n" + one + "    assert(t.count == 0); // structural: a new tally is empty\n"}}
	whole := &program{unit: "w0001-p002", ready: true, parts: split{whole: true, chunks: []chunk{{raw: p.source, apis: []string{"tally_open", "tally_add", "tally_sum"}}}}}
	failing := *p
	failing.tries = 1
	failing.last = failing.attempt("    // STEP2\n" + two + "    assert(t.sum == 7); // value range: wrong\n")
	failing.last.failure = &failure{kind: failAssertion, text: "line 20: assertion failed: t.sum == 7", assertion: &assertion{condition: "t.sum == 7"}, values: []string{"t.sum = 6"}}
	changed := failing
	changed.last = &attempt{program: &changed, text: failing.last.text, failure: &failure{kind: failSequence, text: "line 14: the assertion assigns"}}
	for name, p := range map[string]*program{"invariant": p, "whole": whole, "repair": &failing, "repair_sequence": &changed} {
		r, err := s.request(p)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for _, m := range r.Messages {
			text.WriteString("<!-- " + m.Role + " -->\n\n" + m.Content + "\n")
		}
		golden := filepath.Join("testdata", name+".golden.md")
		if *update {
			if err := os.WriteFile(golden, []byte(text.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if text.String() != string(want) {
			t.Errorf("%s: the prompt is not the one of %s (-update rewrites it):\n%s", name, golden, text.String())
		}
	}
}
