package report_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// conversation is a transcript of three turns: a test that fails and is mended, and gaps. The second request has
// only the messages that are new. Between them, a program from outside asks for something else.
const conversation = `{"transcript":1,"config":{}}
{"id":"q1","key":"KEY","request":{"stage":"a","model":"m","messages":[{"role":"user","content":"Write <b>tests</b>."}],"attempt":0},"answer":{"outcome":"answered","text":"I begin.","tool_calls":[{"id":"c1","type":"function","function":{"name":"write","arguments":"{\"file\":\"ring.c\",\"text\":\"int a;\\nint b;\\n\"}"}},{"id":"c2","type":"function","function":{"name":"check","arguments":"{}"}}],"usage":{"input_tokens":90,"output_tokens":10}},"dollars":0.5,"wall_ms":1}
{"id":"q2","key":"KEY","request":{"stage":"a","model":"m","body":{"messages":[{"role":"user","content":"A title, please."}]},"attempt":0},"answer":{"outcome":"answered","text":"Bells","usage":{"input_tokens":8,"output_tokens":2}},"dollars":0,"wall_ms":1}
{"id":"q3","key":"KEY","request":{"stage":"a","model":"m","body":{"messages":[{"role":"user","content":"Write <b>tests</b>."},{"role":"assistant","content":"I begin.","tool_calls":[{"id":"c1","type":"function","function":{"name":"write","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"check","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"written, 2 lines"},{"role":"tool","tool_call_id":"c2","content":"ring.c: passes\nbad.c: compile_error\nNew: 5 lines, 2 branches. The suite covers 5 of 20 lines, 2 of 8 branches.LONG"}]},"attempt":0},"answer":{"outcome":"answered","text":"","tool_calls":[{"id":"c3","type":"function","function":{"name":"done","arguments":"{}"}}],"usage":{"input_tokens":180,"output_tokens":20}},"dollars":0.25,"wall_ms":1}
`

// TestTrajectories makes the page of a conversation: what was said, called and returned, and the turn of the test that
// detects a bug.
func TestTrajectories(t *testing.T) {
	run := runOf(on("agent", "bell", 1, "d-"), on("other", "bell", 1, "--"))
	run.Cells[0].Bugs[0].First = []trial.TestReference{{ID: "p1", File: "suite/p1.c", Origin: "tests/ring.c", Outcome: trial.Assertion, Tokens: 100}}
	path := filepath.Join(t.TempDir(), llm.TranscriptFile)
	var lines []string
	for i, line := range strings.Split(strings.Replace(conversation, "LONG", strings.Repeat("x", 20_000), 1), "\n") {
		var e llm.Entry
		if i > 0 && json.Unmarshal([]byte(line), &e) == nil {
			line = strings.Replace(line, "KEY", e.Request.Key(), 1)
		}
		lines = append(lines, line)
	}
	assert.NilError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644))
	run.Turns = func(c trial.Cell) ([]llm.Entry, error) {
		if c.Tool != "agent" {
			return nil, nil
		}
		return llm.ReadTranscript(path)
	}
	files := rendered(t, build(t, run))
	const name = "trajectories/agent.default.bell.debian.1.html"
	if !strings.Contains(files["index.html"], `href="`+name+`"`) || strings.Count(files["index.html"], `href="trajectories/`) != 1 {
		t.Error("the report does not lead to the page of the agent's cell alone")
	}
	page := files[name]
	for _, want := range []string{"Write &lt;b&gt;tests&lt;/b&gt;.", "I begin.", "It called write", "file: ring.c\ntext: \nint a;\nint b;",
		"written, 2 lines", "bytes in all", "write, check, 100 tokens, $0.5000, 1 test, 5 of 20 lines", "done, 310 tokens, $0.7500",
		`<a href="#turn-1">turn 1</a>`, "A title, please."} {
		assert.Check(t, strings.Contains(page, want), "the page lacks %q", want)
	}
	assert.Check(t, !strings.Contains(page, strings.Repeat("x", 10_000)), "a long result is not cut")
	run.Turns = func(trial.Cell) ([]llm.Entry, error) { return nil, fmt.Errorf("line 3 is damaged") }
	text := rendered(t, build(t, run))["report.txt"]
	assert.Check(t, strings.Contains(text, "line 3 is damaged"), "a damaged transcript is not told of")
}
