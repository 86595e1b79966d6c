package citywalk

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// TestSwitchedOffPartsReachNoPrompt: what a part of the prompt tells is in it with that part, and not
// without.
func TestSwitchedOffPartsReachNoPrompt(t *testing.T) {
	for _, c := range []struct {
		part, library, function string
		off                     func(*options)
		tells                   []string
	}{
		{"configuration", "text", "text::Trimmer::Trim", func(o *options) { o.Configuration = false }, []string{"gtest/gtest.h", "third-party librar"}},
		{"cross_file", "stack", "stack_push", func(o *options) { o.CrossFile = false }, []string{"CROSS_FILE_DEP", "of other files that make or release"}},
		{"intentions", "stack", "stack_push", func(o *options) { o.Intentions = false }, []string{"INTENT_CONTEXT", "Code that calls"}},
		{"guidelines", "stack", "stack_push", func(o *options) { o.Guidelines = false }, []string{"DOMAIN_KNOWLEDGE", "Initialise every object"}},
	} {
		w := book(t, c.library)
		render := func() string {
			messages, err := prompts.Messages("test", w.testPage(function(t, w, c.function)))
			assert.NilError(t, err)
			return messages[len(messages)-1].Content
		}
		with := render()
		c.off(&w.options)
		without := render()
		for _, text := range c.tells {
			assert.Check(t, !strings.Contains(without, text), "without %s the prompt has %q", c.part, text)
		}
		assert.Check(t, strings.Contains(with, c.tells[0]),
			"with %s the prompt lacks %q:\n%s", c.part, c.tells[0], with)
	}
}
