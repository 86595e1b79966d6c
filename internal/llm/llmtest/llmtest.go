// Package llmtest is an OpenAI-compatible endpoint for tests, with a Go function as its model.
package llmtest

import (
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/provider"
)

// ModelName is the only model of the endpoint. It costs one dollar per million tokens.
const ModelName = "scripted"

// A Model answers a conversation. It is called from several goroutines.
type Model func(messages []llm.Message) string

// An Endpoint is a server with a scripted model. What may be set is set before it is asked.
type Endpoint struct {
	URL   string       // base URL
	Asked atomic.Int64 // requests so far, but for those that only check whether it answers

	Habit func(n int64) Habit             // of the n-th request, from 1; nil for none
	Pause func(text string) time.Duration // before an answer; nil for none

	t     testing.TB
	model func(model string, messages []llm.Message) string

	mu   sync.Mutex
	paid map[string]Paid // by model
}

// A Habit is what an endpoint does in place of an answer with its usage.
type Habit string

// The habits.
const (
	RateLimited Habit = "429" // refuses, and asks to come back in 20 ms
	Broken      Habit = "500"
	TooLong     Habit = "context"   // the request is longer than the model can read
	Cut         Habit = "cut"       // the connection ends before the answer does
	Null        Habit = "null"      // content null: nothing was said
	Reasoning   Habit = "reasoning" // thoughts beside the answer
	TwoBlocks   Habit = "blocks"    // another block of code before the answer's
	NoUsage     Habit = "nousage"
)

// refusals have the status and the code of an error.
var refusals = map[Habit]struct {
	status int
	code   string
}{
	RateLimited: {http.StatusTooManyRequests, "rate_limit_exceeded"}, Broken: {http.StatusInternalServerError, "server_error"},
	TooLong: {http.StatusBadRequest, "context_length_exceeded"},
}

// Paid is what an endpoint has sold.
type Paid struct{ Answers, Input, Output int64 }

// Sold returns what the endpoint has sold, by model, but for checks whether it answers.
func (e *Endpoint) Sold() map[string]Paid {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.paid)
}

// Serve starts an endpoint that ends with the test. Input and output cost a token
// for each four bytes.
func Serve(t testing.TB, answer Model) *Endpoint {
	t.Helper()
	return ServeModels(t, func(_ string, messages []llm.Message) string { return answer(messages) })
}

// ServeModels is Serve with as many models as are asked for, by their names.
func ServeModels(t testing.TB, answer func(model string, messages []llm.Message) string) *Endpoint {
	t.Helper()
	e := &Endpoint{t: t, model: answer, paid: map[string]Paid{}}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	e.URL = server.URL + "/v1"
	return e
}

// ServeHTTP implements http.Handler.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Model    string        `json:"model"`
		Messages []llm.Message `json:"messages"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	check := len(body.Messages) == 1 && body.Messages[0].Content == llm.PreflightPrompt
	var habit Habit
	if !check {
		if n := e.Asked.Add(1); e.Habit != nil {
			habit = e.Habit(n)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	if refusal, ok := refusals[habit]; ok {
		w.Header().Set("Retry-After", "0.02")
		w.WriteHeader(refusal.status)
		e.write(w, map[string]any{"error": map[string]string{"message": "not now", "code": refusal.code}})
		return
	}
	text, bytes, message := "OK", 0, map[string]any{}
	if !check {
		text = e.model(body.Model, body.Messages)
	}
	if e.Pause != nil {
		time.Sleep(e.Pause(text))
	}
	switch habit {
	case Cut:
		w.Header().Set("Content-Length", "1000000")
		_, _ = w.Write([]byte("{"))
		return
	case Reasoning:
		message["reasoning_content"] = "What is asked for is a program."
	case TwoBlocks:
		text = "First compile with:\n```sh\nclang test.c\n```\n" + text
	case Null:
		text = ""
	}
	if message["content"] = any(text); habit == Null {
		message["content"] = nil
	}
	for _, m := range body.Messages {
		bytes += len(m.Content) + len(m.Role)
	}
	in, out := (bytes+3)/4, (len(text)+3)/4
	reply := map[string]any{"model": body.Model, "choices": []any{map[string]any{"message": message, "finish_reason": "stop"}}}
	if habit != NoUsage {
		reply["usage"] = map[string]any{"prompt_tokens": in, "completion_tokens": out}
	}
	if !check {
		e.mu.Lock()
		p := e.paid[body.Model]
		e.paid[body.Model] = Paid{p.Answers + 1, p.Input + int64(in), p.Output + int64(out)}
		e.mu.Unlock()
	}
	e.write(w, reply)
}

func (e *Endpoint) write(w http.ResponseWriter, v any) {
	if err := json.NewEncoder(w).Encode(v); err != nil {
		e.t.Log(err) // whoever asked is gone
	}
}

// Config is the llm block of an experiment that asks the endpoint.
func (e *Endpoint) Config() llm.Config {
	return llm.Config{
		Provider: llm.ProviderOpenAI, BaseURL: e.URL, Settings: llm.Settings{Model: ModelName},
		Prices: []llm.Price{{Model: ModelName, Input: new(1.0), Output: new(1.0)}},
	}
}

// Open opens a configuration; the environment is empty.
func Open(t testing.TB, c llm.Config) *llm.Models {
	t.Helper()
	m, err := provider.Open(c, func(string) string { return "" }, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Replay returns models that answer the cell "c" from the text of a transcript.
func Replay(t testing.TB, transcript string) *llm.Models {
	t.Helper()
	dir := t.TempDir()
	cell := filepath.Join(dir, "c")
	if err := errors.Join(os.Mkdir(cell, 0o755), os.WriteFile(filepath.Join(cell, llm.TranscriptFile), []byte(transcript), 0o644)); err != nil {
		t.Fatal(err)
	}
	return Open(t, llm.Config{Provider: llm.ProviderReplay, Dir: dir, Settings: llm.Settings{Model: ModelName}})
}
