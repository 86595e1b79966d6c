package citywalk

import (
	"context"
	"fmt"
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

// embedBatch is how many texts one request for embeddings holds.
const embedBatch = 64

// query asks the documents for a function (paper, intention retrieval): of a class, or in C of
// the file that holds it.
func (f *focal) query() string { return fmt.Sprintf("Description of %s in %s.", f.short, f.owner()) }

// A retriever finds documents by meaning.
type retriever struct {
	passages []passage
	scores   func(query string) []float64 // of the passages
}

// newRetriever indexes the passages: by their embeddings where an embedding model is configured,
// else by their words.
func newRetriever(ctx context.Context, model *llm.Session, embed bool, passages []passage, functions []*focal) (*retriever, error) {
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = p.Source + "\n" + p.Text
	}
	if !embed || len(passages) == 0 {
		return &retriever{passages, newLexicon(texts).scores}, nil
	}
	vectors, err := embedAll(ctx, model, "a-documents", texts, embedBatch)
	if err != nil {
		return nil, err
	}
	var queries []string
	for _, f := range functions { // overloads ask the same
		if q := f.query(); !slices.Contains(queries, q) {
			queries = append(queries, q)
		}
	}
	asked, err := embedAll(ctx, model, "b-queries", queries, embedBatch)
	return &retriever{passages, func(query string) (scores []float64) {
		for _, v := range vectors {
			scores = append(scores, cosine(v, asked[slices.Index(queries, query)]))
		}
		return scores
	}}, err
}

// embedAll returns the vectors of texts, and asks for size of them at a time. If a request is refused, because it is
// too long or by a filter, each of its texts is asked alone; a text that is refused alone has no vector.
func embedAll(ctx context.Context, model *llm.Session, part string, texts []string, size int) ([][]float32, error) {
	var requests []llm.Request
	for batch := range slices.Chunk(texts, size) {
		r := model.EmbeddingRequest(stageEmbedding, batch...)
		r.ID = fmt.Sprintf("r0000-%s%04d", part, len(requests)+1)
		requests = append(requests, r)
	}
	var vectors [][]float32
	for i, res := range model.CompleteAll(ctx, requests) {
		got, err := res.Answer.Vectors, res.Err
		if n := len(requests[i].Texts); err == nil && len(got) == 0 && n > 1 {
			got, err = embedAll(ctx, model, fmt.Sprintf("%s%04d-", part, i+1), requests[i].Texts, 1)
		} else if len(got) == 0 {
			got = make([][]float32, n)
		}
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, got...)
	}
	return vectors, nil
}

// documents are the passages nearest to a function, nearest first.
func (r *retriever) documents(f *focal) (found []passage) {
	for _, i := range best(r.scores(f.query()), topDocuments) {
		found = append(found, r.passages[i])
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
