package exttool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// maxRequestBytes bounds a request's body: more than the longest context of any model.
const maxRequestBytes = 16 << 20

// maxParallel bounds the requests under way, and with it the memory that their bodies take.
const maxParallel = 32

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
	served chan struct{}
	asked  atomic.Int64 // requests that were answered, so far
	busy   atomic.Int64 // requests under way
	slots  chan struct{}

	mu       sync.Mutex
	attempts llm.Attempts
	outcomes map[llm.Outcome]int
}

// openEndpoint starts an endpoint. Before each request it calls before, so that what a program cost does
// not depend on the moment when somebody looked. What no other answer can mend is passed to fail, which ends the command.
func openEndpoint(ctx context.Context, dir string, model *llm.Session, stage string, before func() error, fail context.CancelCauseFunc) (*endpoint, error) {
	if err := os.RemoveAll(dir); err != nil { // of an earlier session that was killed
		return nil, fmt.Errorf("endpoint of tool %s: %w", stage, err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, fmt.Errorf("endpoint of tool %s: %w", stage, err)
	}
	e := &endpoint{
		model: model, stage: stage, ctx: ctx, before: before, fail: fail, dir: dir, served: make(chan struct{}),
		attempts: llm.Attempts{}, outcomes: map[llm.Outcome]int{}, slots: make(chan struct{}, maxParallel),
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
	mux.HandleFunc("GET /v1/models", e.models)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusNotFound, "not_found", fmt.Sprintf("%s %s: there is POST /v1/chat/completions and GET /v1/models", r.Method, r.URL.Path))
	})
	e.server = &http.Server{Handler: mux, ReadHeaderTimeout: 30 * time.Second}
	go func() {
		defer close(e.served)
		_ = e.server.Serve(listener) // always ErrServerClosed, or the listener's end
	}()
	return e, nil
}

// endpointDir is the directory for the socket of a cell that works in dir. A socket's path has at most 107
// bytes (unix(7)), and a cell's directory may be deeper than that.
func endpointDir(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return filepath.Join("/tmp", "bench-llm-"+hex.EncodeToString(sum[:8]))
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
	<-e.served
	return errors.Join(err, os.RemoveAll(e.dir))
}

// counts returns the answers by outcome, in the order of llm.Outcomes.
func (e *endpoint) counts() []trial.AnswerCount {
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []trial.AnswerCount
	for _, o := range llm.Outcomes {
		if n := e.outcomes[o]; n > 0 {
			list = append(list, trial.AnswerCount{Stage: e.stage, Outcome: string(o), Count: n})
		}
	}
	return list
}

func (e *endpoint) models(w http.ResponseWriter, _ *http.Request) {
	reply(w, http.StatusOK, map[string]any{"object": "list", "data": []any{map[string]any{"id": e.modelName(), "object": "model", "owned_by": "bench"}}})
}

// A chatRequest is what of OpenAI's request is passed on. Anything else is refused, for leaving it
// out in silence would be another experiment than the tool's builder means.
type chatRequest struct {
	Model               string         `json:"model"`
	Messages            []chatMessage  `json:"messages"`
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

type chatMessage struct {
	Role    string  `json:"role"`
	Content content `json:"content"`
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
		if !slices.Contains([]string{"system", "developer", "user", "assistant"}, m.Role) {
			return llm.Request{}, fmt.Errorf("messages[%d]: role %q is none of system, user and assistant", i, m.Role)
		}
		messages = append(messages, llm.Message{Role: m.Role, Content: strings.ToValidUTF8(string(m.Content), "\uFFFD")})
	}
	r := e.model.Request(e.stage, messages...)
	maxTokens := max(c.MaxTokens, c.MaxCompletionTokens)
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
	case c.ReasoningEffort != "" && !slices.Contains(llm.ReasoningEfforts, c.ReasoningEffort):
		return r, fmt.Errorf("reasoning_effort: none of %s", strings.Join(llm.ReasoningEfforts, ", "))
	}
	if r.Temperature == nil {
		r.Temperature = c.Temperature
	}
	if r.Seed == nil {
		r.Seed = c.Seed
	}
	if r.ReasoningEffort == "" {
		r.ReasoningEffort = c.ReasoningEffort
	}
	if r.MaxTokens == 0 {
		r.MaxTokens = maxTokens
	}
	return r, nil
}

func (e *endpoint) chat(w http.ResponseWriter, req *http.Request) {
	e.slots <- struct{}{}
	e.busy.Add(1)
	defer func() { e.busy.Add(-1); <-e.slots }()
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
	var a llm.Answer
	if err = e.before(); err == nil {
		a, err = e.complete(r)
	}
	if err != nil {
		e.refuseFor(w, err)
		return
	}
	if a.Outcome == llm.ContextLength {
		refuse(w, http.StatusBadRequest, "context_length_exceeded", a.Detail)
		return
	}
	if c.Stream {
		stream(w, r, a)
		return
	}
	reply(w, http.StatusOK, openai.ChatCompletionResponse{
		ID: "bench-" + r.Key(), Object: "chat.completion", Model: r.Model, Usage: usage(a),
		Choices: []openai.ChatCompletionChoice{{
			Message:      openai.ChatCompletionMessage{Role: openai.ChatMessageRoleAssistant, Content: a.Text, Refusal: refusal(a)},
			FinishReason: openai.FinishReason(finishReason(a)),
		}},
	})
}

// complete asks the session. The same request again is another attempt: it gets an answer of its own.
func (e *endpoint) complete(r llm.Request) (llm.Answer, error) {
	e.mu.Lock()
	e.attempts.Number(&r)
	e.mu.Unlock()
	a, err := e.model.Complete(e.ctx, r)
	if err == nil {
		e.asked.Add(1)
		e.mu.Lock()
		e.outcomes[a.Outcome]++
		e.mu.Unlock()
	}
	return a, err
}

// refuseFor tells the command why there is no answer. A budget is for the command to know of; trouble
// of the endpoint or of the harness ends the cell, for it must not become a result.
func (e *endpoint) refuseFor(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, trial.ErrBudget):
		// Not 429, after which clients try again.
		refuse(w, http.StatusPaymentRequired, "budget", err.Error()+": leave what is finished and end")
		return
	case errors.Is(err, llm.ErrNoRecording) && len(e.model.Unused()) == 0:
		e.fail(errRecordingEnds)
	default:
		e.fail(err)
	}
	refuse(w, http.StatusServiceUnavailable, "ended", err.Error())
}

func finishReason(a llm.Answer) string {
	switch {
	case a.Outcome == llm.TooLong || a.Outcome == llm.Truncated:
		return "length"
	case a.FinishReason == "":
		return "stop"
	}
	return a.FinishReason
}

func refusal(a llm.Answer) string {
	if a.Outcome == llm.Refusal {
		return a.Detail
	}
	return ""
}

func usage(a llm.Answer) openai.Usage {
	return openai.Usage{PromptTokens: int(a.Usage.InputTokens), CompletionTokens: int(a.Usage.OutputTokens), TotalTokens: int(a.Usage.Tokens())}
}

// stream is an answer for a command that wants it in parts: it gets one.
func stream(w http.ResponseWriter, r llm.Request, a llm.Answer) {
	w.Header().Set("Content-Type", "text/event-stream")
	all := usage(a)
	for _, event := range []openai.ChatCompletionStreamResponse{
		{Choices: []openai.ChatCompletionStreamChoice{{Delta: openai.ChatCompletionStreamChoiceDelta{Role: "assistant", Content: a.Text, Refusal: refusal(a)}}}},
		{Choices: []openai.ChatCompletionStreamChoice{{FinishReason: openai.FinishReason(finishReason(a))}}},
		{Usage: &all, Choices: []openai.ChatCompletionStreamChoice{}},
	} {
		event.ID, event.Object, event.Model = "bench-"+r.Key(), "chat.completion.chunk", r.Model
		data, err := json.Marshal(event)
		if err != nil {
			return // texts and numbers only
		}
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// refuse answers with an error as OpenAI's API has it.
func refuse(w http.ResponseWriter, status int, code, words string) {
	reply(w, status, map[string]any{"error": map[string]any{"type": code, "code": code, "message": words}})
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the command may have hung up
}
