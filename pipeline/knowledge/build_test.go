package knowledge

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

func absolute(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	assert.NilError(t, err)
	return abs
}

func target(t *testing.T) trial.Target {
	return trial.Target{Library: "gauge", Language: trial.C, Description: "A gauge within a range.", Headers: []string{"gauge.h"},
		IncludeDirs: []string{absolute(t, "testdata/include")}, SourceDir: absolute(t, "testdata"), Documents: []string{"manual.3", "include/gauge.h"}}
}

// builder has a model that answers by stage and API.
func builder(t *testing.T, answers map[string]string) *Builder {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	compiler, err := toolchain.NewCompiler(tools, testcache.Dir("preambles"), testcache.Dir("plugins"), 2, nil)
	assert.NilError(t, err)
	spec, err := apispec.Load(t.Context(), compiler, target(t))
	assert.NilError(t, err)
	box := &tooltest.Box{Clang: tools.Clang.Path, Dir: t.TempDir(), Name: "gauge", Sources: []string{"testdata/gauge.c"},
		IncludeDirs: []string{absolute(t, "testdata/include")}, Flags: []string{"-std=gnu17"}}
	b := &Builder{Target: target(t), Spec: spec, Exec: box.Executor(t), Log: slog.New(slog.DiscardHandler)}
	if answers == nil {
		return b
	}
	var mu sync.Mutex
	endpoint := llmtest.Serve(t, func(messages []llm.Message) string {
		mu.Lock()
		defer mu.Unlock()
		prompt := messages[0].Content
		stage := stageContracts
		if strings.Contains(prompt, "# Properties") {
			stage = stageJudge
		}
		_, rest, _ := strings.Cut(prompt, "# Function\n\n    ")
		call, _, _ := strings.Cut(rest, "(")
		api := call[strings.LastIndexAny(call, " *")+1:]
		assert.Check(t, golden.String(prompt, stage+"."+api+".golden.md"))
		return answers[stage+" "+api]
	})
	b.Model, err = llmtest.Open(t, endpoint.Config()).Session("k", llm.SessionOptions{
		Transcript: filepath.Join(t.TempDir(), "t.jsonl"), Ledger: trial.NewLedger(trial.Budget{LLMCalls: 100}, trial.Usage{}, time.Now)})
	assert.NilError(t, err)
	t.Cleanup(func() { b.Model.Close() })
	return b
}

func TestDocuments(t *testing.T) {
	b := builder(t, map[string]string{
		stageContracts + " gauge_new": "Sure:\n```json\n" + `[
			{"kind": "structural", "text": "NULL if top is below 1", "shape": "top < 1 ==> return == NULL", "passage": "returns NULL if top is below 1"},
			{"kind": "value_range", "text": "invented", "passage": "the result is always even and positive"},
			{"kind": "value_range", "text": "too short", "passage": "a gauge"},
			{"kind": "wisdom", "text": "of no kind", "passage": "Makes a gauge at level 0"}]` + "\n```\n",
		stageContracts + " gauge_move": `[{"kind": "documentation", "text": "counts every call", "shape": "g->moves == orig(g->moves) + 1", "passage": "counts every call in moves, also one that changes nothing."}]`,
		stageContracts + " gauge_free": "There is nothing to say.",
	})
	base, err := b.Build(t.Context(), filepath.Join(t.TempDir(), "gauge.yaml"), []string{"gauge_new", "gauge_move", "gauge_free", "gauge_other"}, nil)
	assert.NilError(t, err)
	var got []string
	for _, a := range base.APIs {
		for _, c := range a.Contracts {
			got = append(got, fmt.Sprintf("%s %s %s %s: %s", c.ID, c.Kind, c.Status, c.Place, c.Reason))
		}
	}
	want := []string{
		"gauge_move.1 documentation accepted manual.3:5: the passage is in the document",
		"gauge_new.1 structural accepted include/gauge.h:10: the passage is in the document",
		"gauge_new.2 value_range rejected : the passage is in none of the documents",
		"gauge_new.3 value_range rejected : the passage is too short to support anything",
		`gauge_new.4 documentation rejected : kind "wisdom" is none of structural, value_range, relational, documentation`,
	}
	assert.Check(t, strings.Join(got, "\n") == strings.Join(want, "\n"), "got\n%s", strings.Join(got, "\n"))
	if n := len(base.Accepted("gauge_new", Sources...)); n != 1 {
		t.Errorf("%d accepted contracts", n)
	}
}

// TestExcerpts checks which mentions in a header are shown: those in comments and beside them.
func TestExcerpts(t *testing.T) {
	far := strings.Repeat("\n", excerptLines+1)
	header := newDocument("box.h", "#define box_add z_box_add\n#define add(b) box_add((b), 1)\n"+far+
		"int box_add(box *, int); /* remark */\n"+far+
		"/* The box is full. */\nint box_add(box *b, int n);\n"+far+
		"/* Use add. */\n"+far+"int box_address(void); // box_add is another\n")
	text := newDocument("manual.txt", "\n\n#define box_add\n")
	var places []string
	for _, e := range (Documents{text, header}).Excerpts(6000, []string{"box_add", "add"}) {
		places = append(places, e.Place)
	}
	want := []string{"box.h, lines 19 to 43", "box.h, lines 44 to 57", "box.h, lines 58 to 60", "manual.txt, lines 1 to 4"}
	assert.Check(t, slices.Equal(places, want), "got %q", places)
}

func TestDocumentsThatDoNotExist(t *testing.T) {
	b := builder(t, nil)
	b.Target.Documents = append(b.Target.Documents, "doc/none.txt")
	_, err := ReadDocuments(b.Target)
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "library gauge: document doc/none.txt:") {
		t.Errorf("got %v", err)
	}
}

// sequences move a gauge; only in the half that is not mined is a move longer than its top.
func sequences() []trial.Program {
	var list []trial.Program
	for i := range 8 {
		list = append(list, trial.Program{ID: fmt.Sprint(i), Lang: trial.C, Source: fmt.Sprintf("#include <gauge.h>\nvoid test(void) {\n"+
			"gauge *g = gauge_new(%d);\ngauge_up(g);\ngauge_move(g, %d);\ngauge_move(g, -%d);\ngauge_up(g);\ngauge_free(g);\n}\n", 5+i*i, 3*i+10*(i%2), i+1)})
	}
	return list
}

func TestObserve(t *testing.T) {
	b := builder(t, nil)
	base := &Base{Library: "gauge"}
	assert.NilError(t, b.observe(t.Context(), base, sequences()))
	found := map[string]Contract{}
	for _, a := range base.APIs {
		for _, c := range a.Contracts {
			_, where, _ := strings.Cut(c.Place, ":::")
			where, _, _ = strings.Cut(where, " ")
			found[a.Name+" "+where+" "+c.Shape] = c
		}
	}
	for shape, want := range map[string]Status{
		"gauge_move EXIT g->level == return":                 Open,
		"gauge_move EXIT g->top == orig(g->top)":             Open,
		"gauge_move EXIT g->moves - orig(g->moves) - 1 == 0": Open,
		"gauge_new EXIT return->level == 0":                  Open,
		"gauge_new EXIT return->top == orig(top)":            Open,
	} {
		if c, ok := found[shape]; !ok || c.Status != want || c.Source != Daikon || !strings.Contains(c.Reason, "holds in") {
			t.Errorf("%s: %+v", shape, c)
		}
	}
	rejected := 0
	for _, c := range found {
		assert.Check(t, !strings.Contains(c.Place, "ENTER"), "a property of these programs' arguments: %+v", c)
		if c.Status == Rejected && strings.HasPrefix(c.Reason, "it fails in runs") {
			rejected++
		}
		if strings.Contains(c.Shape, "gauge_free") || strings.HasPrefix(c.Place, "gauge_free") && strings.Contains(c.Place, "EXIT") && !strings.Contains(c.Shape, "orig(g)") {
			t.Errorf("what is freed was read: %+v", c)
		}
	}
	assert.Check(t, rejected != 0, "no accident of the one half fails in the other")
	if t.Failed() {
		text, _ := base.YAML()
		t.Logf("%s", text)
	}
}

func TestJudge(t *testing.T) {
	answer := `[{"n": 1, "verdict": "consistent", "reason": "it is what it returns"}, {"n": 2, "verdict": "contradicts", "reason": "no"}, {"n": 3, "verdict": "maybe", "reason": "?"}]`
	b := builder(t, map[string]string{stageJudge + " gauge_move": answer})
	base := &Base{Library: "gauge"}
	for _, shape := range []string{"g->level == return", "return == 3", "return != orig(by)", "g->top > 2"} {
		base.add("gauge_move", Contract{Kind: Relational, Text: "after every call observed", Shape: shape, Source: Daikon, Status: Open, Reason: "holds", By: "program"})
	}
	assert.NilError(t, base.Decide("gauge_move.4", Open, "I will ask upstream"))
	documents, err := ReadDocuments(b.Target)
	assert.NilError(t, err)
	assert.NilError(t, b.judge(t.Context(), base, documents))
	var got []string
	for _, c := range base.APIs[0].Contracts {
		got = append(got, fmt.Sprintf("%s %s: %s", c.Status, c.By, c.Reason))
	}
	want := "accepted model: consistent: it is what it returns\nrejected model: contradicts: no\n" +
		"open model: the model's verdict \"maybe\" is none of consistent, contradicts, accidental\nopen manual: I will ask upstream"
	assert.Check(t, strings.Join(got, "\n") == want, "got\n%s", strings.Join(got, "\n"))
}
