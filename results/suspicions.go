package results

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A RankedSuspicion is what a person looks at: one suspicion, for all programs of a run that show it.
type RankedSuspicion struct {
	Rank int        `json:"rank"` // 1 for the first to look at
	Cell trial.Cell `json:"cell"`
	trial.Suspicion
	Shown int `json:"shown"` // suspicions with the same assertion and sentence on the same library; 1 if it is the only one
	Lines int `json:"lines"` // of its program that are neither blank nor a comment or directive
}

// RankSuspicions ranks the suspicions of records, which are in the order of their plan. text returns a file of
// a cell. A program that is no longer there has no lines. Those with the same library, edition, assertion and sentence
// are one, with the program that comes first. No sample tells how likely an assertion holds by chance, as
// Daikon has one: the order is that of the evidence (compareSuspicions), and nothing is hidden.
func RankSuspicions(records []trial.Record, text func(cell trial.Cell, file string) (string, error)) ([]RankedSuspicion, error) {
	var list []RankedSuspicion
	for _, r := range records {
		if r.Generation == nil {
			continue
		}
		for _, s := range r.Generation.Suspicions {
			source, err := text(r.Cell, s.Program)
			if err != nil && !errors.Is(err, fs.ErrNotExist) { // an unpacked submission has no programs of suspicions
				return nil, err
			}
			list = append(list, RankedSuspicion{Cell: r.Cell, Suspicion: s, Lines: linesOfCode(source)})
		}
	}
	return rankSuspicions(list), nil
}

func rankSuspicions(list []RankedSuspicion) (out []RankedSuspicion) {
	for _, same := range lists.Group(list, func(c RankedSuspicion) [4]string {
		return [4]string{c.Cell.Library, c.Cell.Edition, strings.Join(strings.Fields(c.Assertion), ""), c.Sentence}
	}) {
		first := slices.MinFunc(same, compareSuspicions)
		first.Shown = len(same)
		out = append(out, first)
	}
	slices.SortStableFunc(out, compareSuspicions)
	for i := range out {
		out[i].Rank = i + 1
	}
	return out
}

var (
	opinionOrder = map[trial.OpinionVerdict]int{trial.Upheld: 0, trial.Unasked: 1, trial.Contested: 2}
	kindOrder    = map[string]int{"documentation": -4, "relational": -3, "value range": -2, "structural": -1}
)

// compareSuspicions orders them by what speaks for them, the strongest first:
//
//  1. the second opinion: upheld, not asked, contested
//  2. a sentence of a document is cited, or not
//  3. the kind of invariant: documentation, relational, value range, structural, other
//  4. how many programs show the same
//  5. how often the model insisted, though told that it fails
//  6. how short the program is
func compareSuspicions(a, b RankedSuspicion) int {
	return cmp.Or(
		cmp.Compare(opinionOrder[a.Opinion.Verdict], opinionOrder[b.Opinion.Verdict]),
		cmp.Compare(min(len(b.Sentence), 1), min(len(a.Sentence), 1)),
		cmp.Compare(kindOrder[a.Kind], kindOrder[b.Kind]),
		cmp.Compare(b.Shown, a.Shown),
		cmp.Compare(b.Insisted, a.Insisted),
		cmp.Compare(a.Lines, b.Lines),
	)
}

// Reason is what the suspicion rests on: the sentence of a document if one is cited, or else what its tool says.
func (c RankedSuspicion) Reason() string {
	switch {
	case c.Sentence != "" && c.Document != "":
		return fmt.Sprintf("“%s” (%s)", c.Sentence, c.Document)
	case c.Sentence != "":
		return "“" + c.Sentence + "”"
	case c.Argument != "":
		return "the tool says: " + c.Argument
	}
	return "none"
}

// linesOfCode counts the lines of a program that are neither blank nor all comment or directive.
func linesOfCode(source string) int {
	n := 0
	for line := range strings.Lines(clex.WithoutComments(source)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			n++
		}
	}
	return n
}

// comparisons is the directory of comparisons in a run.
const comparisons = "suspicions"

var unsafeInName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// SaveComparison writes a comparison into a run's directory, in place of an earlier one with the same version.
func SaveComparison(run string, c trial.Comparison) error {
	dir := filepath.Join(run, comparisons)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	name := unsafeInName.ReplaceAllString(c.Library+"-"+c.Edition+"-"+c.Version, "-") + ".json"
	return durable.WriteJSON(filepath.Join(dir, name), c)
}

// LoadComparisons reads what was saved in a run's directory, in the order of the names.
func LoadComparisons(run string) ([]trial.Comparison, error) {
	return durable.ReadJSON[trial.Comparison](filepath.Join(run, comparisons, "*.json"))
}
