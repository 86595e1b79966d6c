package report

import "github.com/lisa-bench/lisa-bench/internal/trial"

const feedbackNote = "Mutants as feedback: sums over trials of mutants that the tool was told about. The score by default draws none of them. " +
	"Shown: in a prompt, as reached but not killed so far. Tokens: all of the cells, including those of their seeds."

// mutantFeedback reports what came of telling tools which mutants their tests reach and do not kill; it
// has no rows if none was told of any.
func (a *analysis) mutantFeedback() Table {
	t := Table{ID: "mutant_feedback", Title: "Mutants as feedback", Columns: append(groupColumns[:3:3],
		Column{Key: "feedback_reached", Name: "Reached", Kind: Count},
		Column{Key: "feedback_killed", Name: "Killed", Kind: Count},
		Column{Key: "shown", Name: "Shown", Kind: Count},
		Column{Key: "killed_shown", Name: "Killed after\nit was shown", Kind: Count},
		Column{Key: "tokens", Name: "Tokens", Kind: Number},
		Column{Key: "kills_per_1000_tokens", Name: "These per\n1,000 tokens", Kind: Number, Decimals: 3},
	)}
	for _, g := range a.groups {
		var sum trial.MutantFeedback
		tokens := int64(0)
		for _, r := range g.records {
			if r.Generation == nil || r.Generation.Mutants == nil {
				continue
			}
			f := r.Generation.Mutants
			sum.Mutants, sum.Reached, sum.Killed = sum.Mutants+f.Mutants, sum.Reached+f.Reached, sum.Killed+f.Killed
			sum.Shown, sum.KilledShown = sum.Shown+f.Shown, sum.KilledShown+f.KilledShown
			tokens += r.Total().Tokens
		}
		if sum.Mutants == 0 {
			continue
		}
		rate := notApplicable("no tokens were counted")
		if tokens > 0 {
			rate = number(1000 * float64(sum.KilledShown) / float64(tokens))
		}
		t.Rows = append(t.Rows, append(a.groupCells(g), count(sum.Reached, sum.Mutants), count(sum.Killed, sum.Mutants),
			count(sum.Shown, sum.Mutants), count(sum.KilledShown, sum.Shown), whole(int(tokens)), rate))
	}
	return t
}
