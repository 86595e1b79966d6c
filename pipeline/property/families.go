package property

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A family is a group of functions that are tested together.
type family struct {
	name string // the words that tell it from others
	apis []*apispec.Function
}

// Functions are alike by the words of their names and by the types that they mention. Each is weighed by how
// few functions have it (inverse document frequency, Spärck Jones, 1972). They are also alike if they are close
// to each other in a header, or if the comment of one names the other.
const (
	weightClose   = 0.4
	weightNamed   = 0.6
	closeInHeader = 4 // declarations
)

// families groups functions into n families, or fewer if there are fewer functions. Those that are most alike
// come together, by average linkage (Sokal and Michener, 1958). No family has more than three times its share
// of the functions. They and their functions are in the order of the headers.
func families(spec *apispec.Spec, apis []*apispec.Function, n int) []family {
	if len(apis) == 0 {
		return nil
	}
	features := featuresOf(apis)
	alike := similarities(spec, apis, features)
	groups := make([][]int, len(apis))
	for i := range apis {
		groups[i] = []int{i}
	}
	most := max(2, (3*len(apis)+n-1)/n)
	for len(groups) > n {
		a, b := closest(groups, alike, most)
		groups[a] = append(groups[a], groups[b]...)
		groups = slices.Delete(groups, b, b+1)
	}
	for _, g := range groups {
		slices.Sort(g)
	}
	slices.SortFunc(groups, func(a, b []int) int { return a[0] - b[0] })
	var list []family
	for _, g := range groups {
		f := family{name: groupName(g, features)}
		for _, i := range g {
			f.apis = append(f.apis, apis[i])
		}
		list = append(list, f)
	}
	return list
}

// closest returns the two groups that are most alike, a < b, of those that together are not too
// large; the two smallest if there are none.
func closest(groups [][]int, alike [][]float64, most int) (a, b int) {
	best := math.Inf(-1)
	for i, g := range groups {
		for j := i + 1; j < len(groups); j++ {
			h := groups[j]
			score := -float64(len(g) + len(h))
			if len(g)+len(h) <= most {
				sum := 0.0
				for _, x := range g {
					for _, y := range h {
						sum += alike[x][y]
					}
				}
				score = sum / float64(len(g)*len(h))
			}
			if score > best {
				best, a, b = score, i, j
			}
		}
	}
	return a, b
}

// featuresOf returns the words and types of each function with their weights. What more than half of the
// functions have, such as the library's prefix, has none.
func featuresOf(apis []*apispec.Function) []map[string]float64 {
	list := make([]map[string]float64, len(apis))
	count := map[string]float64{}
	for i, f := range apis {
		list[i] = map[string]float64{}
		for _, w := range clex.NameWords(f.Name) {
			list[i][w] = 1
		}
		for _, t := range f.NamedTypes() {
			list[i]["type "+t.Name] = 1
		}
		for w := range list[i] {
			count[w]++
		}
	}
	for _, words := range list {
		for w := range words {
			words[w] = 0
			if n := float64(len(apis)); count[w] <= n/2 || len(apis) < 4 {
				words[w] = math.Log(1 + n/count[w])
			}
		}
	}
	return list
}

func similarities(spec *apispec.Spec, apis []*apispec.Function, features []map[string]float64) [][]float64 {
	named := make([]map[string]bool, len(apis)) // words of a function's comment
	for i, f := range apis {
		named[i] = map[string]bool{}
		for _, w := range word.FindAllString(spec.DocOf(f), -1) {
			named[i][w] = true
		}
	}
	alike := make([][]float64, len(apis))
	for i := range apis {
		alike[i] = make([]float64, len(apis))
		for j := range i {
			s := cosine(features[i], features[j])
			if apis[i].File == apis[j].File && i-j <= closeInHeader {
				s += weightClose / float64(i-j)
			}
			if named[i][apis[j].Name] || named[j][apis[i].Name] {
				s += weightNamed
			}
			alike[i][j], alike[j][i] = s, s
		}
	}
	return alike
}

func cosine(a, b map[string]float64) float64 {
	dot, aa, bb := 0.0, 0.0, 0.0
	for _, k := range sorted(a) {
		dot += a[k] * b[k]
		aa += a[k] * a[k]
	}
	for _, k := range sorted(b) {
		bb += b[k] * b[k]
	}
	return dot / max(math.Sqrt(aa*bb), math.SmallestNonzeroFloat64)
}

// groupName is the two words that weigh most in a group's functions.
func groupName(group []int, features []map[string]float64) string {
	sum := map[string]float64{}
	for _, i := range group {
		for _, w := range sorted(features[i]) {
			if !strings.HasPrefix(w, "type ") {
				sum[w] += features[i][w]
			}
		}
	}
	words := sorted(sum)
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(sum[b], sum[a]) })
	return strings.Join(words[:min(2, len(words))], " ")
}
