package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/wire"
)

// agentExperiment has an agent of examples/agents. Its words in capitals are replaced.
const agentExperiment = `name: agents
budget: {tokens: 1000000}
test: {timeout: 30s}
libraries:
  - {name: cJSON, edition: debian, bugs: [cjson-2]}
tools:
  - name: NAME
    command: [START]
    model: true
    agent: {feedback: coverage}
llm:
  base_url: URL/v1
  model: scripted
  prices: [{model: scripted, input: 1, output: 1}]
`

// A scriptedAPI is an endpoint of all APIs. Its model asks the agent's shell for one command in each answer, and then
// says that it is done. It counts how often it said nextStep to know how far a conversation is.
type scriptedAPI struct {
	*httptest.Server
	t *testing.T

	commands []string

	mu    sync.Mutex
	paths map[string]bool
	heard []string // bodies of requests
	sold  llm.Usage
}

const nextStep = "I take the next step."

func serveAPIs(t *testing.T, commands ...string) *scriptedAPI {
	s := &scriptedAPI{t: t, commands: commands, paths: map[string]bool{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *scriptedAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	assert.Check(s.t, err)
	request := llm.Request{Model: "scripted", API: llm.API(strings.TrimPrefix(r.URL.RequestURI(), "/v1")), Body: body}
	a := llm.Answer{Text: "The work is done.", Usage: llm.Usage{InputTokens: int64(len(body)), OutputTokens: 7}}
	if !strings.Contains(string(body), llm.PreflightPrompt) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.paths[r.URL.Path] = true
		s.heard = append(s.heard, string(body))
		if done := strings.Count(string(body), nextStep); done < len(s.commands) {
			if call, ok := s.shell(string(body), s.commands[done]); ok {
				a.Text, a.ToolCalls = nextStep, []llm.ToolCall{call}
			} else if strings.Contains(string(body), "```bash") {
				a.Text = nextStep + "\n```bash\n" + s.commands[done] + "\n```"
			}
		}
		s.sold.InputTokens += a.Usage.InputTokens
		s.sold.OutputTokens += a.Usage.OutputTokens
	}
	kind, text := wire.Reply(request, a)
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(text) // the agent may be gone
}

// shell returns a call of the request's function for shell commands. Codex goes on after 10 s unless told to wait.
func (s *scriptedAPI) shell(body, command string) (llm.ToolCall, bool) {
	for name, arguments := range map[string]string{
		"Bash": `{"command":%s,"description":"work"}`, "bash": `{"command":%s,"description":"work"}`,
		"exec_command": `{"cmd":%s,"yield_time_ms":30000}`, "run_shell_command": `{"command":%s,"description":"work"}`, "shell_command": `{"command":%s}`, "shell": `{"command":["sh","-c",%s]}`,
	} {
		if strings.Contains(body, fmt.Sprintf(`"name":%q`, name)) {
			words, err := json.Marshal(command)
			assert.Check(s.t, err)
			id := fmt.Sprintf("call_%d", len(s.heard))
			return llm.ToolCall{ID: id, Type: "function", Function: llm.CallFunction{Name: name, Arguments: fmt.Sprintf(arguments, words)}}, true
		}
	}
	return llm.ToolCall{}, false
}

// TestAgents runs a whole cell with each agent of examples/agents: its model writes two tests, checks them, looks at
// gaps and ends. The ledger has what the endpoint sold. A replay makes the same suite, and so does mini in a run that
// is killed at some moments.
func TestAgents(t *testing.T) {
	for _, tt := range []struct{ name, program, path string }{
		{"codex", "codex", "/v1/responses"}, {"claude-code", "claude", "/v1/messages"}, {"opencode", "opencode", "/v1/chat/completions"},
		{"gemini-cli", "gemini", "/v1/models/scripted:streamGenerateContent"},
		{"mini", "python3", "/v1/chat/completions"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(tt.program); err != nil && os.Getenv("CI") == "" {
				t.Skipf("%v: scripts/install.sh agents", err)
			}
			const test = `printf '#include <assert.h>\n#include <cJSON.h>\nint main(void) { cJSON *n = cJSON_CreateNumber(%d); assert(cJSON_IsNumber(n)); cJSON_Delete(n); return 0; }\n' > tests/t%[1]d.c`
			server := serveAPIs(t, fmt.Sprintf(test, 1)+" && "+fmt.Sprintf(test, 2), "check", "gaps 3", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")
			dir, err := filepath.Abs("../../examples/agents/" + tt.name)
			program, globbed := filepath.Glob(filepath.Join(dir, "start.*"))
			assert.NilError(t, errors.Join(err, globbed))
			l := newLab(t, strings.NewReplacer("NAME", tt.name, "START", program[0], "URL", server.URL).Replace(agentExperiment))
			run, cell := filepath.Join(t.TempDir(), "run"), tt.name+".default.cJSON.debian.1"
			l.run(t, run)
			heard := strings.Join(server.heard, "\n")
			for _, words := range []string{"t1.c: passes", "The suite covers", "No test uses"} {
				assert.Check(t, strings.Contains(heard, words), "the model was not told %q", words)
			}
			if n := len(programsOf(t, run, cell)); n != 2 || !server.paths[tt.path] || len(server.paths) != 1 {
				t.Errorf("%d programs; asked for %v", n, server.paths)
			}
			var entries, tokens int64
			transcript, err := llm.ReadTranscript(filepath.Join(run, "cells", cell, llm.TranscriptFile))
			assert.NilError(t, err)
			for _, e := range transcript {
				entries, tokens = entries+1, tokens+e.Answer.Usage.Tokens()
			}
			assert.Check(t, tokens == server.sold.Tokens() && entries == int64(len(server.heard)),
				"charged %d requests and %d tokens of %d and %d", entries, tokens, len(server.heard), server.sold.Tokens())
			start(t, run, "replay", run, "--cache", l.cache).expect(t, exitOK, cell+": 2 programs, identical")
			if tt.name == "mini" {
				l.killed(t, run)
			}
		})
	}
}
