package property

import (
	"fmt"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// options are the parameters of a variant (trial.Parameter).
type options struct {
	Feedback string `param:"feedback" values:"none,coverage,contracts,mutants" doc:"What new programs are asked for with, beside the plan."`
	Calls    int    `param:"calls" values:"1,10000" doc:"Answers that the plan is made for, if the budget has no limit of them."`
	Wave     int    `param:"wave" values:"1,1000" doc:"New programs that a round asks for."`
	Repairs  int    `param:"repairs" values:"0,10" doc:"Repairs of one program, second opinions included."`
	Seeds    int    `param:"seeds" values:"0,100" doc:"Other seeds with which finished programs run on."`
	Alter    int    `param:"alterations" values:"0,200" doc:"Altered returns that a program is held against; 0: whether it can fail is not looked at."`
}

// The values of the parameter feedback.
const (
	feedbackNone      = "none"
	feedbackCoverage  = "coverage"
	feedbackContracts = "contracts"
	feedbackMutants   = "mutants"
)

func defaultOptions() options {
	return options{Feedback: feedbackContracts, Calls: defaultCalls, Wave: 8, Repairs: 2, Alter: 24}
}

// parseOptions reads a variant's parameters. The error names the first that is unknown or out
// of range.
func parseOptions(params map[string]any) (options, error) {
	o := defaultOptions()
	if err := trial.SetParams(params, &o); err != nil {
		return o, fmt.Errorf("lisa-prop: %w", err)
	}
	return o, nil
}
