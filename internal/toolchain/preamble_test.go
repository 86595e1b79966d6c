package toolchain

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestSplitPreamble(t *testing.T) {
	const io = "#include <stdio.h>\n"
	tests := []struct {
		name, source string
		canonical    string // "" if there is none
		body         string
	}{
		{"plain", io + "int x;", io, "int x;"},
		{"comments and layout", "/* a\n b */\n\n  //c\n#  include <stdio.h> // e\n\nint x;", io, "\nint x;"},
		{"continued comment ends it", io + "// a \\\n#include <a.h>\n", io, "// a \\\n#include <a.h>\n"},
		{"directives after the last include stay", io + "#define A 1\nint x;", io, "#define A 1\nint x;"},
		{"directives before it go", "#define A 1 // one\n" + io + "int x;", "#define A 1\n" + io, "int x;"},
		{"continued define ends it", io + "#define A \\\n 1\n" + io, io, "#define A \\\n 1\n" + io},
		{"conditional ends it", io + "#if A\n#include <a.h>\n#endif", io, "#if A\n#include <a.h>\n#endif"},
		{"code first", "int x;\n" + io, "", ""},
		{"macro include", "#include A\n" + io, "", ""},
		{"line directive ends it", io + "#line 5\n#include <a.h>\n", io, "#line 5\n#include <a.h>\n"},
		{"pragma ends it", io + "#pragma once\n#include <a.h>\n", io, "#pragma once\n#include <a.h>\n"},
		{"comment that hides a line's end", io + "#include <a.h> /*\n*/ int x;\n", io, "#include <a.h> /*\n*/ int x;\n"},
		{"unterminated comment", io + "/* \n#include <a.h>\n", io, "/* \n#include <a.h>\n"},
		{"no newline at the end", "#include <stdio.h>", "", ""},
		{"empty", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, ok := splitPreamble(tt.source)
			if !ok {
				p = preamble{}
			}
			assert.Check(t, p.canonical == tt.canonical && p.body == tt.body, "got %q and %q", p.canonical, p.body)
		})
	}
}

func FuzzSplitPreamble(f *testing.F) {
	for _, u := range corpus() {
		f.Add(u.Source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		p, ok := splitPreamble(source)
		if !ok {
			return
		}
		assert.Assert(t, strings.HasSuffix(source, p.body), "body %q is not the end of the source", p.body)
		// Every line and byte of the body must keep its number.
		blanked := p.blanked(source)
		if len(blanked) != len(source) || strings.Count(blanked, "\n") != strings.Count(source, "\n") || !strings.HasSuffix(blanked, "\n"+p.body) {
			t.Errorf("%q became %q", source, blanked)
		}
		if again, ok := splitPreamble(p.canonical); !ok || again.canonical != p.canonical || again.body != "" {
			t.Errorf("canonical %q is split into %q and %q", p.canonical, again.canonical, again.body)
		}
	})
}
