package experiments

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// processorPerCall has the seconds of a processor for each request. They were measured by replays of recordings/ on
// two cores of a server of 2025: "usage" in the records of bench run recordings/NAME/experiment.yaml, for the NAMEs
// lisa-cjson and lisa-zlib, ablation-api, vanilla-zlib, citywalk-zlib, lisa-prop-brief and agent-cjson (the last two on a
// busy machine).
var processorPerCall = map[string]float64{"lisa": 0.86, "lisa-api": 0.08, "vanilla": 0.12, "citywalk": 0.26, "lisa-prop": 7.0, "agent": 6.4}

// processorPerObserved is what a knowledge base takes of a processor for each sequence that it observes: 11.5 s for 100, as
// 2.9 s for 20, in the record of the cell knowledge.default.cJSON.debian.1 of
//
//	python3 scripts/scripted-model.py 18471 cJSON=cmd/bench/testdata/lisa/inv-cjson/seeds &
//	bench run knowledge --profile quick --only libraries=cJSON --set llm.base_url=http://127.0.0.1:18471/v1 \
//	    --set 'budget={time: 20m, programs: 100, dollars: 5}'
//
// What it asks of documents takes no processor.
const processorPerObserved = 0.11

// TestTypicalCalls compares typical.json with the recordings: each tool's mean request. For lisa it counts the second
// stage only, because the first is a cell of its own in the experiments of the paper.
func TestTypicalCalls(t *testing.T) {
	type sums struct {
		calls, input, output, programs float64
		stages                         map[string]int
	}
	if testing.Short() {
		t.Skip("reads all transcripts")
	}
	all := map[string]*sums{}
	known := everyTool(t)
	functions := map[string]float64{} // of each library that prompts of lisa show: 120 at most
	transcripts, err := filepath.Glob("../recordings/*/transcripts/*.gz")
	bases, failed := filepath.Glob("../recordings/knowledge/*.transcript.jsonl.gz") // of a library each
	assert.Assert(t, err == nil && failed == nil && len(transcripts) != 0 && len(bases) != 0,
		"no recordings (%v, %v)", err, failed)
	transcripts = append(transcripts, bases...)
	for _, path := range transcripts {
		entries, err := llm.ReadTranscript(path)
		assert.NilError(t, err)
		tool, _, _ := strings.Cut(filepath.Base(path), ".")
		if slices.Contains(bases, path) {
			tool = KnowledgeTool
		}
		s := all[tool]
		if s == nil {
			s = &sums{stages: map[string]int{}}
			all[tool] = s
		}
		counted := s.calls
		for _, e := range entries {
			if tool == "lisa" && e.Request.Stage == "sequence" {
				_, list, _ := strings.Cut(e.Request.Messages[len(e.Request.Messages)-1].Content, "\nAPI signatures:\n")
				list, _, _ = strings.Cut(list, "\n```\n")
				library := strings.Split(filepath.Base(path), ".")[2]
				functions[library] = max(functions[library], float64(strings.Count(list, ";\n")))
			}
			if e.Answer == nil || tool == "lisa" && strings.HasPrefix(e.Request.Stage, "sequence") {
				continue
			}
			s.calls++
			s.input += float64(e.Answer.Usage.InputTokens)
			s.output += float64(e.Answer.Usage.OutputTokens)
			s.stages[e.Request.Stage]++
		}
		if tool == KnowledgeTool {
			continue
		}
		src, err := Read(filepath.Join(filepath.Dir(filepath.Dir(path)), "experiment.yaml"))
		assert.NilError(t, err)
		e, err := Load(src, nil, known)
		if err != nil {
			continue // of a tool that is not among them
		}
		for _, c := range e.Plan().Cells {
			if c.ID()+".jsonl.gz" == filepath.Base(path) && c.Budget.Programs > 0 && s.calls > counted {
				s.programs += float64(c.Budget.Programs)
			}
		}
	}
	typical := map[string]typicalCall{}
	for tool, s := range all {
		call := typicalCall{Input: math.Round(s.input / s.calls), Output: math.Round(s.output / s.calls), Processor: processorPerCall[tool]}
		if s.programs > 0 {
			call.Calls = math.Round(100*s.calls/s.programs) / 100
		}
		if tool == KnowledgeTool {
			call.Whole, call.Observed = math.Round(s.calls/float64(len(bases))), processorPerObserved
		}
		if tool == "citywalk" { // asks once for each function; what does not compile is asked for again
			sum := 0.0
			for _, n := range functions {
				sum += n
			}
			call.Whole = math.Round(sum / float64(len(functions)))
		}
		for stage, n := range s.stages {
			if n > s.stages[call.Stage] {
				call.Stage = stage
			}
		}
		typical[tool] = call
	}
	text, err := json.MarshalIndent(typical, "", "  ")
	assert.NilError(t, err)
	golden.Assert(t, string(text)+"\n", "../typical.json")
}

// TestEstimate checks hours of models and processors, dollars, and time on the clock, each about and at most.
func TestEstimate(t *testing.T) {
	const text = "name: m\nbudget: {time: 3h, dollars: 60}\nlibraries: [{name: cJSON}]\n" +
		"llm: {model: big, prices: [{model: big, input: 0.25, output: 2}]}\n"
	for name, tt := range map[string]struct {
		tools string
		set   []string
		jobs  int
		check func(e Estimate) bool
	}{
		"time ends a cell": {"[{name: lisa-api}]", nil, 1, func(e Estimate) bool {
			return e.About.Model+e.About.Processor == e.About.Wall && e.About.Wall.Round(time.Minute) == 3*time.Hour && e.Most.Model == 3*time.Hour &&
				e.Most.Dollars == 60 && e.About.Dollars < 60 && e.About.Dollars > 1 && e.About.LLMCalls > 500
		}},
		"a limit of all cells makes them wait": {"[{name: lisa-api}, {name: vanilla}]", []string{"llm.limits.total_concurrency=4"}, 2,
			func(e Estimate) bool {
				return e.About.Wall > 9*time.Hour && e.About.Model <= 6*time.Hour && e.Most.Wall == 12*time.Hour
			}},
		"dollars end it": {"[{name: lisa-api}]", []string{"budget.dollars=1"}, 1, func(e Estimate) bool {
			return math.Abs(e.About.Dollars-1) < 1e-9 && e.About.Wall < time.Hour
		}},
		"a fuzzer": {"[{name: ossfuzz}]", nil, 1, func(e Estimate) bool { return e.About.Processor == 3*time.Hour && e.Most.Model == 0 }},
		"a base observes sequences": {"[{name: knowledge, params: {sequences: auto}}]", nil, 2, func(e Estimate) bool {
			return e.Cells == 2 && e.About.Processor > 5*time.Minute && e.About.Processor < 30*time.Minute
		}},
		"its own end": {"[{name: citywalk, budget: {dollars: 150}}]", nil, 1, func(e Estimate) bool {
			return e.Unknown == 0 && e.Unclocked == 1 && e.About.LLMCalls > 50 && e.About.Dollars > 0.1 && e.About.Dollars < 10 && e.Most.Dollars == 150
		}},
	} {
		e, err := Load(Source{Name: "x.yaml", Data: []byte(text + "tools: " + tt.tools)}, tt.set, everyTool(t))
		assert.NilError(t, err)
		est := e.Plan().Estimate(tt.jobs, everyTool(t))
		assert.Check(t, tt.check(est), "%s: %+v", name, est)
	}
}
