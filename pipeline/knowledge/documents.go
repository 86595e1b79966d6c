package knowledge

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A document is one text of the library, with its lines.
type document struct {
	name  string // relative to the tree, or a header's name
	text  string
	flat  string   // without layout, comment marks and white space
	lines []int    // bytes of flat at which lines of text begin
	prose [][2]int // bytes from, to of text that can tell something: of a header, its comments
}

// Documents are the texts that tell how a library behaves: its documents, then its public headers.
type Documents []*document

// ReadDocuments reads a library's public headers and its documents. One that does not exist is an
// error: the recipe names it.
func ReadDocuments(t trial.Target) (Documents, error) {
	var list Documents
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
	paths, err := apispec.FindHeaders(t)
	if err != nil {
		return nil, fmt.Errorf("library %s: %w", t.Library, err)
	}
	for i, path := range paths {
		if err := add(t.Headers[i], path); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Headers are the documents that are headers, or, with false, those that are none.
func (l Documents) Headers(yes bool) Documents {
	return lists.Filter(l, func(d *document) bool { return headerName.MatchString(d.name) == yes })
}

func newDocument(name, text string) *document {
	d := &document{name: name, text: text, prose: [][2]int{{0, len(text)}}}
	for line := range strings.Lines(text) {
		d.lines = append(d.lines, len(d.flat))
		d.flat += flatten(line)
	}
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
	noText    = regexp.MustCompile(`\\f[BIRP]|\\&|\\c|</?[a-zA-Z][^<>\n]*>`) // fonts of roff, tags of HTML
	marks     = regexp.MustCompile(`^[ \t]*[/*!<]+`)                         // of a comment
	roffWord  = regexp.MustCompile(`^[.'][A-Za-z\\]\S*`)                     // a request
	blank     = regexp.MustCompile(`[ \t\n\r\f\x{a0}]+`)
	roffSlash = regexp.MustCompile(`\\([-\\])`)
)

// flatten removes layout from a line. It drops comment marks at its beginning, roff requests and fonts, HTML tags, and
// all white space: a manual page has "moves ," in its source where it prints "moves,".
func flatten(line string) string {
	line = roffWord.ReplaceAllString(noText.ReplaceAllString(line, ""), "")
	line = strings.Replace(marks.ReplaceAllString(line, ""), "*/", "", 1)
	return roffSlash.ReplaceAllString(blank.ReplaceAllString(line, ""), "$1")
}

// The least that a passage must have to support anything.
const minPassageWords, minPassageBytes = 3, 12

// Find returns the place of a passage in the documents, as name:line; why is set if there is
// none.
func (l Documents) Find(passage string) (place, why string) {
	flat := ""
	for line := range strings.Lines(passage) {
		flat += flatten(line)
	}
	flat = strings.Trim(flat, "\"“”…")
	if len(strings.Fields(passage)) < minPassageWords || len(flat) < minPassageBytes {
		return "", "the passage is too short to support anything"
	}
	for _, d := range l {
		if i := strings.Index(d.flat, flat); i >= 0 {
			line := sort.Search(len(d.lines), func(n int) bool { return d.lines[n] > i })
			return fmt.Sprintf("%s:%d", d.name, line), ""
		}
	}
	return "", "the passage is in none of the documents"
}

const (
	excerptLines = 12   // around each mention
	leastShare   = 1500 // bytes of excerpts for one of several functions
)

// Excerpts returns the parts of the documents that mention a function by one of its names, at most that many
// bytes. Headers come first, because they say most. Each function has an equal share of these, or enough for
// one excerpt as long as there is room. Nothing is shown twice.
func (l Documents) Excerpts(most int, functions ...[]string) []Excerpt {
	shown := make([]map[int]bool, len(l)) // lines, by document
	for i := range shown {
		shown[i] = map[int]bool{}
	}
	var list []Excerpt
	for n, names := range functions {
		left := min(most, max(most/(len(functions)-n), leastShare))
		before := left
		for i := len(l) - 1; i >= 0 && left > 0; i-- {
			var more []Excerpt
			more, left = l[i].excerpts(shown[i], left, names)
			for j := range more {
				more[j].document = i
			}
			list = append(list, more...)
		}
		most -= before - max(left, 0)
	}
	slices.SortStableFunc(list, func(a, b Excerpt) int {
		return cmp.Or(cmp.Compare(b.document, a.document), cmp.Compare(a.line, b.line))
	})
	return list
}

// excerpts returns those of one document, until one does not fit into what is left: that is then 0.
func (d *document) excerpts(shown map[int]bool, left int, names []string) ([]Excerpt, int) {
	patterns := make([]string, len(names))
	for i, name := range names {
		patterns[i] = regexp.QuoteMeta(name[strings.LastIndex(name, ":")+1:])
	}
	name := regexp.MustCompile(`\b(?:` + strings.Join(patterns, "|") + `)\b`)
	all := strings.SplitAfter(d.text, "\n")
	var list []Excerpt
	start := 0 // byte of line n
	for n, line := range all {
		at := start
		start += len(line)
		if shown[n] || !name.MatchString(line) {
			continue
		}
		first, last := n, n+1
		for first > max(0, n-excerptLines) && !shown[first-1] {
			first--
		}
		for last < min(len(all), n+excerptLines+1) && !shown[last] {
			last++
		}
		text := strings.Join(all[first:last], "")
		if !d.tells(name, at, line, text) {
			continue
		}
		if len(text) > left {
			return list, 0
		}
		left -= len(text)
		place := fmt.Sprintf("%s, lines %d to %d", d.name, first+1, last)
		list = append(list, Excerpt{Place: place, Text: strings.TrimRight(text, "\n"), line: first})
		for i := first; i < last; i++ {
			shown[i] = true
		}
	}
	return list, left
}

// An Excerpt is a part of a document.
type Excerpt struct {
	Place, Text    string
	document, line int
}
