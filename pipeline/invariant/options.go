package invariant

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
)

// options are the parameters of the second stage (docs/explanation/lisa.md, trial.Parameter). Knowledge daikon is all
// that Daikon printed, and daikon_judged is the part of it that a model kept.
type options struct {
	Repair        bool   `param:"inv_repair" doc:"Repair of assertions."`
	Keep          bool   `param:"keep_failing" doc:"Without repair, assertions that fail stay, and end their tests early."`
	Values        bool   `param:"repair_values" doc:"A prompt for a repair shows what the reference build returned."`
	Attempts      int    `param:"inv_attempts" values:"1,20" doc:"K, repairs of one chunk."`
	Chunks        bool   `param:"chunks" doc:"Step by step; false: the whole program at once."`
	Knowledge     string `param:"knowledge" values:"all,none,daikon,daikon_judged,documents" doc:"What of the knowledge base is used: daikon is what was mined, unfiltered; daikon_judged is what a model kept of it."`
	Oracle        string `param:"oracle" values:"invariants,none,recorded" doc:"Of the assertions: invariants from the model, none, or values of the reference build."`
	SecondOpinion bool   `param:"second_opinion" doc:"The model judges each assertion that failed by documents and outcome alone."`
	Mutants       bool   // prompts tell which mutants the program reaches and no test kills
	Runs          int    `param:"inv_runs" values:"1,10" doc:"Runs of a finished test, each way."`
	Wave          int    `param:"wave" values:"1,1000" doc:"Accepted seeds that get their assertions together."`
	Seeds         string `param:"seeds" doc:"Directory of finished sequences in place of the first stage, or auto for those that lisa-api makes in the same run."`
	Contracts     string `param:"contracts" doc:"Directory of a knowledge base for each library, or auto for those that cells of the same run make; the tool's key knowledge gives it to every variant."`
}

// defaultOptions have K = 5, the paper's (sec:chunk-inv-gen), and the 3 runs of a detection.
func defaultOptions() options {
	return options{
		Repair: true, Values: true, Attempts: 5, Chunks: true, Knowledge: "all", Oracle: oracleInvariants,
		Runs: 3, Wave: 40,
	}
}

// feedbackMutants is the value of the parameter feedback that is of this stage; of the first one it
// stands for true.
const feedbackMutants = "mutants"

// The values of the parameter oracle.
const (
	oracleInvariants = "invariants"
	oracleNone       = "none"
	oracleRecorded   = "recorded"
)

// parseOptions splits a variant's parameters into those of the two stages. The error names the
// first that is unknown or out of range.
func parseOptions(params map[string]any) (options, sequence.Options, error) {
	o, first := defaultOptions(), sequence.DefaultOptions()
	given := maps.Clone(params)
	if o.Mutants = given["feedback"] == feedbackMutants; o.Mutants {
		delete(given, "feedback")
	}
	fail := func(err error) (options, sequence.Options, error) { return o, first, fmt.Errorf("lisa: %w", err) }
	if err := trial.SetParams(given, &o, &first); err != nil {
		return fail(err)
	}
	ofFirst := trial.Settings(&first)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, is := ofFirst[name]; is && o.Seeds != "" {
			return fail(fmt.Errorf("%s is a parameter of the first stage, for which seeds stands in: give it there, as in seeds: {%[1]s: %v}",
				name, given[name]))
		}
	}
	if o.Keep && o.Repair {
		return fail(errors.New("keep_failing needs inv_repair: false: repairs mend what fails, or take it out"))
	}
	return o, first, nil
}

// usesContracts reports whether the variant reads a knowledge base.
func (o options) usesContracts() bool {
	return o.Contracts != "" && o.Knowledge != "none" && o.Oracle == oracleInvariants
}

// usesMutants reports whether the variant runs programs on mutants.
func (o options) usesMutants() bool { return o.Mutants && o.Oracle == oracleInvariants }

// settings are the values of all parameters, without those that have no effect beside the others.
func (o options) settings(first sequence.Options) map[string]any {
	values := trial.Settings(&o)
	if o.Seeds == "" {
		maps.Copy(values, trial.Settings(&first))
	}
	if o.usesMutants() {
		values["feedback"] = feedbackMutants
	}
	for names, idle := range map[string]bool{
		"keep_failing":               o.Repair,
		"inv_attempts repair_values": !o.Repair,
		"contracts":                  !o.usesContracts(),
		"inv_repair keep_failing inv_attempts repair_values chunks second_opinion knowledge": o.Oracle != oracleInvariants,
	} {
		for _, name := range strings.Fields(names) {
			if idle {
				delete(values, name)
			}
		}
	}
	if o.Contracts == "" && values["knowledge"] != nil { // the headers' comments are all that is known
		values["knowledge"] = map[bool]string{true: "all", false: "none"}[o.Knowledge == "all" || o.Knowledge == "documents"]
	}
	return values
}
