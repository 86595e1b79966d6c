package toolchain

import (
	"regexp"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
)

// A preamble is the run of preprocessor directives, comments and blank lines at the start
// of a source, up to its last #include outside any conditional.
type preamble struct {
	// canonical is the directives alone, one logical line each: two programs that differ
	// only in comments and layout between their includes share one precompiled header.
	canonical string
	includes  map[int]int // line in the source of each #include, by its line in canonical
	lines     int         // newlines up to the end of the preamble
	body      string      // the rest of the source
}

// splitPreamble splits a source. It takes less rather than more: what it does not
// recognise ends the preamble, and ok is false if no #include comes before that.
func splitPreamble(source string) (p preamble, ok bool) {
	if strings.Contains(source, "\r") {
		return p, false // alone it ends a line for clang, and not for clex
	}
	s := scanner{src: source}
	p.includes = map[int]int{}
	var directives []string
	depth, end, line := 0, 0, 1
	for {
		d, more := s.directive()
		if !more {
			break
		}
		switch d.name {
		case "if", "ifdef", "ifndef":
			depth++
		case "endif":
			depth--
		}
		if depth < 0 {
			break // not ours to explain: the compiler will
		}
		directives = append(directives, d.text)
		if d.name == "include" {
			p.includes[line] = strings.Count(source[:d.pos], "\n") + 1
		}
		line += strings.Count(d.text, "\n") + 1
		if d.name == "include" && depth == 0 {
			end, p.canonical = s.pos, strings.Join(directives, "\n")+"\n"
		}
	}
	p.lines, p.body = strings.Count(source[:end], "\n"), source[end:]
	return p, p.lines > 0 && strings.HasSuffix(source[:end], "\n")
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
//   - A lone \r ends a line for clang and not for the scanner here.
//   - __has_include can see the directory where the other programs are.
func sharesProcess(source string, p preamble) bool {
	text := spliced.ReplaceAllString(p.canonical+p.body, "")
	return !strings.ContainsAny(source, "\r\x00") &&
		!strings.Contains(text, "__has_include") && !strings.Contains(text, "__has_embed") &&
		!pragmaMention.MatchString(text) &&
		!lateInclude.MatchString(spliced.ReplaceAllString(p.body, ""))
}

// A scanner reads preprocessor directives from the start of a source.
type scanner struct {
	src string
	pos int
}

type directive struct {
	name, text string
	pos        int // of its # in the source
}

// preambleDirectives are the directives that may stand in a preamble, beside include.
// #line and #pragma would change how the body is read, #error is a verdict.
var preambleDirectives = map[string]bool{
	"define": true, "undef": true, "if": true, "ifdef": true, "ifndef": true,
	"elif": true, "else": true, "endif": true,
}

var includeForm = regexp.MustCompile(`^#[ \t]*include[ \t]*(<[^>\n]+>|"[^"\n]+")`)

var directiveName = regexp.MustCompile(`^#[ \t]*([a-z_]+)\b`)

// directive reads the next directive through the end of its line. ok is false where
// anything else comes first.
func (s *scanner) directive() (d directive, ok bool) {
	pos, ok := skipBlank(s.src, s.pos, true)
	if !ok || pos >= len(s.src) {
		return directive{}, false
	}
	rest := s.src[pos:]
	if m := includeForm.FindStringSubmatch(rest); m != nil {
		end, ok := skipBlank(s.src, pos+len(m[0]), false)
		if !ok || end < len(s.src) && s.src[end] != '\n' {
			return directive{}, false
		}
		s.pos = min(end+1, len(s.src))
		return directive{"include", "#include " + m[1], pos}, true
	}
	m := directiveName.FindStringSubmatch(rest)
	if m == nil || !preambleDirectives[m[1]] {
		return directive{}, false
	}
	end, ok := directiveEnd(s.src, pos)
	if !ok {
		return directive{}, false
	}
	s.pos = min(end+1, len(s.src))
	return directive{m[1], s.src[pos:end], pos}, true
}

// skipBlank skips blanks and comments from pos, newlines too if asked. ok is false in an
// unterminated comment.
func skipBlank(src string, pos int, newlines bool) (end int, ok bool) {
	for pos < len(src) {
		kind, end := clex.At(src, pos)
		switch {
		case kind == clex.Comment && !closed(src[pos:end]):
			return pos, false
		case kind != clex.Comment && kind != clex.Space && !(kind == clex.Newline && newlines):
			return pos, true
		}
		pos = end
	}
	return pos, true
}

// closed reports whether a comment has an end.
func closed(comment string) bool {
	return strings.HasPrefix(comment, "//") || len(comment) > 3 && strings.HasSuffix(comment, "*/")
}

// directiveEnd returns the position of the newline that ends the directive at pos, which
// a continuation or a comment may put several lines further down.
func directiveEnd(src string, pos int) (end int, ok bool) {
	for pos < len(src) {
		kind, end := clex.At(src, pos)
		switch {
		case kind == clex.Newline:
			return pos, true
		case kind == clex.Comment && !closed(src[pos:end]):
			return pos, false
		}
		pos = end
	}
	return pos, true
}
