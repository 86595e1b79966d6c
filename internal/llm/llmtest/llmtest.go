// Package llmtest is an OpenAI-compatible endpoint for tests, with a Go function as its model.
package llmtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

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

// A Habit is what an endpoint does in place of a stream of the answer with its usage.
type Habit string

// The habits.
const (
	RateLimited Habit = "429" // refuses, and asks to come back in 20 ms
	Broken      Habit = "500"
	Cut         Habit = "cut"       // the stream ends before the answer does, and half of it is paid
	Whole       Habit = "whole"     // refuses to stream
	Null        Habit = "null"      // content null: nothing was said
	Reasoning   Habit = "reasoning" // thoughts beside the answer
	TwoBlocks   Habit = "blocks"    // another block of code before the answer's
	NoUsage     Habit = "nousage"
	TooLong     Habit = "context" // the request is longer than the model can read
)

// Paid is what an endpoint has sold.
type Paid struct{ Answers, Input, Output int64 }

// Sold returns what the endpoint has sold, by model, but for checks whether it answers.
func (e *Endpoint) Sold() map[string]Paid {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.paid)
}

// Serve starts an endpoint that ends with the test; its embeddings are those of Embedding. Each answer is a
// stream of one event, or whole as the request has it; input and output cost a token for each four bytes.
func Serve(t testing.TB, answer Model) *Endpoint {
	t.Helper()
	return ServeModels(t, func(_ string, messages []llm.Message) string { return answer(messages) })
}

// ServeModels is Serve with as many models as are asked for, by their names.
func ServeModels(t testing.TB, answer func(model string, messages []llm.Message) string) *Endpoint {
	t.Helper()
	e := New(t, answer)
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	e.URL = server.URL + "/v1"
	return e
}

// New returns an endpoint that no server serves.
func New(t testing.TB, answer func(model string, messages []llm.Message) string) *Endpoint {
	return &Endpoint{t: t, model: answer, paid: map[string]Paid{}}
}

// A request is what the endpoint reads of one.
type request struct {
	Model    string        `json:"model"`
	Messages []llm.Message `json:"messages"`
	Input    []string      `json:"input"`
	Stream   bool          `json:"stream"`
}

// check reports a request that only sees whether the endpoint answers.
func (r request) check() bool {
	return slices.Contains(r.Input, llm.PreflightPrompt) || len(r.Messages) == 1 && r.Messages[0].Content == llm.PreflightPrompt
}

// ServeHTTP implements http.Handler.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body request
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	habit := e.ask(body)
	if status, refusal := habit.refusal(); refusal != "" || habit == Whole && body.Stream {
		w.Header().Set("Retry-After-Ms", "20")
		w.WriteHeader(status)
		fmt.Fprint(w, refusal)
		return
	}
	if len(body.Input) > 0 {
		e.write(w, e.embed(body))
		return
	}
	parts := e.answer(body, habit)
	if !body.Stream {
		e.write(w, map[string]any{"model": body.Model, "choices": []any{map[string]any{"message": parts.delta, "finish_reason": "stop"}}, "usage": parts.usage})
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	finish := map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": "stop"}}}
	usage := map[string]any{"choices": []any{}, "usage": parts.usage}
	events := []any{map[string]any{"model": body.Model, "choices": []any{map[string]any{"index": 0, "delta": parts.delta}}}, finish, usage, "[DONE]"}
	if habit == Cut {
		events = []any{events[0], usage}
	}
	for _, event := range events {
		data, err := json.Marshal(event)
		if err != nil {
			e.t.Error(err)
		}
		fmt.Fprintf(w, "data: %s\n\n", strings.Trim(string(data), `"`))
	}
}

// ask counts a request and returns how it is answered.
func (e *Endpoint) ask(body request) Habit {
	if body.check() || e.Habit == nil {
		if !body.check() {
			e.Asked.Add(1)
		}
		return ""
	}
	return e.Habit(e.Asked.Add(1))
}

// refusal is the answer that is an error.
func (h Habit) refusal() (status int, text string) {
	const form = `{"error":{"message":%q,"code":%q}}`
	switch h {
	case RateLimited:
		return http.StatusTooManyRequests, fmt.Sprintf(form, "Rate limit reached", "rate_limit_exceeded")
	case Broken:
		return http.StatusInternalServerError, fmt.Sprintf(form, "The server had an error", "server_error")
	case TooLong:
		return http.StatusBadRequest, fmt.Sprintf(form, "Your messages are too long", "context_length_exceeded")
	case Whole:
		return http.StatusBadRequest, fmt.Sprintf(form, "Your organization must be verified to stream this model.", "unsupported_value")
	}
	return 0, ""
}

// parts are those of an answer.
type parts struct {
	delta map[string]any
	usage any
}

// answer asks the model, and sells what it says.
func (e *Endpoint) answer(body request, habit Habit) parts {
	text, size := "OK", 0
	if !body.check() {
		text = e.model(body.Model, body.Messages)
	}
	if e.Pause != nil {
		time.Sleep(e.Pause(text))
	}
	for _, m := range body.Messages {
		size += len(m.Content) + len(m.Role)
	}
	p := parts{delta: map[string]any{"content": text}}
	switch habit {
	case Null:
		text, p.delta = "", map[string]any{"content": nil}
	case Reasoning:
		p.delta["reasoning_content"] = "What is asked for is a program."
	case TwoBlocks:
		text = "First compile with:\n```sh\nclang test.c\n```\n" + text
		p.delta["content"] = text
	case Cut:
		text = text[:len(text)/2]
		p.delta["content"] = text
	}
	in, out := (size+3)/4, (len(text)+3)/4
	if p.usage = (map[string]any{"prompt_tokens": in, "completion_tokens": out}); habit == NoUsage {
		p.usage = nil
	}
	e.sell(body, in, out)
	return p
}

func (e *Endpoint) sell(body request, in, out int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if p := e.paid[body.Model]; !body.check() {
		e.paid[body.Model] = Paid{p.Answers + 1, p.Input + int64(in), p.Output + int64(out)}
	}
}

func (e *Endpoint) write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		e.t.Log(err) // whoever asked is gone
	}
}

// dimensions is the length of the endpoint's embeddings.
const dimensions = 64

// Embedding is the endpoint's vector of a text: how often each of its words occurs, so that texts
// which share words are near.
func Embedding(text string) []float32 {
	v := make([]float32, dimensions)
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		h := fnv.New32a()
		h.Write([]byte(word))
		v[h.Sum32()%dimensions]++
	}
	return v
}

func (e *Endpoint) embed(body request) any {
	var data []any
	for i, text := range body.Input {
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": Embedding(text)})
	}
	e.sell(body, len(body.Input), 0)
	return map[string]any{"object": "list", "model": body.Model, "data": data, "usage": map[string]any{"prompt_tokens": len(body.Input), "total_tokens": len(body.Input)}}
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
