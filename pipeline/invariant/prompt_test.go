package invariant

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

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
	s := &stage{job: trial.Job{Target: target(t)}, options: defaultOptions(), lib: newLibrary(spec(t), base, "all")}
	source := withIncludes(sums)
	p := &program{unit: "w0001-p001", ready: true}
	head, rest, _ := strings.Cut(source, "    // STEP1\n")
	one, rest, _ := strings.Cut(rest, "    // STEP2\n")
	two, _, _ := strings.Cut(rest, "    // STEP3\n")
	p.parts = split{head: head, tail: "}\n", chunks: []chunk{
		{raw: "    // STEP1\n" + one, marker: "// STEP1", apis: []string{"tally_open"}},
		{raw: "    // STEP2\n" + two, marker: "// STEP2", apis: []string{"tally_add"}},
	}}
	p.done = []string{"    // STEP1\n" + one + "    assert(t.count == 0); // structural: a new tally is empty\n"}
	whole := &program{unit: "w0001-p002", ready: true, parts: split{chunks: []chunk{{raw: source, apis: []string{"tally_open", "tally_add", "tally_sum"}}}}}
	failing := *p
	failing.last = failing.attempt("    // STEP2\n" + two + "    assert(t.sum == 7); // value range: wrong\n")
	failing.last.failure = &failure{kind: failAssertion, text: "line 20: assertion failed: t.sum == 7", assertion: &assertion{condition: "t.sum == 7"}, values: []string{"t.sum = 6"}}
	changed := failing
	changed.last = &attempt{program: &changed, text: failing.last.text, failure: &failure{kind: failSequence, text: "line 14: the assertion assigns"}}
	for name, asked := range map[string]struct {
		prompt string
		item   *item
	}{
		"invariant":       {stageInvariant, &item{Data: p}},
		"whole":           {stageInvariant, &item{Data: whole}},
		"repair":          {stageRepair, &item{Data: &failing, Repairs: 1}},
		"repair_sequence": {stageRepair, &item{Data: &changed, Repairs: 1}},
	} {
		messages, err := prompts.Messages(asked.prompt, s.page(asked.item))
		assert.NilError(t, err)
		var text strings.Builder
		for _, m := range messages {
			text.WriteString("<!-- " + m.Role + " -->\n\n" + m.Content + "\n")
		}
		golden.Assert(t, text.String(), name+".golden.md")
	}
}
