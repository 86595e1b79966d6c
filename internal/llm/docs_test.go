package llm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocsShowTheFormats holds docs/howto/models.md to what is really written and read.
func TestDocsShowTheFormats(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "howto", "models.md"))
	if err != nil {
		t.Fatal(err)
	}
	docs := string(data)
	if want := recorded(t, 1); !strings.Contains(docs, want) {
		t.Errorf("docs/howto/models.md does not show a transcript as it is:\n%s", want)
	}
	for _, o := range Outcomes {
		if !strings.Contains(docs, "`"+string(o)+"`") {
			t.Errorf("docs/howto/models.md does not explain outcome %s", o)
		}
	}
	for _, f := range []Fault{FaultKey, FaultQuota, FaultModel, FaultRequest, FaultUnreachable, FaultRate, FaultServer, FaultTimeout, FaultCut, FaultMalformed, FaultContentType} {
		if !strings.Contains(docs, "`"+string(f)+"`") {
			t.Errorf("docs/howto/models.md does not explain fault %s", f)
		}
	}
}
