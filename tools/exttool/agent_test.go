package exttool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/provider"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

// A bench is a workspace whose check keeps every file.
type bench struct {
	dir      string
	suite    trial.SuiteWriter
	broken   error
	kept     int
	finished bool
}

func (b *bench) Root() string { return b.dir }
func (b *bench) Text() string { return "the task" }
func (b *bench) Kept() int    { return b.kept }

func (b *bench) Arguments(command string, words []string) (string, bool) {
	return strings.Join(words, " "), command == "check"
}

func (b *bench) Functions() []llm.Tool {
	const list = `{"type":"object","properties":{"files":{"type":"array","items":{"type":"string"}}}}`
	return []llm.Tool{llm.NewTool("check", "checks files", list), llm.NewTool("gaps", "tells gaps", `{"type":"object"}`), llm.NewTool("suspect", "keeps", `{"type":"object"}`)}
}

func (b *bench) Call(_ context.Context, command, args string) (string, error) {
	if b.broken != nil {
		return "", b.broken
	}
	b.kept++
	return command + " " + args + " passes", b.suite.Add(trial.Program{ID: "p", Source: args, Origin: "tests/" + args})
}

func (b *bench) Finish(context.Context) error {
	b.finished = true
	return nil
}

// TestAgent: an agent works in its directory, its commands reach the harness, and nothing else does.
func TestAgent(t *testing.T) {
	for _, tt := range []struct {
		name   string
		broken error
		want   string // error
	}{{"works", nil, ""}, {"harness breaks", errors.New("no disk"), "no disk"}} {
		t.Run(tt.name, func(t *testing.T) {
			b := &bench{broken: tt.broken}
			job, suite := jobIn(t, trial.Budget{Programs: 5})
			b.dir, b.suite = filepath.Join(job.Dir, "space"), suite
			assert.NilError(t, os.MkdirAll(filepath.Join(b.dir, "tests"), 0o777))
			r := generateIn(t, t.Context(), job, suite, func(c *Command) {
				c.Spec.Agent = &experiments.Agent{Task: experiments.TaskArgument, Feedback: "none"}
				c.Space = func(context.Context, trial.Job, string) (Space, error) { return b, nil }
			}, "agent.sh")
			if got := fmt.Sprint(r.err); tt.want != "" && !strings.Contains(got, tt.want) || tt.want == "" && r.err != nil || !b.finished {
				t.Fatalf("ended with %s, finished %v", got, b.finished)
			}
			if tt.want != "" {
				return
			}
			told, err := os.ReadFile(filepath.Join(b.dir, "tests", "told.txt"))
			said, saidErr := os.ReadFile(filepath.Join(b.dir, "tests", "said.txt"))
			assert.NilError(t, errors.Join(err, saidErr))
			if r.origins() != "tests/a.c" || string(told) != "the task\n" || !strings.HasPrefix(string(said), "check a.c passes\nthere is no command \"gaps\"\n") ||
				strings.Contains(string(said), "planted") || strings.Contains(string(said), "reached") {
				t.Errorf("suite %q, told %q, said %q", r.origins(), told, said)
			}
		})
	}
}

// attacks are scripts of agents that try what is forbidden, and print "reached" if it worked. An agent ends without an
// error unless kind says otherwise.
var attacks = map[string]struct{ script, kind string }{
	"reads elsewhere": {`cat ../* ../../* ../../*/bugs.yaml /etc/shadow /root/* /proc/1/environ /proc/*/environ /proc/1/root/etc/shadow | tr '\0' '\n' | grep -q 'planted\|sk-secret\|root:' && echo reached`, ""},
	"opens sockets": {`python3 -c '
import glob, os, socket
for family, to in [(socket.AF_INET, ("127.0.0.1", 22)), (socket.AF_INET, ("1.1.1.1", 53)), (socket.AF_INET, ("10.0.2.2", 80))] + [
        (socket.AF_UNIX, name) for name in glob.glob("/tmp/bench-*/*") + ["/run/docker.sock", "/var/run/docker.sock"] if name != os.environ["LISA_BENCH_COMMANDS"] and name != os.environ["LISA_BENCH_LLM_SOCKET"]]:
    s = socket.socket(family); s.settimeout(2)
    try: s.connect(to); print("reached", to)
    except OSError: pass'`, ""},
	"asks for another host or path": {`python3 -c '
import http.client
for method, path in [("GET", "http://example.com/"), ("CONNECT", "example.com:443"), ("POST", "/v1/embeddings"), ("GET", "/v1/files"), ("POST", "/v1/../v1/batches"), ("DELETE", "/v1/models")]:
    c = http.client.HTTPConnection("127.0.0.1", 8080); c.request(method, path, "{}"); r = c.getresponse(); text = r.read().decode()
    if r.status not in (301, 307, 404, 405): print("reached", method, path, r.status, text)'`, ""},
	"leaves a daemon": {`setsid sh -c 'while :; do date +%N > tests/alive; sleep 0.1; done' > /dev/null 2>&1 &`, ""},
	"fills the disk":  {`for i in 1 2 3; do head -c 200000000 /dev/urandom > tests/big$i; done; sleep 60`, KindFlooded},
	"many files":      {`python3 -c 'for i in range(30000): open(f"tests/{i}", "w")'; sleep 60`, KindFlooded},
	"ten thousand commands": {`python3 -c '
import os, socket
for i in range(10000):
    s = socket.socket(socket.AF_UNIX); s.connect(os.environ["LISA_BENCH_COMMANDS"]); s.sendall(b"POST /commands/gaps HTTP/1.0\r\n\r\n"); s.recv(100); s.close()'; echo reached`, KindIdle},
	"a command without an end": {`python3 -c '
import os, socket
s = socket.socket(socket.AF_UNIX); s.connect(os.environ["LISA_BENCH_COMMANDS"])
s.sendall(b"POST /commands/check HTTP/1.0\r\nContent-Length: 1000000000000\r\n\r\n")
try:
    while True: s.sendall(b"x" * 65536)
except OSError: pass'`, ""},
}

// openBench opens an endpoint with a workspace alone.
func openBench(t *testing.T) (e *endpoint, suite *tooltest.Suite, close func() error) {
	t.Helper()
	job, suite := jobIn(t, trial.Budget{Programs: 9})
	ctx, cancel := context.WithCancelCause(t.Context())
	e = &endpoint{ctx: ctx, fail: cancel, space: &bench{dir: job.Dir, suite: suite}}
	assert.NilError(t, e.open())
	return e, suite, func() error { cancel(nil); return e.close() }
}

// TestDesk: a command that finds no place waits until others have ended.
func TestDesk(t *testing.T) {
	e, _, end := openBench(t)
	var idle []net.Conn
	for range maxConnections + 1 { // the last one finds no place
		conn, err := net.Dial("unix", e.socket())
		assert.NilError(t, err)
		idle = append(idle, conn)
	}
	last := idle[maxConnections]
	_, err := last.Write([]byte("POST /commands/check HTTP/1.0\r\nContent-Length: 4\r\n\r\na.c\x00"))
	early := errors.Join(last.SetReadDeadline(time.Now().Add(200*time.Millisecond)), err)
	if n, err := last.Read(make([]byte, 1)); early != nil || n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%v; the connection beyond the limit was answered with %d bytes, %v", early, n, err)
	}
	for _, conn := range idle[:maxConnections] {
		conn.Close()
	}
	assert.NilError(t, last.SetReadDeadline(time.Now().Add(time.Minute)))
	if said, err := io.ReadAll(last); err != nil || !strings.HasSuffix(string(said), "\r\n\r\ncheck a.c passes\n") {
		t.Errorf("it said %q, %v", said, err)
	}
	assert.NilError(t, end())
}

// TestHostileAgents: each attack ends as its kind says, nothing leaks, and nothing is charged.
func TestHostileAgents(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-secret")
	for name, tt := range attacks {
		t.Run(name, func(t *testing.T) {
			job, suite := jobIn(t, trial.Budget{Tokens: 1000})
			b := &bench{dir: filepath.Join(job.Dir, "space"), suite: suite}
			script := filepath.Join(t.TempDir(), "attack.sh")
			assert.NilError(t, errors.Join(os.MkdirAll(filepath.Join(b.dir, "tests"), 0o777), os.WriteFile(script, []byte("#!/bin/sh\n("+tt.script+") > tests/said.txt 2>/dev/null\n:\n"), 0o755)))
			r := generateIn(t, t.Context(), job, suite, func(c *Command) {
				c.Spec.Command, c.Spec.Model, c.Models = []string{script}, true, provider.Scripted(func([]llm.Message) string { return "reached" })
				c.Spec.Agent = &experiments.Agent{Task: experiments.TaskArgument, Feedback: "none"}
				c.Space = func(context.Context, trial.Job, string) (Space, error) { return b, nil }
			}, "agent.sh")
			if r.kind() != tt.kind || tt.kind == "" && (r.err != nil || r.stop != trial.StopExhausted) {
				t.Errorf("stop %q, %v; want %q", r.stop, r.err, tt.kind)
			}
			if said, _ := os.ReadFile(filepath.Join(b.dir, "tests", "said.txt")); strings.Contains(string(said), "reached") {
				t.Errorf("it said %q", said)
			}
			if u := job.Ledger.Usage(); u.LLMCalls != 0 || u.Tokens != 0 {
				t.Errorf("charged %+v", u)
			}
			alive, _ := os.ReadFile(filepath.Join(b.dir, "tests", "alive"))
			time.Sleep(300 * time.Millisecond)
			if now, _ := os.ReadFile(filepath.Join(b.dir, "tests", "alive")); string(now) != string(alive) {
				t.Error("its daemon is still at work")
			}
		})
	}
}

// inspect lists and calls the tools with the command line of the MCP inspector, and returns how many were called.
func inspect(t *testing.T, door *exec.Cmd) (calls int) {
	t.Helper()
	if _, err := exec.LookPath("mcp-inspector"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Logf("%v: scripts/install.sh agents", err)
		return 0
	}
	for _, asked := range [][2]string{{"", `"name": "gaps"`}, {"check", "check {} passes"}, {"gaps", "gaps {} passes"}, {"suspect", "suspect {} passes"}} {
		method := []string{"--method", "tools/list"}
		if asked[0] != "" {
			method = []string{"--method", "tools/call", "--tool-name", asked[0]}
			calls++
		}
		out, err := exec.Command("mcp-inspector", append([]string{"--cli", "-e", door.Env[0], door.Path}, method...)...).CombinedOutput()
		assert.Check(t, err == nil && strings.Contains(string(out), asked[1]),
			"inspector: %v: %v: %s", method, err, out)
	}
	return calls
}

// TestMCP: a client that starts the door as a server finds the commands as its tools, and can call each of them.
func TestMCP(t *testing.T) {
	e, suite, end := openBench(t)
	ctx, bin := t.Context(), t.TempDir()
	assert.NilError(t, buildDoor(ctx, "cc", bin))
	door := exec.Command(filepath.Join(bin, "mcp"))
	door.Env = []string{"LISA_BENCH_COMMANDS=" + e.socket()}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(ctx, &mcp.CommandTransport{Command: door}, nil)
	assert.NilError(t, err)
	tools, err := client.ListTools(ctx, nil)
	assert.Assert(t, err == nil && len(tools.Tools) == 3, "%d tools, %v", len(tools.Tools), err)
	for _, tool := range tools.Tools {
		r, err := client.CallTool(ctx, &mcp.CallToolParams{Name: tool.Name, Arguments: map[string]any{"files": []string{"a.c"}}})
		assert.NilError(t, err)
		if text := r.Content[0].(*mcp.TextContent).Text; text != tool.Name+` {"files":["a.c"]} passes` {
			t.Errorf("%s said %q", tool.Name, text)
		}
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	calls := 3
	if !testing.Short() {
		calls += inspect(t, door)
	}
	if err := end(); err != nil || e.calls.Load() != int64(calls) || len(suite.Programs) != calls {
		t.Errorf("%v, %d calls, %d programs", err, e.calls.Load(), len(suite.Programs))
	}
}
