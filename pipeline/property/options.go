package property

import (
	"fmt"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// options are what a variant can change.
type options struct {
	Feedback string // what new programs are asked for with, beside the plan
	Calls    int    // answers that the plan is made for, if the budget has no limit of them
	Wave     int    // new programs that a round asks for
	Repairs  int    // of one program, second opinions included
	Seeds    int    // other seeds with which finished programs run on
	Alter    int    // altered returns that a program is held against; 0: whether it can fail is not looked at
}

// The values of the parameter feedback.
const (
	feedbackNone      = "none"
	feedbackCoverage  = "coverage"
	feedbackContracts = "contracts"
	feedbackMutants   = "mutants"
)

var feedbacks = []string{feedbackNone, feedbackCoverage, feedbackContracts, feedbackMutants}

// parseOptions reads a variant's parameters. The error names the first that is unknown or out
// of range.
func parseOptions(params map[string]any) (options, error) {
	o := options{Feedback: feedbackContracts, Calls: defaultCalls, Wave: 8, Repairs: 2, Alter: 24}
	if err := trial.SetParams(params, o.fields()); err != nil {
		return o, fmt.Errorf("lisa-prop: %w", err)
	}
	return o, nil
}

// fields sets a field by the name of its parameter.
func (o *options) fields() map[string]trial.Setting {
	return map[string]trial.Setting{
		"feedback":    trial.SetOneOf(&o.Feedback, feedbacks),
		"calls":       trial.SetWhole(&o.Calls, 1, 10000),
		"wave":        trial.SetWhole(&o.Wave, 1, 1000),
		"repairs":     trial.SetWhole(&o.Repairs, 0, 10),
		"seeds":       trial.SetWhole(&o.Seeds, 0, 100),
		"alterations": trial.SetWhole(&o.Alter, 0, 200),
	}
}
