package llm

import (
	"encoding/json"
	"testing"
)

func TestSummarize(t *testing.T) {
	entry := func(stage string, a Answer, dollars float64, failures ...Failure) Entry {
		return Entry{Request: Request{Stage: stage}, Answer: &a, Dollars: dollars, Failures: failures, WallMs: 2}
	}
	got, err := json.Marshal(Summarize([]Entry{
		entry("sequence", Answer{Outcome: Answered, Text: "```c\nvoid f(void) {}\n```", Usage: Usage{InputTokens: 10, CachedTokens: 4, OutputTokens: 5, ReasoningTokens: 2}}, 0.5),
		entry("sequence", Answer{Outcome: Answered, Text: "No.", Usage: Usage{InputTokens: 1, OutputTokens: 1, Estimated: true}}, 0.25, Failure{Fault: FaultRate}, Failure{Fault: FaultCut}),
		entry("sequence", Answer{Outcome: Truncated, Text: "```c\nvoid"}, 0),
		{Request: Request{Stage: "sequence"}, Error: &Failure{Fault: FaultServer}, Failures: []Failure{{Fault: FaultRate}}},
		{Request: Request{Stage: "retrieve", Texts: []string{"a"}}, Answer: &Answer{Outcome: Answered}},
	}))
	want := `[{"stage":"retrieve","requests":1,"errors":0,"outcomes":{"answered":1},"programs":{},"faults":{},"usage":{"input_tokens":0,"output_tokens":0},"dollars":0,"wall_ms":0},` +
		`{"stage":"sequence","requests":3,"errors":1,"outcomes":{"answered":2,"truncated":1},"programs":{"code":1,"prose":1,"truncated":1},"faults":{"cut":1,"rate":2,"server":1},` +
		`"usage":{"input_tokens":11,"cached_tokens":4,"output_tokens":6,"reasoning_tokens":2,"estimated":true},"dollars":0.75,"wall_ms":6}]`
	if err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
}
