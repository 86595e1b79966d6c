package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/run/harness"
)

// TestParameters holds the reference's table of parameters to what bench list tools NAME prints.
func TestParameters(t *testing.T) {
	var b strings.Builder
	b.WriteString("| tool | parameter | value | default | meaning |\n|---|---|---|---|---|\n")
	var rows []string
	tools := map[string][]string{} // by row
	for _, k := range harness.Kinds {
		for _, p := range k.Parameters() {
			assert.Check(t, p.Name != "" && p.Doc != "", "%s: a parameter without name or meaning: %+v", k.Name(), p)
			row := fmt.Sprintf("`%s` | %s | %s | %s |\n", p.Name, p.Value, p.Default, p.Doc)
			if p.Name == "model" { // each tool that asks a model has it
				continue
			}
			if tools[row] == nil {
				rows = append(rows, row)
			}
			tools[row] = append(tools[row], "`"+k.Name()+"`")
		}
	}
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s | %s", strings.Join(tools[row], ", "), row)
	}
	sameBlock(t, "../../docs/reference/experiments.md", "parameters", b.String())
}

// sameBlock holds what a document has between the marks NAME and "end of NAME" to what the program says; -update
// writes it.
func sameBlock(t *testing.T, file, name, want string) {
	t.Helper()
	begin, end, text := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->", readFile(t, file)
	before, rest, _ := strings.Cut(text, begin)
	_, after, found := strings.Cut(rest, end)
	assert.Assert(t, found, "%s has no marks %q", file, name)
	golden.Assert(t, before+begin+want+end+after, filepath.Join("..", file))
}
