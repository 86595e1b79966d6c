package llm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// TestDocsShowTheFormats holds docs/howto/models.md to what is really written and read.
func TestDocsShowTheFormats(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "howto", "models.md"))
	assert.NilError(t, err)
	docs := string(data)
	want := recorded(t, 1)
	assert.Check(t, strings.Contains(docs, want), "docs/howto/models.md does not show a transcript as it is:\n%s", want)
	for _, o := range Outcomes {
		assert.Check(t, strings.Contains(docs, "`"+string(o)+"`"), "docs/howto/models.md does not explain outcome %s", o)
	}
	for _, f := range []Fault{FaultKey, FaultQuota, FaultModel, FaultRequest, FaultUnreachable, FaultRate, FaultServer, FaultTimeout, FaultCut, FaultMalformed, FaultContentType} {
		assert.Check(t, strings.Contains(docs, "`"+string(f)+"`"), "docs/howto/models.md does not explain fault %s", f)
	}
}
