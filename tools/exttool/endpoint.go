package exttool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const (
	maxRequestBytes = 16 << 20 // of a request's body: more than the longest context of any model
	maxParallel     = 32       // requests under way, and with it the memory that their bodies take
)

// errRecordingEnds is the cause of a replay that has come to the end of what was recorded.
var errRecordingEnds = errors.New("the recording ends here")

// An endpoint is the part of OpenAI's API that a command asks its model through: HTTP on a Unix socket,
// the one thing of the host that a sandbox without a network can be shown. Behind it is the
// session of the cell, so that calls are recorded, priced, limited and replayed as those of any tool.
type endpoint struct {
	model  *llm.Session
	stage  string
	ctx    context.Context // of the cell and not of a connection: an answer that was paid for is recorded
	fail   context.CancelCauseFunc
	before func() error // takes up what the command has finished; called before anything is asked
	dir    string       // with the socket
	server *http.Server
	slots  chan struct{} // of requests under way

	mu       sync.Mutex
	outcomes map[llm.Outcome]int
}

// openEndpoint starts an endpoint. Before each request it calls before, so that what a program cost does
// not depend on the moment when somebody looked. What no other answer can mend is passed to fail, which ends the
// command. The socket lies in /tmp, for its path has at most 107 bytes (unix(7)).
func openEndpoint(
	ctx context.Context, model *llm.Session, stage string, before func() error, fail context.CancelCauseFunc,
) (*endpoint, error) {
	dir, err := os.MkdirTemp("/tmp", "bench-llm-")
	if err != nil {
		return nil, fmt.Errorf("endpoint of tool %s: %w", stage, err)
	}
	e := &endpoint{
		model: model, stage: stage, ctx: ctx, before: before, fail: fail, dir: dir,
		outcomes: map[llm.Outcome]int{}, slots: make(chan struct{}, maxParallel),
	}
	listener, err := net.Listen("unix", e.socket())
	if err == nil {
		err = errors.Join(os.Chmod(dir, 0o755), os.Chmod(e.socket(), 0o666)) // the command may be another user's
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("endpoint of tool %s: %w", stage, err), os.RemoveAll(dir))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", e.chat)
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		only := fields{"id": e.modelName(), "object": "model", "owned_by": "bench"}
		reply(w, http.StatusOK, fields{"object": "list", "data": []any{only}})
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		const there = "there is POST /v1/chat/completions and GET /v1/models"
		refuse(w, http.StatusNotFound, "not_found", fmt.Sprintf("%s %s: %s", r.Method, r.URL.Path, there))
	})
	e.server = &http.Server{Handler: mux, ReadHeaderTimeout: 30 * time.Second}
	go func() { _ = e.server.Serve(listener) }() // always ErrServerClosed, or the listener's end
	return e, nil
}

func (e *endpoint) socket() string { return filepath.Join(e.dir, "llm.sock") }

// modelName is what the command may put into "model".
func (e *endpoint) modelName() string { return e.model.Request(e.stage).Model }

// close ends the endpoint with all its connections. Its context must have ended before, so that nobody
// waits for an answer any more.
func (e *endpoint) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	err := e.server.Shutdown(ctx)
	if err != nil {
		err = e.server.Close()
	}
	return errors.Join(err, os.RemoveAll(e.dir))
}

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

// A chatRequest is what of OpenAI's request is passed on. Anything else is refused, for leaving it
// out in silence would be another experiment than the tool's builder means.
type chatRequest struct {
	Model    string `json:"model"`
	Messages []struct {
		Role       string         `json:"role"`
		Content    content        `json:"content"`
		ToolCalls  []llm.ToolCall `json:"tool_calls"`
		ToolCallID string         `json:"tool_call_id"`
	} `json:"messages"`
	Tools               []llm.Tool     `json:"tools"`
	Temperature         *float64       `json:"temperature"`
	Seed                *int64         `json:"seed"`
	ReasoningEffort     string         `json:"reasoning_effort"`
	MaxTokens           int            `json:"max_tokens"`
	MaxCompletionTokens int            `json:"max_completion_tokens"`
	N                   *int           `json:"n"`
	Stream              bool           `json:"stream"`
	StreamOptions       map[string]any `json:"stream_options"`
	User                string         `json:"user"` // of no account
}

// content is a text, or a list of parts of which all are texts.
type content string

func (c *content) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, (*string)(c)) == nil {
		return nil
	}
	var parts []struct{ Type, Text string }
	if err := json.Unmarshal(data, &parts); err != nil {
		return errors.New("content is neither a text nor a list of parts")
	}
	for _, p := range parts {
		if p.Type != "text" {
			return fmt.Errorf("a part of type %q: only text is passed on", p.Type)
		}
		*c += content(p.Text)
	}
	return nil
}

// request makes the session's request of it. What the experiment sets for the stage wins over
// what the command asks for.
func (e *endpoint) request(c chatRequest) (llm.Request, error) {
	var messages []llm.Message
	for i, m := range c.Messages {
		if !slices.Contains([]string{"system", "developer", "user", "assistant", "tool"}, m.Role) {
			return llm.Request{}, fmt.Errorf("messages[%d]: role %q is none of system, user, assistant and tool", i, m.Role)
		}
		messages = append(messages, llm.Message{Role: m.Role, Content: string(m.Content), ToolCalls: m.ToolCalls, ToolCallID: m.ToolCallID})
	}
	r := e.model.Request(e.stage, messages...)
	r.Tools = c.Tools
	switch {
	case len(messages) == 0:
		return r, errors.New("messages: there are none")
	case c.Model != "" && c.Model != r.Model:
		return r, fmt.Errorf("model: the experiment's model is %q, not %q: it is llm.model in the manifest", r.Model, c.Model)
	case c.N != nil && *c.N != 1:
		return r, errors.New("n: one answer for each request: ask again for another")
	case c.Temperature != nil && (*c.Temperature < 0 || *c.Temperature > 2):
		return r, errors.New("temperature: not between 0 and 2")
	case c.MaxTokens < 0 || c.MaxCompletionTokens < 0:
		return r, errors.New("max_tokens: less than none")
	}
	r.Temperature = cmp.Or(r.Temperature, c.Temperature)
	r.Seed = cmp.Or(r.Seed, c.Seed)
	r.ReasoningEffort = cmp.Or(r.ReasoningEffort, c.ReasoningEffort)
	r.MaxTokens = cmp.Or(r.MaxTokens, max(c.MaxTokens, c.MaxCompletionTokens))
	return r, nil
}

func (e *endpoint) chat(w http.ResponseWriter, req *http.Request) {
	e.slots <- struct{}{}
	defer func() { <-e.slots }()
	var c chatRequest
	dec := json.NewDecoder(http.MaxBytesReader(w, req.Body, maxRequestBytes))
	dec.DisallowUnknownFields()
	err := dec.Decode(&c)
	var r llm.Request
	if err == nil {
		r, err = e.request(c)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}
	a, err := e.complete(r)
	switch {
	case errors.Is(err, trial.ErrBudget): // not 429, after which clients try again
		refuse(w, http.StatusPaymentRequired, "budget", err.Error()+": leave what is finished and end")
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
		answer(w, c.Stream, r, a)
	}
}

// complete takes up what is finished and asks the session.
func (e *endpoint) complete(r llm.Request) (llm.Answer, error) {
	if err := e.before(); err != nil {
		return llm.Answer{}, err
	}
	a, err := e.model.Complete(e.ctx, r)
	if err == nil {
		e.mu.Lock()
		e.outcomes[a.Outcome]++
		e.mu.Unlock()
	}
	return a, err
}

// A fields is a JSON object of the API (platform.openai.com/docs/api-reference/chat).
type fields map[string]any

// answer writes an answer, whole or as a stream of one part.
func answer(w http.ResponseWriter, stream bool, r llm.Request, a llm.Answer) {
	finish := cmp.Or(a.FinishReason, "stop")
	if a.Outcome == llm.TooLong || a.Outcome == llm.Truncated {
		finish = "length"
	}
	message := fields{"role": "assistant", "content": a.Text}
	if len(a.ToolCalls) > 0 {
		var calls []any
		for i, c := range a.ToolCalls {
			calls = append(calls, fields{"index": i, "id": c.ID, "type": c.Type, "function": c.Function})
		}
		message["tool_calls"] = calls
	}
	if a.Outcome == llm.Refusal {
		message["refusal"] = a.Detail
	}
	u := a.Usage
	usage := fields{"prompt_tokens": u.InputTokens, "completion_tokens": u.OutputTokens, "total_tokens": u.Tokens()}
	object := func(kind, part string, more fields) fields {
		out := fields{
			"id": "bench-" + r.Key(), "object": kind, "model": r.Model,
			"choices": []any{fields{"index": 0, part: message, "finish_reason": finish}},
		}
		maps.Copy(out, more)
		return out
	}
	if !stream {
		reply(w, http.StatusOK, object("chat.completion", "message", fields{"usage": usage}))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, more := range []fields{{}, {"usage": usage, "choices": []any{}}} {
		fmt.Fprint(w, "data: ")
		_ = json.NewEncoder(w).Encode(object("chat.completion.chunk", "delta", more)) // the command may have hung up
		fmt.Fprint(w, "\n")
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// refuse answers with an error as OpenAI's API has it.
func refuse(w http.ResponseWriter, status int, code, words string) {
	reply(w, status, fields{"error": fields{"type": code, "code": code, "message": words}})
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the command may have hung up
}
