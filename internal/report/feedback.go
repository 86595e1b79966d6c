package report

import "github.com/lisa-bench/lisa-bench/internal/trial"

const feedbackNote = "Mutants as feedback: sums over trials of mutants that the tool was told about. The score by default draws none of them. " +
	"Shown: in a prompt, as reached but not killed so far. Tokens: all of the cells, including those of their seeds."

// mutantFeedback reports what came of telling tools which mutants their tests reach and do not kill; it
// has no rows if none was told of any.
func (a *analysis) mutantFeedback() Table {
	drawn := func(f *trial.MutantFeedback) int { return f.Mutants }
	shown := func(f *trial.MutantFeedback) int { return f.Shown }
	killedShown := func(f *trial.MutantFeedback) int { return f.KilledShown }
	tokens := func(g *group) (sum int64) {
		for _, r := range g.records {
			if feedbackOf(r) != nil {
				sum += r.Total().Tokens
			}
		}
		return sum
	}
	told := a.those(func(g *group) bool { return total(g, feedbackOf, drawn) > 0 })
	return a.table("mutant_feedback", "Mutants as feedback", told, []figure{
		trialsFigure,
		{Column{Key: "feedback_reached", Name: "Reached", Kind: Count}, sumOf(feedbackOf, func(f *trial.MutantFeedback) int { return f.Reached }, drawn)},
		{Column{Key: "feedback_killed", Name: "Killed", Kind: Count}, sumOf(feedbackOf, func(f *trial.MutantFeedback) int { return f.Killed }, drawn)},
		{Column{Key: "shown", Name: "Shown", Kind: Count}, sumOf(feedbackOf, shown, drawn)},
		{Column{Key: "killed_shown", Name: "Killed after\nit was shown", Kind: Count}, sumOf(feedbackOf, killedShown, shown)},
		{Column{Key: "tokens", Name: "Tokens", Kind: Number}, func(g *group) Cell { return number(float64(tokens(g))) }},
		{Column{Key: "kills_per_1000_tokens", Name: "These per\n1,000 tokens", Kind: Number, Decimals: 3}, func(g *group) Cell {
			if tokens(g) == 0 {
				return notApplicable("no tokens were counted")
			}
			return number(1000 * float64(total(g, feedbackOf, killedShown)) / float64(tokens(g)))
		}},
	})
}
