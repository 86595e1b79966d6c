package citywalk

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Limits of one piece of the documents. The paper leaves them open; 512 tokens, some 2000
// characters, are what its embedding model reads.
const (
	maxPassage = 2000 // characters
	minPassage = 30
)

// A passage is one piece of the documents that a query can find.
type passage struct {
	Source string // file, with the heading or the name that it is about
	Text   string
}

// passages are the knowledge base of documents: the library's documents split at their headings,
// and the comments of its sources. Build files and licences are left out.
func (p *project) passages(documents []string) []passage {
	files := slices.Clone(documents)
	for f := range p.text {
		if path.Ext(f) == ".md" && !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	slices.Sort(files)
	var all []passage
	for _, f := range files {
		if !isSource(f) && !isHeader(f) && path.Base(f) != "CMakeLists.txt" {
			all = append(all, sections(f, p.text[f])...)
		}
	}
	for _, f := range p.files {
		all = append(all, comments(f, p.text[f])...)
	}
	return slices.DeleteFunc(all, func(a passage) bool { return legal.MatchString(a.Text) })
}

// legal marks texts that say who may copy, not what the code does.
var legal = regexp.MustCompile(`(?i)copyright|\blicen[sc]e|spdx|without warranty`)

var (
	atxHeading    = regexp.MustCompile(`^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$`)
	underline     = regexp.MustCompile(`^ {0,3}(=+|-{3,}|~{3,})[ \t]*$`)
	codeFenceLine = regexp.MustCompile("^[ \t]*(```|~~~)")
)

// sections splits a document at its headings (CommonMark 0.31, sections 4.2 and 4.3), of every level.
func sections(file, text string) []passage {
	var all []passage
	title, body := "", []string{}
	flush := func() {
		all = append(all, pieces(strings.TrimSuffix(file+", "+title, ", "), strings.TrimSpace(strings.Join(body, "\n")))...)
		body = nil
	}
	fenced := false
	for _, line := range strings.Split(strings.ReplaceAll(text, "\r", ""), "\n") {
		if codeFenceLine.MatchString(line) {
			fenced = !fenced
		}
		m := atxHeading.FindStringSubmatch(line)
		switch {
		case m != nil && !fenced:
			flush()
			title = m[1]
		case underline.MatchString(line) && !fenced && len(body) > 0 && strings.TrimSpace(body[len(body)-1]) != "":
			next := strings.TrimSpace(body[len(body)-1])
			body = body[:len(body)-1]
			flush()
			title = next
		default:
			body = append(body, line)
		}
	}
	flush()
	return all
}

// pieces cuts a text between its paragraphs, so that none is much longer than a passage may be.
func pieces(source, text string) []passage {
	var all []passage
	for len(text) > maxPassage {
		cut := strings.LastIndex(text[:maxPassage], "\n\n")
		if cut < maxPassage/4 {
			cut = strings.LastIndexByte(text[:maxPassage], '\n')
		}
		if cut < maxPassage/4 {
			cut = maxPassage
		}
		all = append(all, passage{source, strings.ToValidUTF8(strings.TrimSpace(text[:cut]), "")})
		text = strings.TrimSpace(text[cut:])
	}
	all = append(all, passage{source, strings.ToValidUTF8(text, "")})
	return slices.DeleteFunc(all, func(a passage) bool { return len(a.Text) < minPassage })
}

// comments are those of a source file, each with the line of code that it stands above, which
// says what it is about.
func comments(file, src string) []passage {
	var all []passage
	for _, c := range commentsOf(src) {
		text := commentText(src[c.Start:c.End])
		if len(text) < minPassage {
			continue
		}
		next, _, _ := strings.Cut(strings.TrimLeft(src[c.End:], " \t\r\n"), "\n")
		for _, a := range pieces(file, text) {
			if next = strings.TrimSpace(next); next != "" && !strings.HasPrefix(next, "/") && !strings.HasPrefix(next, "#") {
				a.Text += "\n" + next
			}
			all = append(all, a)
		}
	}
	return all
}
