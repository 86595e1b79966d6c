package citywalk

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
)

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

// cosine is the similarity of two vectors, -1..1; 0 if one is zero or they differ in length.
func cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var dot, aa, bb float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return dot / math.Sqrt(aa*bb)
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
