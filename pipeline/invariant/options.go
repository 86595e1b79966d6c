package invariant

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
)

// options are what a variant can change in the second stage. Repair, Chunks and Knowledge are
// the paper's ablations.
type options struct {
	Repair    bool   // repair what fails; false: an assertion that fails is taken out, a chunk that fails otherwise goes back to what it was
	Values    bool   // a prompt for a repair shows what the reference build returned
	Attempts  int    // K, repairs of one chunk, 1 to 20
	Chunks    bool   // step by step; false: the whole program at once
	Knowledge string // of which sources: one of knowledgeSources
	Oracle    string // what the finished tests assert: invariants, none, or values recorded on the reference build

	SecondOpinion bool // a model that sees only documents and the outcome judges assertions that failed

	Mutants bool // prompts for assertions tell which mutants the program reaches and no test kills

	Runs      int    // of a finished test on the reference build, 1 to 10
	Wave      int    // accepted seeds that get their assertions together
	Seeds     string // directory of seeds that stand in for the first stage; "" for none
	Contracts string // directory of knowledge bases; "" for none: the headers' comments are all that is known
}

// defaultOptions have K = 5, the paper's (sec:chunk-inv-gen), and the 3 runs of the harness's own verdicts.
func defaultOptions() options {
	return options{Repair: true, Values: true, Attempts: 5, Chunks: true, Knowledge: "all", Oracle: oracleInvariants, Runs: 3, Wave: 40}
}

// knowledgeSources are the values of the parameter knowledge: daikon is all that it printed,
// daikon_judged what was kept of that.
var knowledgeSources = []string{"all", "none", "daikon", "daikon_judged", "documents"}

// feedbackMutants is the value of the parameter feedback that is of this stage: of the first one it stands for
// true.
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
	own, first := o.fields(), map[string]any{}
	known := slices.Sorted(slices.Values(append(slices.Collect(maps.Keys(own)), sequence.Parameters()...)))
	for _, name := range slices.Sorted(maps.Keys(params)) {
		setting, ok := own[name]
		switch {
		case name == "feedback" && params[name] == feedbackMutants:
			o.Mutants = true
		case ok:
			if err := setting.Set(params[name]); err != nil {
				return o, sequence.Options{}, fmt.Errorf("lisa: %s is %v, want %w", name, params[name], err)
			}
		case !slices.Contains(known, name):
			return o, sequence.Options{}, fmt.Errorf("lisa: unknown parameter %q; known are %s", name, strings.Join(known, ", "))
		case params["seeds"] != nil:
			return o, sequence.Options{}, fmt.Errorf("lisa: %s is a parameter of the first stage, for which seeds stands in: give it there, as in seeds: {%[1]s: %v}", name, params[name])
		default:
			first[name] = params[name]
		}
	}
	s, err := sequence.ParseOptions(first)
	if err != nil {
		return o, s, fmt.Errorf("lisa: %w", err)
	}
	return o, s, nil
}

// fields sets a field by the name of its parameter.
func (o *options) fields() map[string]trial.Setting {
	return map[string]trial.Setting{
		"inv_repair": trial.SetBool(&o.Repair), "repair_values": trial.SetBool(&o.Values), "inv_attempts": trial.SetWhole(&o.Attempts, 1, 20), "chunks": trial.SetBool(&o.Chunks), "second_opinion": trial.SetBool(&o.SecondOpinion),
		"knowledge": trial.SetOneOf(&o.Knowledge, knowledgeSources), "oracle": trial.SetOneOf(&o.Oracle, oracles), "inv_runs": trial.SetWhole(&o.Runs, 1, 10), "wave": trial.SetWhole(&o.Wave, 1, 1000),
		"seeds": trial.SetDir(&o.Seeds), "contracts": trial.SetDir(&o.Contracts),
	}
}
