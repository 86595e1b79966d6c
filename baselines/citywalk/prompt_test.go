package citywalk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// TestPrompts shows what a model is asked, in testdata/*.golden.md.
func TestPrompts(t *testing.T) {
	c, cxx := book(t, "stack"), book(t, "text")
	plain := *c
	plain.options = Options{}
	for name, ask := range map[string]func() ([]llm.Message, error){
		"test_c":       func() ([]llm.Message, error) { return c.testPrompt(function(t, c, "stack_push")) },
		"test_c_plain": func() ([]llm.Message, error) { return plain.testPrompt(function(t, c, "stack_push")) },
		"test_cxx":     func() ([]llm.Message, error) { return cxx.testPrompt(function(t, cxx, "text::Trimmer::Trim")) },
		"fix": func() ([]llm.Message, error) {
			return c.fixPrompt(&draft{focal: function(t, c, "stack_pop"), source: brokenPop, diagnostic: "p.c:7:22: error: call to undeclared function 'stack_top'\n"})
		},
	} {
		messages, err := ask()
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for _, m := range messages {
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
