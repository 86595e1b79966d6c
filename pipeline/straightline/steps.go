package straightline

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clangast"
)

// A Step is a part of a test function: from its marker to the line before the next one, the
// last to the end of the function. The paper splits programs there (sec:chunk-inv-gen).
type Step struct {
	Number    int `json:"number"`     // as written
	FirstLine int `json:"first_line"` // of the marker, 1-based
	LastLine  int `json:"last_line"`
}

// A marker is a // STEPn comment.
type marker struct{ number, line int }

var markerText = regexp.MustCompile(`(?i)^//\s*STEP\s*(\d{1,4})\b`)

// markers returns the step markers of a source: line comments that stand alone on their line.
func markers(source string) []marker {
	var found []marker
	scan(source, func(kind tokenKind, text string, line int, alone bool) {
		if m := markerText.FindStringSubmatch(text); kind == lineComment && alone && m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				found = append(found, marker{n, line})
			}
		}
	})
	return found
}

// steps returns the parts of a function, and what keeps the program from being split there:
// "" if nothing does.
func steps(f *clangast.Node, all []marker) (parts []Step, problem string) {
	block := f.Body()
	first, last := block.Range.Begin.Line, block.Range.End.Line
	for _, m := range all {
		if m.line <= first || m.line > last {
			continue
		}
		if n := len(parts); n > 0 {
			parts[n-1].LastLine = m.line - 1
			if problem == "" && m.number != parts[n-1].Number+1 {
				problem = fmt.Sprintf("line %d: STEP%d follows STEP%d", m.line, m.number, parts[n-1].Number)
			}
		} else if m.number != 1 {
			problem = fmt.Sprintf("line %d: the first marker is STEP%d", m.line, m.number)
		}
		if problem == "" {
			problem = inside(block, m)
		}
		parts = append(parts, Step{Number: m.number, FirstLine: m.line, LastLine: last})
	}
	if len(parts) == 0 {
		problem = "no // STEP1 marker"
	}
	return parts, problem
}

// inside says which statement of the block a marker cuts in two, or "".
func inside(block *clangast.Node, m marker) string {
	for _, n := range block.Inner {
		if n != nil && n.Range.Begin.Line < m.line && m.line <= n.Range.End.Line {
			return fmt.Sprintf("line %d: STEP%d is inside the statement of line %d", m.line, m.number, n.Range.Begin.Line)
		}
	}
	return ""
}

// assign gives each call the step that holds its line.
func assign(calls []Call, parts []Step) {
	for i := range calls {
		for _, s := range parts {
			if s.FirstLine <= calls[i].Line && calls[i].Line <= s.LastLine {
				calls[i].Step = s.Number
			}
		}
	}
}

// A tokenKind is what scan found.
type tokenKind int

const (
	word tokenKind = iota
	lineComment
)

// scan calls found for each word and each // comment of a source, outside strings and other
// comments. alone says that nothing else stands before it on its line.
func scan(source string, found func(kind tokenKind, text string, line int, alone bool)) {
	line, alone := 1, true
	for i := 0; i < len(source); {
		rest := source[i:]
		n := 1
		switch c := rest[0]; {
		case c == '\n':
			line++
			alone = true
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case strings.HasPrefix(rest, "//"):
			n = lineCommentLen(rest)
			found(lineComment, strings.TrimSpace(rest[:n]), line, alone)
		case strings.HasPrefix(rest, "/*"):
			n = len(rest)
			if end := strings.Index(rest[2:], "*/"); end >= 0 {
				n = end + 4
			}
		case c == '"' || c == '\'':
			n = quotedLen(rest)
		case isWord(c):
			for n < len(rest) && isWord(rest[n]) {
				n++
			}
			if rest[:n] == "R" || strings.HasSuffix(rest[:n], "8R") || rest[:n] == "LR" || rest[:n] == "uR" || rest[:n] == "UR" {
				n += rawLen(rest[n:])
			} else {
				found(word, rest[:n], line, alone)
			}
		}
		line += strings.Count(rest[:n], "\n")
		alone = false
		i += n
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// lineCommentLen returns the length of a // comment, which a backslash continues.
func lineCommentLen(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' && !strings.HasSuffix(strings.TrimRight(s[:i], "\r"), `\`) {
			return i
		}
	}
	return len(s)
}

// quotedLen returns the length of a string or character literal; a stray quote ends with its
// line, as an apostrophe between digits does with the next.
func quotedLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\n':
			return i
		case s[0]:
			return i + 1
		}
	}
	return len(s)
}

// rawLen returns the length of a raw string's "delimiter(…)delimiter", or 0 if it is none.
func rawLen(s string) int {
	open := strings.IndexByte(s, '(')
	if open < 1 || s[0] != '"' || open > 17 {
		return 0
	}
	closing := ")" + s[1:open] + `"`
	if end := strings.Index(s[open:], closing); end >= 0 {
		return open + end + len(closing)
	}
	return len(s)
}
