package exttool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/wire"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const (
	maxRequestBytes = 16 << 20 // of a request's body: more than the longest context of any model
	maxParallel     = 32       // requests under way, and with it the memory that their bodies take
)

// errRecordingEnds is the cause of a replay that has come to the end of what was recorded.
var errRecordingEnds = errors.New("the recording ends here")

// An endpoint is where a command asks its model: HTTP on a Unix socket, which a sandbox without a network can show. It
// passes requests of llm.APIs and llm.Gemini on to the cell's session, so that they are recorded, priced, limited and
// replayed like those of any tool.
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
// command.
func openEndpoint(
	ctx context.Context, model *llm.Session, stage string, before func() error, fail context.CancelCauseFunc,
) (*endpoint, error) {
	listener, dir, err := listenIn(endpointSocket)
	if err != nil {
		return nil, fmt.Errorf("endpoint of tool %s: %w", stage, err)
	}
	e := &endpoint{
		model: model, stage: stage, ctx: ctx, before: before, fail: fail, dir: dir,
		outcomes: map[llm.Outcome]int{}, slots: make(chan struct{}, maxParallel),
	}
	mux := http.NewServeMux()
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
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		const there = "there is no other host, and POST /v1/chat/completions, /v1/responses, /v1/messages, /v1beta/models/… and GET /v1/models here"
		refuse(w, http.StatusNotFound, "not_found_error", fmt.Sprintf("%s %s%s: %s", r.Method, r.Host, r.URL.Path, there))
	})
	e.server = &http.Server{Handler: mux, ReadHeaderTimeout: 30 * time.Second}
	go func() { _ = e.server.Serve(listener) }() // always ErrServerClosed, or the listener's end
	return e, nil
}

const endpointSocket = "llm.sock"

func (e *endpoint) socket() string { return filepath.Join(e.dir, endpointSocket) }

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

// headers are the headers of the APIs that a program may send.
var headers = []string{"Anthropic-Version", "Anthropic-Beta", "Openai-Beta"}

// pass passes a request on and its answer back, both as they are.
func (e *endpoint) pass(w http.ResponseWriter, req *http.Request, api llm.API) {
	e.slots <- struct{}{}
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
	a, err := e.complete(r)
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
