package exttool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
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
			if err := os.MkdirAll(filepath.Join(b.dir, "tests"), 0o777); err != nil {
				t.Fatal(err)
			}
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
			if err := errors.Join(err, saidErr); err != nil {
				t.Fatal(err)
			}
			if r.origins() != "tests/a.c" || string(told) != "the task\n" || !strings.HasPrefix(string(said), "check a.c passes\nthere is no command \"gaps\"\n") ||
				strings.Contains(string(said), "planted") || strings.Contains(string(said), "reached") {
				t.Errorf("suite %q, told %q, said %q", r.origins(), told, said)
			}
		})
	}
}

// inspect lists and calls the tools by the command line of the MCP inspector. It returns how many were called.
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
		if err != nil || !strings.Contains(string(out), asked[1]) {
			t.Errorf("inspector: %v: %v: %s", method, err, out)
		}
	}
	return calls
}

// TestMCP: a client that starts the door as a server finds the commands as its tools, and calls each.
func TestMCP(t *testing.T) {
	job, suite := jobIn(t, trial.Budget{Programs: 5})
	ctx, fail := context.WithCancelCause(t.Context())
	d, err := openDesk(ctx, &bench{dir: job.Dir, suite: suite}, fail)
	if err != nil {
		t.Fatal(err)
	}
	w, bin := work{Command: &Command{CC: "cc"}}, filepath.Join(job.Dir, "bin")
	if err := w.openDoor(ctx, bin); err != nil {
		t.Fatal(err)
	}
	door := exec.Command(filepath.Join(bin, "mcp"))
	door.Env = []string{"LISA_BENCH_COMMANDS=" + d.socket()}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(ctx, &mcp.CommandTransport{Command: door}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := client.ListTools(ctx, nil)
	if err != nil || len(tools.Tools) != 3 {
		t.Fatalf("%d tools, %v", len(tools.Tools), err)
	}
	for _, tool := range tools.Tools {
		r, err := client.CallTool(ctx, &mcp.CallToolParams{Name: tool.Name, Arguments: map[string]any{"files": []string{"a.c"}}})
		if err != nil {
			t.Fatal(err)
		}
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
	fail(nil)
	if err := d.close(); err != nil || d.asked() != calls || len(suite.Programs) != calls {
		t.Errorf("%v, %d calls, %d programs", err, d.asked(), len(suite.Programs))
	}
}
