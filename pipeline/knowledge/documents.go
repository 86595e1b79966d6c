package knowledge

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A document is one text of the library, with its lines.
type document struct {
	name  string // relative to the tree, or a header's name
	text  string
	flat  string   // without layout, comment marks and white space
	at    []int    // byte of flat → byte of text
	prose [][2]int // bytes from, to of text that can tell something: of a header, its comments
}

// readDocuments reads a library's public headers and its documents. One that does not exist is an
// error: the recipe names it.
func readDocuments(t trial.Target) ([]*document, error) {
	var list []*document
	seen := map[string]bool{}
	add := func(name, path string) error {
		data, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("library %s: document %s: %w", t.Library, name, err)
		}
		if text := string(data); !seen[text] { // a header may be both
			seen[text] = true
			list = append(list, newDocument(name, strings.ToValidUTF8(text, "?")))
		}
		return nil
	}
	for _, name := range t.Documents {
		if err := add(name, filepath.Join(t.SourceDir, name)); err != nil {
			return nil, err
		}
	}
next:
	for _, h := range t.Headers {
		for _, dir := range t.IncludeDirs {
			path := filepath.Join(dir, h)
			if _, err := os.Stat(path); err == nil {
				if err := add(h, path); err != nil {
					return nil, err
				}
				continue next
			}
		}
		return nil, fmt.Errorf("library %s: header %s is in none of %s", t.Library, h, strings.Join(t.IncludeDirs, ", "))
	}
	return list, nil
}

func newDocument(name, text string) *document {
	d := &document{name: name, text: text, prose: [][2]int{{0, len(text)}}}
	d.flat, d.at = flatten(text)
	if headerName.MatchString(name) {
		d.prose = nil
		for t := range clex.Tokens(text) {
			if t.Kind == clex.Comment {
				d.prose = append(d.prose, [2]int{t.Start, t.End})
			}
		}
	}
	return d
}

var (
	headerName = regexp.MustCompile(`\.(?:h|hh|hpp|hxx|h\+\+)$`)
	ownComment = regexp.MustCompile(`(?m)^[ \t]*/[*/]`) // with lines of its own
	directive  = regexp.MustCompile(`^[ \t]*#`)
)

// tells reports whether a mention of the name in a line, which begins at byte start, may tell
// something; window are the lines around it. The many declarations and macros of a header that come without
// a comment do not.
func (d *document) tells(name *regexp.Regexp, start int, line, window string) bool {
	for _, m := range name.FindAllStringIndex(line, -1) {
		if slices.ContainsFunc(d.prose, func(p [2]int) bool { return p[0] <= start+m[0] && start+m[1] <= p[1] }) {
			return true
		}
	}
	return !directive.MatchString(line) && ownComment.MatchString(window)
}

var (
	roffLine = regexp.MustCompile(`^[.'][A-Za-z\\]`)
	roffFont = regexp.MustCompile(`\\f[BIRP]|\\&|\\c`)
	tag      = regexp.MustCompile(`</?[a-zA-Z][^<>\n]*>`)
)

// flatten removes layout: the marks of comments at the beginnings of lines, roff's requests and
// fonts, HTML's tags, and all white space: a manual page sets "moves ," where it prints "moves,".
func flatten(text string) (flat string, at []int) {
	drop := make([]bool, len(text))
	mark := func(from, to int) {
		for i := from; i < to; i++ {
			drop[i] = true
		}
	}
	start := 0
	for line := range strings.Lines(text) {
		body := strings.TrimLeft(line, " \t")
		indent := len(line) - len(body)
		if marks := len(body) - len(strings.TrimLeft(body, "/*!<")); marks > 0 {
			mark(start+indent, start+indent+marks)
		}
		if end := strings.Index(line, "*/"); end >= 0 {
			mark(start+end, start+end+2)
		}
		if roffLine.MatchString(line) {
			word, _, _ := strings.Cut(line, " ")
			mark(start, start+len(word))
		}
		start += len(line)
	}
	for _, re := range []*regexp.Regexp{roffFont, tag} {
		for _, m := range re.FindAllStringIndex(text, -1) {
			mark(m[0], m[1])
		}
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		blank := r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f' || r == 0xa0 || drop[i]
		switch {
		case r == '\\' && i+1 < len(text) && (text[i+1] == '-' || text[i+1] == '\\'): // roff
		case !blank:
			b.WriteString(text[i : i+size])
			for range size {
				at = append(at, i)
			}
		}
		i += size
	}
	return b.String(), at
}

// The least that a passage must have to support anything.
const minPassageWords, minPassageBytes = 3, 12

// find returns the place of a passage in the documents, as name:line; why is set if there is
// none.
func find(documents []*document, passage string) (place, why string) {
	flat, _ := flatten(passage)
	flat = strings.Trim(flat, "\"“”…")
	if len(strings.Fields(passage)) < minPassageWords || len(flat) < minPassageBytes {
		return "", "the passage is too short to support anything"
	}
	for _, d := range documents {
		if i := strings.Index(d.flat, flat); i >= 0 {
			return fmt.Sprintf("%s:%d", d.name, 1+strings.Count(d.text[:d.at[i]], "\n")), ""
		}
	}
	return "", "the passage is in none of the documents"
}

// Limits of what one prompt shows of the documents.
const (
	maxExcerptBytes = 6000
	excerptLines    = 12 // around each mention
)

// excerpts returns the parts of the documents that mention a function by one of its names,
// headers first as they come last in the list and say most.
func excerpts(documents []*document, names ...string) []excerpt {
	patterns := make([]string, len(names))
	for i, name := range names {
		patterns[i] = regexp.QuoteMeta(name[strings.LastIndex(name, ":")+1:])
	}
	name := regexp.MustCompile(`\b(?:` + strings.Join(patterns, "|") + `)\b`)
	var list []excerpt
	left := maxExcerptBytes
	for i := len(documents) - 1; i >= 0; i-- {
		d := documents[i]
		all := strings.SplitAfter(d.text, "\n")
		start := 0 // byte of line n
		shown := 0 // lines before this one are
		for n, line := range all {
			at := start
			start += len(line)
			first, last := max(shown, n-excerptLines), min(len(all), n+excerptLines+1)
			if n < shown || !name.MatchString(line) {
				continue
			}
			text := strings.Join(all[first:last], "")
			if !d.tells(name, at, line, text) {
				continue
			}
			if len(text) > left {
				return list
			}
			left -= len(text)
			list = append(list, excerpt{fmt.Sprintf("%s, lines %d to %d", d.name, first+1, last), strings.TrimRight(text, "\n")})
			shown = last
		}
	}
	return list
}

// An excerpt is a part of a document.
type excerpt struct{ Place, Text string }
