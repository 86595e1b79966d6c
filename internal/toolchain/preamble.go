package toolchain

import (
	"regexp"
	"strings"
)

// A preamble is the run of #include and #define lines, comments and blank lines at the start of a source, up to its last
// #include there.
type preamble struct {
	// canonical is the directives alone: two programs that differ only in comments and layout between their includes
	// share one precompiled header.
	canonical string
	lines     int    // newlines up to the end of the preamble
	body      string // the rest of the source
}

// preamblePiece is one piece of a preamble: blanks, a comment, or a directive, which is the submatch. A line that
// continues on the next is none.
var preamblePiece = regexp.MustCompile(`\A(?:\s+|//[^\n\\]*\n|(?s:/\*.*?\*/)|` +
	`(#[ \t]*(?:include[ \t]*(?:<[^>\n]+>|"[^"\n]+")|define[ \t][^\n\\/"']*))[ \t]*(?://[^\n\\]*|/\*[^\n*]*\*/[ \t]*)?\n)`)

// splitPreamble splits a source. It takes less rather than more: what it does not
// recognise ends the preamble, and ok is false if no #include comes before that.
func splitPreamble(source string) (p preamble, ok bool) {
	if strings.ContainsAny(source, "\r\x00") {
		return p, false // alone \r ends a line for clang
	}
	var directives strings.Builder
	end := 0
	for pos := 0; ; {
		m := preamblePiece.FindStringSubmatchIndex(source[pos:])
		if m == nil {
			break
		}
		if m[2] >= 0 {
			name := strings.Trim(source[pos+m[2]+1:pos+m[3]], " \t")
			directives.WriteString("#" + name + "\n")
			if strings.HasPrefix(name, "include") {
				end, p.canonical = pos+m[1], directives.String()
			}
		}
		pos += m[1]
	}
	p.lines, p.body = strings.Count(source[:end], "\n"), source[end:]
	return p, end > 0
}

// blanked returns the source with blanks in place of its preamble, so that the compiler's line
// numbers and offsets are the source's own.
func (p preamble) blanked(source string) string {
	return strings.Repeat(" ", len(source)-len(p.body)-p.lines) + strings.Repeat("\n", p.lines) + p.body
}

var (
	spliced       = regexp.MustCompile(`\\[ \t]*\n`)
	lateInclude   = regexp.MustCompile(`(?s)(#|%:)(\s|/\*.*?\*/)*(include|import|embed|__include_macros)`)
	pragmaMention = regexp.MustCompile(`(?i)pragma|(GCC|clang)\s+diagnostic`)
)

// sharesProcess reports whether a program may be compiled in one process with others.
//   - A pragma for diagnostics stays in force at the same offsets of the next input of
//     that process: the second program would be accepted with the first one's exceptions.
//   - An include after the preamble could find the file of another program of the batch.
//   - __has_include can see the directory where the other programs are.
func sharesProcess(p preamble) bool {
	body := spliced.ReplaceAllString(p.body, "")
	text := p.canonical + body
	return !strings.Contains(text, "__has_include") && !strings.Contains(text, "__has_embed") &&
		!pragmaMention.MatchString(text) && !lateInclude.MatchString(body)
}
