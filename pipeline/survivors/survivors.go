// Package survivors tracks the mutants of the reference that a generator's programs reach but do not kill, and
// describes them for a prompt.
//
// It consumes a trial.MutantRunner, which knows the reference alone, and finished programs. It produces text:
// the line of source, what stands there and what the mutant has there, by public functions that lead to it.
// It refuses nothing: a nil Account has no mutants.
package survivors

import (
	"cmp"
	"context"
	_ "embed" // the text of the prompt
	"slices"
	"strings"
	"text/template"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// An Account is of one cell. Not safe for concurrent use.
type Account struct {
	runner  trial.MutantRunner
	mutants []*mutant // by ID
}

// A mutant is one with what is known of it.
type mutant struct {
	trial.Mutant
	reached, killed bool
	shown           int // prompts, while nothing killed it
}

// Open asks which mutants there are.
func Open(ctx context.Context, runner trial.MutantRunner) (*Account, error) {
	list, err := runner.Mutants(ctx)
	a := &Account{runner: runner}
	for _, m := range list {
		a.mutants = append(a.mutants, &mutant{Mutant: m})
	}
	return a, err
}

// Learn runs programs on the mutants that none has killed. It returns the IDs of those that each program
// reaches and that are still left then.
func (a *Account) Learn(ctx context.Context, programs []trial.Program) ([][]int, error) {
	reached := make([][]int, len(programs))
	if a == nil || len(programs) == 0 {
		return reached, nil
	}
	var left []int
	byID := map[int]*mutant{}
	for _, m := range a.mutants {
		if byID[m.ID] = m; !m.killed {
			left = append(left, m.ID)
		}
	}
	runs, err := a.runner.RunMutants(ctx, programs, left)
	if err != nil {
		return nil, err
	}
	for _, r := range runs.Reached {
		m := byID[r.ID]
		if m.reached, m.killed = true, r.Killed; m.killed {
			continue
		}
		for _, i := range r.Programs {
			reached[i] = append(reached[i], r.ID)
		}
	}
	return reached, nil
}

// Counts are for the record; nil of a nil Account.
func (a *Account) Counts() *trial.MutantFeedback {
	if a == nil {
		return nil
	}
	counts := &trial.MutantFeedback{Mutants: len(a.mutants)}
	for _, m := range a.mutants {
		for _, c := range []struct {
			is bool
			n  *int
		}{{m.reached, &counts.Reached}, {m.killed, &counts.Killed}, {m.shown > 0, &counts.Shown}, {m.killed && m.shown > 0, &counts.KilledShown}} {
			if c.is {
				*c.n++
			}
		}
	}
	return counts
}

// Title is what the text stands under.
const Title = "Changes to the library that no test notices"

//go:embed survivors.tmpl
var text string

var page = template.Must(template.New("survivors").Parse(text))

// An Audience says who is told.
type Audience struct {
	APIs []string // public functions, of which one leads to each mutant that is told
	// Among are the IDs of mutants that may be told; nil: all that are reached.
	Among []int
	// Inputs says that new programs are asked for, not assertions in one that is there.
	Inputs bool
	Most   int // mutants
}

// Text words mutants that are reached and not killed for a prompt; "" if there are none. Those that were
// told least often come first, of these those to which the way from one of the functions is shortest; of one line
// only one is told.
func (a *Account) Text(to Audience) string {
	if a == nil {
		return ""
	}
	type told struct {
		*mutant
		API   string // the nearest of the audience
		steps int
	}
	var list, kept []told
	for _, m := range a.mutants {
		if !m.reached || m.killed || to.Among != nil && !slices.Contains(to.Among, m.ID) {
			continue
		}
		if i := slices.IndexFunc(m.APIs, func(api string) bool { return slices.Contains(to.APIs, api) }); i >= 0 {
			list = append(list, told{m, m.APIs[i], i})
		}
	}
	slices.SortStableFunc(list, func(x, y told) int { return cmp.Or(cmp.Compare(x.shown, y.shown), cmp.Compare(x.steps, y.steps)) })
	for _, m := range list {
		sameLine := func(k told) bool { return k.File == m.File && k.Line == m.Line }
		if len(kept) < to.Most && !slices.ContainsFunc(kept, sameLine) {
			kept = append(kept, m)
			m.shown++
		}
	}
	if len(kept) == 0 {
		return ""
	}
	var b strings.Builder
	if err := page.Execute(&b, map[string]any{"Mutants": kept, "Inputs": to.Inputs}); err != nil {
		panic(err) // a programming error
	}
	return strings.TrimRight(b.String(), "\n")
}
