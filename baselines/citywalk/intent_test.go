package citywalk

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
	"github.com/lisa-bench/lisa-bench/internal/llm/provider"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func function(t *testing.T, w *workbook, name string) *focal {
	t.Helper()
	for _, f := range w.focals {
		if f.name == name {
			return f
		}
	}
	t.Fatalf("no function %s", name)
	return nil
}

func TestPassages(t *testing.T) {
	p := &project{text: map[string]string{
		"README.md": "# Title\n\nWhat the library is about, in one paragraph.\n\n## One\n\nThe first part has enough text to count.\n```\n# no heading in code, and long enough\n```\n" +
			"Two\n---\n\nThe second part has enough text too.\n\n## Licence\n\nCopyright of somebody, all of it reserved.\n",
		"CMakeLists.txt": "# A comment of the build that is long enough to be a passage.\n",
		"doc.txt":        strings.Repeat("A line of a long document without headings.\n", 60),
		"a.c":            "/* Counts the sheep that jump over the fence. */\nint sheep(void) { return 0; }\n// Short.\nint x;\n// Two lines of remarks about the following\n// function, joined to one passage.\nint y(void);\n",
	}, files: []string{"a.c"}}
	var got []string
	for _, a := range p.passages([]string{"CMakeLists.txt", "README.md", "doc.txt"}) {
		first, _, _ := strings.Cut(a.Text, "\n")
		got = append(got, fmt.Sprintf("%s: %s (%d)", a.Source, first, len(a.Text)))
	}
	want := []string{
		"README.md, Title: What the library is about, in one paragraph. (44)",
		"README.md, One: The first part has enough text to count. (86)",
		"README.md, Two: The second part has enough text too. (36)",
		"doc.txt: A line of a long document without headings. (1979)",
		"doc.txt: A line of a long document without headings. (659)",
		"a.c: Counts the sheep that jump over the fence. (72)",
		"a.c: Two lines of remarks about the following (86)",
	}
	if text := strings.Join(got, "\n"); text != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", text, strings.Join(want, "\n"))
	}
}

// TestDocumentsByVectors has an endpoint embed the passages, and looks at what is asked and kept.
func TestDocumentsByVectors(t *testing.T) {
	s := stackScript()
	c := serve(t, s)
	c.Stages = []llm.Stage{{Name: stageEmbedding, Settings: llm.Settings{Model: "embedder"}}}
	zero := 0.0
	c.Prices = append(c.Prices, llm.Price{Model: "embedder", Input: &zero, Output: &zero})
	g := mustGenerate(t, setting{library: "stack", config: c, budget: enough})
	assert.Check(t, len(g.how.Notes) == 1 && strings.Contains(g.how.Notes[0], "by embeddings"), "notes %q", g.how.Notes)
	text, err := os.ReadFile(g.transcript)
	assert.NilError(t, err)
	for _, id := range []string{"r0000-a-documents0001", "r0000-b-queries0001"} {
		assert.Check(t, strings.Contains(string(text), `"id":"`+id+`"`), "the transcript has no %s", id)
	}
	// What is nearest by the endpoint's own vectors must be what the prompt shows.
	w := book(t, "stack")
	f := function(t, w, "stack_pop")
	var scores []float64
	for _, p := range w.intents.passages {
		scores = append(scores, cosine(llmtest.Embedding(p.Source+"\n"+p.Text), llmtest.Embedding(f.query())))
	}
	nearest := w.intents.passages[best(scores, 1)[0]]
	for _, p := range s.prompts {
		if strings.Contains(p, "for the function `stack_pop`") && !strings.Contains(p, "From "+nearest.Source+":\n"+nearest.Text) {
			t.Errorf("the prompt lacks the nearest passage %q:\n%s", nearest.Text, p)
		}
	}
}

// TestRefusedEmbeddings: a batch of texts that is refused is asked text by text, and one refused alone has no vector.
func TestRefusedEmbeddings(t *testing.T) {
	e := llmtest.ServeModels(t, func(string, []llm.Message) string { return "" })
	e.Habit = func(n int64) llmtest.Habit { return map[int64]llmtest.Habit{1: llmtest.TooLong, 3: llmtest.TooLong}[n] }
	m, err := provider.Open(e.Config(), os.Getenv, slog.New(slog.DiscardHandler))
	assert.NilError(t, err)
	model, err := m.Session("c", llm.SessionOptions{Transcript: filepath.Join(t.TempDir(), llm.TranscriptFile),
		Ledger: trial.NewLedger(trial.Budget{}, trial.Usage{}, time.Now)})
	assert.NilError(t, err)
	defer model.Close()
	got, err := embedAll(t.Context(), model, "p", []string{"one", "two", "three"}, 3)
	missing := 0
	for _, v := range got {
		if len(v) == 0 {
			missing++
		}
	}
	assert.Check(t, err == nil && len(got) == 3 && missing == 1, "%d vectors, %d missing, %v", len(got), missing, err)
}
