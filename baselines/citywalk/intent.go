package citywalk

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// Limits of what is retrieved. The paper gives 2 documents and no number for code.
const (
	topDocuments = 2
	topUsages    = 3
	maxUsage     = 3000 // characters of one usage
)

// query asks the documents for a function (paper, intention retrieval): of a class, or in C of
// the file that holds it.
func (f *focal) query() string { return fmt.Sprintf("Description of %s in %s.", f.short, f.owner()) }

// documents are the passages nearest to a function by their words, nearest first.
func (w *workbook) documents(f *focal) (found []passage) {
	if w.index == nil {
		w.passages = w.project.passages(w.target.Documents)
		texts := make([]string, len(w.passages))
		for i, p := range w.passages {
			texts[i] = p.Source + "\n" + p.Text
		}
		w.index = newLexicon(texts)
	}
	for _, i := range best(w.index.scores(f.query()), topDocuments) {
		found = append(found, w.passages[i])
	}
	return found
}

// A usage is code that calls a function.
type usage struct{ File, Text string }

// usages are definitions that call the function: `\bNAME\s*\([^)]*\)` finds candidates (paper,
// intention retrieval), and those are discarded that have too many or too few arguments.
// Examples and harnesses come first, then short ones: they say more about use than the inside of
// the library.
func (p *project) usages(f *focal) []usage {
	call := regexp.MustCompile(`\b` + regexp.QuoteMeta(f.short) + `\s*\([^)]*\)`)
	type hit struct {
		*chunk
		at int
	}
	var found []hit
	for _, file := range p.files {
		for _, c := range p.byFile[file] {
			if c.Type || c.Name == f.short {
				continue
			}
			for _, at := range call.FindAllStringIndex(c.Text, -1) {
				if f.takes(arguments(c.Text[at[0]:])) {
					found = append(found, hit{c, at[0]})
					break
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b hit) int {
		if x, y := example.MatchString(a.File), example.MatchString(b.File); x != y {
			if x {
				return -1
			}
			return 1
		}
		return len(a.Text) - len(b.Text)
	})
	var list []usage
	for _, c := range found[:min(len(found), topUsages)] {
		list = append(list, usage{c.File, around(c.Text, c.at, maxUsage)})
	}
	return list
}

var example = regexp.MustCompile(`(?i)(^|/)(examples?|samples?|demos?|contrib|fuzz\w*|tools?|app|programs)(/|[^/]*$)`)

// arguments splits what stands in the first parentheses of a call at its outer commas; ok is
// false if they are never closed.
func arguments(call string) (args []string, ok bool) {
	toks := lex(call)
	open := slices.IndexFunc(toks, func(t clex.Token) bool { return t.Text == "(" })
	if open < 0 {
		return nil, false
	}
	close := closing(toks, open, "(", ")")
	if close < 0 {
		return nil, false
	}
	if close == open+1 {
		return nil, true
	}
	return splitList(call, toks[open+1:close], toks[open].End, toks[close].Start, "([{", ")]}"), true
}

// takes reports whether a call can have that many arguments.
func (f *focal) takes(args []string, ok bool) bool {
	return ok && len(args) >= f.minArgs && (f.anyArgs || len(args) <= len(f.spec.Params))
}

// around returns the lines of text about an offset, as many as fit, with the first line.
func around(text string, at, most int) string {
	if len(text) <= most {
		return text
	}
	first, _, _ := strings.Cut(text, "\n")
	from := max(0, at-most/2)
	if i := strings.IndexByte(text[from:at], '\n'); i >= 0 && from > 0 {
		from += i + 1
	}
	cut := llm.Shorten(text[from:], most)
	if from > len(first) {
		cut = first + "\n…\n" + cut
	}
	return cut
}

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

// The constants of BM25 are those that Robertson and Zaragoza give as usual (The Probabilistic
// Relevance Framework: BM25 and Beyond, 2009, section 3.5) and Lucene has as its defaults.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// A lexicon ranks texts by the words that they share with a query.
type lexicon struct {
	counts []map[string]int // of each text's words
	length []int            // in words
	holds  map[string]int   // texts that hold a word
	mean   float64          // length
}

func newLexicon(texts []string) *lexicon {
	l := &lexicon{holds: map[string]int{}}
	total := 0
	for _, t := range texts {
		counts := map[string]int{}
		all := words(t)
		for _, w := range all {
			counts[w]++
		}
		for w := range counts {
			l.holds[w]++
		}
		l.counts, l.length = append(l.counts, counts), append(l.length, len(all))
		total += len(all)
	}
	if len(texts) > 0 {
		l.mean = float64(total) / float64(len(texts))
	}
	return l
}

// score is BM25 of text i for a query (Robertson and Zaragoza 2009, equation 3.15), with Lucene's
// idf ln(1 + (N - n + 0.5) / (n + 0.5)). That is never negative. A word that the query repeats
// counts each time.
func (l *lexicon) score(query []string, i int) float64 {
	sum := 0.0
	for _, w := range query {
		tf := float64(l.counts[i][w])
		if tf == 0 {
			continue
		}
		n, all := float64(l.holds[w]), float64(len(l.counts))
		idf := math.Log(1 + (all-n+0.5)/(n+0.5))
		sum += idf * tf * (bm25K1 + 1) / (tf + bm25K1*(1-bm25B+bm25B*float64(l.length[i])/l.mean))
	}
	return sum
}

// scores are those of all texts for a query.
func (l *lexicon) scores(query string) []float64 {
	q := words(query)
	scores := make([]float64, len(l.counts))
	for i := range scores {
		scores[i] = l.score(q, i)
	}
	return scores
}

// best returns the indices of the k greatest scores above 0, greatest first; of equal ones the
// first.
func best(scores []float64, k int) []int {
	var order []int
	for i, s := range scores {
		if s > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order[:min(k, len(order))]
}

var (
	wordPattern = regexp.MustCompile(`[A-Za-z0-9_]+`)
	wordParts   = regexp.MustCompile(`[A-Z]+[a-z0-9]*|[a-z0-9]+`)
)

// stopWords say nothing of what a text is about, but for a query's own "description".
var stopWords = clex.Set("a an and are as be by for if in is it of on or that the this to with description")

// words splits a text into lower-case words; an identifier is there as a whole and in its parts,
// so that PartialMatch meets "partial match" and png_get_rowbytes meets "rowbytes".
func words(text string) []string {
	var out []string
	for _, w := range wordPattern.FindAllString(text, -1) {
		whole := strings.ToLower(w)
		if !stopWords[whole] {
			out = append(out, whole)
		}
		parts := wordParts.FindAllString(w, -1)
		if len(parts) < 2 {
			continue
		}
		for _, p := range parts {
			if p = strings.ToLower(p); !stopWords[p] {
				out = append(out, p)
			}
		}
	}
	return out
}
