package invariant

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
)

// options are what a variant can change in the second stage (docs/explanation/lisa.md).
type options struct {
	Repair        bool
	Keep          bool   // without repair, assertions that fail stay, and end their tests early
	Values        bool   // a prompt for a repair shows what the reference build returned
	Attempts      int    // K, repairs of one chunk
	Chunks        bool   // step by step; false: the whole program at once
	Knowledge     string // one of knowledgeSources
	Oracle        string // one of oracles
	SecondOpinion bool
	Mutants       bool // prompts tell which mutants the program reaches and no test kills
	Runs          int  // of a finished test, each way
	Wave          int  // accepted seeds that get their assertions together
	Seeds         string
	Contracts     string
}

// defaultOptions have K = 5, the paper's (sec:chunk-inv-gen), and the 3 runs of a detection.
func defaultOptions() options {
	return options{
		Repair: true, Values: true, Attempts: 5, Chunks: true, Knowledge: "all", Oracle: oracleInvariants,
		Runs: 3, Wave: 40,
	}
}

// knowledgeSources: daikon is all that it printed, daikon_judged what was kept of that.
var knowledgeSources = []string{"all", "none", "daikon", "daikon_judged", "documents"}

// feedbackMutants is the value of the parameter feedback that is of this stage; of the first one it
// stands for true.
const feedbackMutants = "mutants"

// The values of the parameter oracle.
const (
	oracleInvariants = "invariants"
	oracleNone       = "none"
	oracleRecorded   = "recorded"
)

var oracles = []string{oracleInvariants, oracleNone, oracleRecorded}

// parseOptions splits a variant's parameters into those of the two stages. The error names the
// first that is unknown or out of range.
func parseOptions(params map[string]any) (options, sequence.Options, error) {
	o := defaultOptions()
	known := o.fields()
	first := map[string]any{}
	for _, name := range sequence.Parameters() {
		if value, given := params[name]; given && (name != "feedback" || value != feedbackMutants) {
			first[name] = value
		}
		known[name] = trial.Setting{Set: func(any) error { return nil }}
	}
	if err := trial.SetParams(params, known); err != nil {
		return o, sequence.Options{}, fmt.Errorf("lisa: %w", err)
	}
	o.Mutants = params["feedback"] == feedbackMutants
	if o.Seeds != "" && len(first) > 0 {
		name := slices.Min(slices.Collect(maps.Keys(first)))
		return o, sequence.Options{}, fmt.Errorf(
			"lisa: %s is a parameter of the first stage, for which seeds stands in: give it there, as in seeds: {%[1]s: %v}",
			name, first[name])
	}
	if o.Keep && o.Repair {
		return o, sequence.Options{}, errors.New("lisa: keep_failing needs inv_repair: false: repairs mend what fails, or take it out")
	}
	s, err := sequence.ParseOptions(first)
	if err != nil {
		err = fmt.Errorf("lisa: %w", err)
	}
	return o, s, err
}

// fields are the settings of the stage by the names of their parameters.
func (o *options) fields() map[string]trial.Setting {
	return map[string]trial.Setting{
		"inv_repair":     trial.SetBool(&o.Repair),
		"keep_failing":   trial.SetBool(&o.Keep),
		"repair_values":  trial.SetBool(&o.Values),
		"inv_attempts":   trial.SetWhole(&o.Attempts, 1, 20),
		"chunks":         trial.SetBool(&o.Chunks),
		"second_opinion": trial.SetBool(&o.SecondOpinion),
		"knowledge":      trial.SetOneOf(&o.Knowledge, knowledgeSources),
		"oracle":         trial.SetOneOf(&o.Oracle, oracles),
		"inv_runs":       trial.SetWhole(&o.Runs, 1, 10),
		"wave":           trial.SetWhole(&o.Wave, 1, 1000),
		"seeds":          trial.SetDir(&o.Seeds),
		"contracts":      trial.SetDir(&o.Contracts),
	}
}

// usesContracts reports whether the variant reads a knowledge base.
func (o options) usesContracts() bool {
	return o.Contracts != "" && o.Knowledge != "none" && o.Oracle == oracleInvariants
}

// usesMutants reports whether the variant runs programs on mutants.
func (o options) usesMutants() bool { return o.Mutants && o.Oracle == oracleInvariants }

// settings are the values of all parameters, without those that have no effect beside the others.
func (o options) settings(first sequence.Options) map[string]any {
	values := trial.Settings(o.fields())
	if o.Seeds == "" {
		maps.Copy(values, first.Settings())
	}
	if o.usesMutants() {
		values["feedback"] = feedbackMutants
	}
	drop := func(names ...string) {
		for _, name := range names {
			delete(values, name)
		}
	}
	if o.Repair {
		drop("keep_failing")
	} else {
		drop("inv_attempts", "repair_values")
	}
	if !o.usesContracts() {
		drop("contracts")
	}
	if o.Oracle != oracleInvariants {
		drop("inv_repair", "keep_failing", "inv_attempts", "repair_values", "chunks", "second_opinion", "knowledge")
	}
	if o.Contracts == "" && values["knowledge"] != nil { // the headers' comments are all that is known
		values["knowledge"] = map[bool]string{true: "all", false: "none"}[o.Knowledge == "all" || o.Knowledge == "documents"]
	}
	return values
}
