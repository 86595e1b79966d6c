package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/run/harness"
)

// TestParameters holds the reference's table of parameters to what bench list tools NAME prints.
func TestParameters(t *testing.T) {
	const reference = "../../docs/reference/experiments.md"
	var b strings.Builder
	b.WriteString("<!-- parameters -->\n| tool | parameter | value | default | meaning |\n|---|---|---|---|---|\n")
	for _, k := range harness.Kinds {
		for _, p := range k.Parameters() {
			if p.Name == "" || p.Doc == "" {
				t.Errorf("%s: a parameter without name or meaning: %+v", k.Name(), p)
			}
			if p.Name != "model" { // each tool that asks a model has it
				fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s |\n", k.Name(), p.Name, p.Value, p.Default, p.Doc)
			}
		}
	}
	text := readFile(t, reference)
	before, rest, _ := strings.Cut(text, "<!-- parameters -->\n")
	_, after, found := strings.Cut(rest, "<!-- end of parameters -->")
	got := before + b.String() + "<!-- end of parameters -->" + after
	if *update {
		if err := os.WriteFile(reference, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !found || got != text {
		t.Errorf("%s is not of the tools: go test ./cmd/bench -run TestParameters -update", reference)
	}
}
