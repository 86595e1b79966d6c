package render

import (
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

func TestEscapes(t *testing.T) {
	tests := []struct{ name, in, latex, markdown string }{
		{"plain", "a b", "a b", "a b"},
		{"special", `50% & $x_1 #~^\{}`, `50\% \& \$x\_\allowbreak{}1 \#\textasciitilde{}\textasciicircum{}\textbackslash{}\{\}`, `50% &amp; $x\_1 \#\~^\\{}`},
		{"table", "a|b\n<c>", `a\textbar{}b \textless{}c\textgreater{}`, `a\|b<br>&lt;c&gt;`},
		{"no glyph", "漢", `{[}U+6F22{]}`, "漢"},
		{"own signs", "±–", `$\pm$--`, "±–"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Check(t, is.Equal(escapeLaTeX(tt.in), tt.latex), "LaTeX")
			assert.Check(t, is.Equal(escapeMarkdown(tt.in), tt.markdown), "Markdown")
		})
	}
}
