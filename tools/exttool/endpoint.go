package exttool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/net/netutil"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/wire"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const (
	maxConnections  = 64       // at a time; a command that opens more waits
	maxParallel     = 32       // requests under way, and with it the memory that their bodies take
	maxRequestBytes = 16 << 20 // of a request's body: more than the longest context of any model
	maxCommandBytes = 64 << 10 // of what an agent's command is given
	idleTimeout     = time.Minute
)

// errRecordingEnds is the cause of a replay that has come to the end of what was recorded.
var errRecordingEnds = errors.New("the recording ends here")

// An endpoint is what a command can reach of the harness: HTTP on a Unix socket, which a sandbox without a network can
// show. It passes requests of llm.APIs and llm.Gemini on to the cell's session, so that they are recorded, priced, limited
// and replayed like those of any tool. An agent finds its commands at /commands/NAME, which the door asks for, and at /mcp.
type endpoint struct {
	model  *llm.Session // nil if the command asks none
	stage  string
	space  Space           // nil but for an agent
	ctx    context.Context // of the cell and not of a connection: an answer that was paid for is recorded
	fail   context.CancelCauseFunc
	before func() error // takes up what the command has finished; called before anything is asked
	dir    string       // with the socket
	server *http.Server
	slots  chan struct{} // of requests and commands under way
	calls  atomic.Int64  // of an agent's commands

	mu       sync.Mutex
	outcomes map[llm.Outcome]int
}

// open starts the endpoint. What no answer can mend is passed to fail, which ends the command. The socket is in a directory
// of its own, which a sandbox can show to a command, also of another user. The directory is in /tmp: a socket's path has at
// most 107 bytes (unix(7)).
func (e *endpoint) open() (err error) {
	e.outcomes, e.slots = map[llm.Outcome]int{}, make(chan struct{}, maxParallel)
	if e.dir, err = os.MkdirTemp("/tmp", "bench-socket-"); err != nil {
		return err
	}
	listener, err := net.Listen("unix", e.socket())
	if err == nil {
		err = errors.Join(os.Chmod(e.dir, 0o755), os.Chmod(e.socket(), 0o666))
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(e.dir))
	}
	e.server = &http.Server{Handler: e.routes(), ReadHeaderTimeout: 30 * time.Second, IdleTimeout: idleTimeout}
	go func() { _ = e.server.Serve(netutil.LimitListener(listener, maxConnections)) }() // always ErrServerClosed
	return nil
}

func (e *endpoint) socket() string { return filepath.Join(e.dir, "bench.sock") }

// close ends the endpoint with all its connections. Its context must have ended before, so that nobody
// waits for an answer any more.
func (e *endpoint) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	err := e.server.Shutdown(ctx)
	if err != nil {
		err = e.server.Close()
	}
	for range maxParallel { // until what is under way has seen its end
		e.slots <- struct{}{}
	}
	return errors.Join(err, os.RemoveAll(e.dir))
}

// enter waits for one of the slots, and reports whether there is one before the cell ends.
func (e *endpoint) enter() bool {
	select {
	case e.slots <- struct{}{}:
		return true
	case <-e.ctx.Done():
		return false
	}
}

// routes are those to the model and to an agent's commands.
func (e *endpoint) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		const there = "there is no other host, and POST /v1/chat/completions, /v1/responses, /v1/messages, /v1beta/models/… and GET /v1/models here"
		refuse(w, http.StatusNotFound, "not_found_error", fmt.Sprintf("%s %s%s: %s", r.Method, r.Host, r.URL.Path, there))
	})
	if e.space != nil {
		mux.HandleFunc("POST /commands/{name}", e.command)
		mux.HandleFunc("POST /mcp", e.serveMCP)
	}
	if e.model == nil {
		return mux
	}
	for _, api := range llm.APIs {
		mux.HandleFunc("POST /v1"+string(api), func(w http.ResponseWriter, r *http.Request) { e.pass(w, r, api) })
	}
	mux.HandleFunc("POST /v1beta"+string(llm.Gemini)+"{call}", func(w http.ResponseWriter, r *http.Request) {
		switch _, method, _ := strings.Cut(r.PathValue("call"), ":"); method {
		case "generateContent":
			e.pass(w, r, llm.Gemini+":generateContent")
		case "streamGenerateContent":
			e.pass(w, r, llm.Gemini+":streamGenerateContent?alt=sse")
		default:
			refuse(w, http.StatusNotFound, "not_found_error", r.URL.Path+": there is generateContent and streamGenerateContent")
		}
	})
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		only := fields{"id": e.modelName(), "object": "model", "owned_by": "bench"}
		reply(w, http.StatusOK, fields{"object": "list", "data": []any{only}})
	})
	return mux
}

// modelName is what the command may put into "model".
func (e *endpoint) modelName() string { return e.model.Request(e.stage).Model }

// counts returns the answers by outcome, in the order of llm.Outcomes.
func (e *endpoint) counts() (list []trial.AnswerCount) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, o := range llm.Outcomes {
		if n := e.outcomes[o]; n > 0 {
			list = append(list, trial.AnswerCount{Stage: e.stage, Outcome: string(o), Count: n})
		}
	}
	return list
}

// headers are the headers of the APIs that a program may send.
var headers = []string{"Anthropic-Version", "Anthropic-Beta", "Openai-Beta"}

// pass passes a request on and its answer back, both as they are.
func (e *endpoint) pass(w http.ResponseWriter, req *http.Request, api llm.API) {
	if !e.enter() {
		refuse(w, http.StatusServiceUnavailable, "ended", "the work has ended")
		return
	}
	defer func() { <-e.slots }()
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxRequestBytes))
	sent := map[string]string{}
	for _, name := range headers {
		if value := req.Header.Get(name); value != "" {
			sent[name] = value
		}
	}
	var r llm.Request
	if err == nil {
		r, err = wire.PassOn(e.model.Request(e.stage), api, body, sent)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}
	var a llm.Answer
	if err = e.before(); err == nil {
		a, err = e.model.Complete(e.ctx, r)
	}
	if err == nil {
		e.mu.Lock()
		e.outcomes[a.Outcome]++
		e.mu.Unlock()
	}
	switch {
	case errors.Is(err, trial.ErrBudget): // not 429, after which clients try again
		refuse(w, http.StatusPaymentRequired, "insufficient_quota", err.Error()+": leave what is finished and end")
	case err != nil: // trouble of the endpoint or of the harness ends the cell, for it must not become a result
		why := err
		if errors.Is(err, llm.ErrNoRecording) && len(e.model.Unused()) == 0 {
			why = errRecordingEnds
		}
		e.fail(why)
		refuse(w, http.StatusServiceUnavailable, "ended", err.Error())
	case a.Outcome == llm.ContextLength:
		refuse(w, http.StatusBadRequest, "context_length_exceeded", a.Detail)
	default:
		kind, answer := wire.Reply(r, a)
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(answer) // the command may have hung up
	}
}

// command runs one of an agent's commands. The body has the words behind its name, each ended by a null byte.
func (e *endpoint) command(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxCommandBytes))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	name, words := r.PathValue("name"), strings.Split(string(body), "\x00")
	args, ok := e.space.Arguments(name, words[:len(words)-1])
	if !ok {
		e.calls.Add(1)
		fmt.Fprintf(w, "there is no command %q\n", name)
		return
	}
	fmt.Fprintln(w, e.call(name, args)) // the agent may have hung up
}

// call runs a command of the space and returns what the agent is told.
func (e *endpoint) call(name, args string) string {
	e.calls.Add(1)
	if !e.enter() {
		return "the work has ended"
	}
	defer func() { <-e.slots }()
	said, err := e.space.Call(e.ctx, name, args)
	if err == nil {
		return said
	}
	if !errors.Is(err, trial.ErrBudget) {
		e.fail(err)
	}
	return "the work has ended: " + err.Error()
}

// serveMCP makes of a connection a server of the Model Context Protocol (modelcontextprotocol.io), to which the door connects
// its own standard input and output. The server's tools are the commands of the space.
func (e *endpoint) serveMCP(w http.ResponseWriter, _ *http.Request) {
	conn, in, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer conn.Close()
	defer context.AfterFunc(e.ctx, func() { conn.Close() })()
	server := mcp.NewServer(&mcp.Implementation{Name: "lisa-bench", Version: "1"}, nil)
	for _, f := range e.space.Functions() {
		name := f.Function.Name
		tool := &mcp.Tool{Name: name, Description: f.Function.Description, InputSchema: f.Function.Parameters}
		server.AddTool(tool, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			said := e.call(name, string(r.Params.Arguments))
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}, nil
		})
	}
	_ = server.Run(e.ctx, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: conn}) // the agent may hang up at any time
}

// fields is a JSON object of an API.
type fields map[string]any

// refuse answers with an error in a form that suits all APIs.
func refuse(w http.ResponseWriter, status int, code, words string) {
	reply(w, status, fields{"type": "error", "error": fields{"type": code, "code": code, "message": words}})
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the command may have hung up
}
