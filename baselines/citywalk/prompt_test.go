package citywalk

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"
)

// TestPrompts shows what a model is asked, in testdata/*.golden.md.
func TestPrompts(t *testing.T) {
	c, cxx := book(t, "stack"), book(t, "text")
	plain := *c
	plain.options = options{}
	broken := &item{Source: brokenPop, Data: draft{focal: function(t, c, "stack_pop"), diagnostic: "p.c:7:22: error: call to undeclared function 'stack_top'\n"}}
	for name, asked := range map[string]struct {
		prompt string
		page   page
	}{
		"test_c":       {"test", c.testPage(function(t, c, "stack_push"))},
		"test_c_plain": {"test", plain.testPage(function(t, c, "stack_push"))},
		"test_cxx":     {"test", cxx.testPage(function(t, cxx, "text::Trimmer::Trim"))},
		"fix":          {"fix", c.fixPage(broken)},
	} {
		messages, err := prompts.Messages(asked.prompt, asked.page)
		assert.NilError(t, err)
		var text strings.Builder
		for _, m := range messages {
			text.WriteString("<!-- " + m.Role + " -->\n\n" + m.Content + "\n")
		}
		golden.Assert(t, text.String(), name+".golden.md")
	}
}
