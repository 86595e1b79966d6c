package batch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// TestDocsShowTheFormats holds docs/howto/models.md to what is really written and read.
func TestDocsShowTheFormats(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "howto", "models.md"))
	assert.NilError(t, err)
	docs := string(data)
	r := named(1)[0]
	input, err := (&directory{}).line(r)
	assert.NilError(t, err)
	for name, want := range map[string]string{"a batch's input": string(input), "a custom id": "answers/" + customID(r) + ".md"} {
		assert.Check(t, strings.Contains(docs, want), "docs/howto/models.md does not show %s as it is:\n%s", name, want)
	}
	from := strings.Index(docs, `{"custom_id":"`+customID(r)+`","text"`)
	assert.Assert(t, from >= 0, "docs/howto/models.md has no answer in the short form")
	short, _, _ := strings.Cut(docs[from:], "\n")
	a, err := given{line: gjson.Parse(short)}.answer(r, 1000)
	assert.NilError(t, err)
	code, o := llm.Program(a)
	assert.Check(t, o == llm.Code && code == "void f(void)\n{\n}\n", "the short form holds %s %q", o, code)
}
