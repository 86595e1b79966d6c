package render

import "testing"

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
			if got := escapeLaTeX(tt.in); got != tt.latex {
				t.Errorf("LaTeX: got %s, want %s", got, tt.latex)
			}
			if got := escapeMarkdown(tt.in); got != tt.markdown {
				t.Errorf("Markdown: got %s, want %s", got, tt.markdown)
			}
		})
	}
}
