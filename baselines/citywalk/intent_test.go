package citywalk

import (
	"fmt"
	"strings"
	"testing"
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
