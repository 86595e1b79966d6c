// Package llmtest is an OpenAI-compatible endpoint for tests, with a Go function as its model.
package llmtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unicode"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// ModelName is the only model of the endpoint. It costs one dollar per million tokens.
const ModelName = "scripted"

// A Model answers a conversation. It is called from several goroutines.
type Model func(messages []llm.Message) string

// An Endpoint is a server with a scripted model.
type Endpoint struct {
	URL   string       // base URL
	Asked atomic.Int64 // requests so far, but for those that only check whether it answers
}

// Serve starts an endpoint that ends with the test; its embeddings are those of Embedding. Each answer is a
// stream of one event; input and output cost a token for each four bytes.
func Serve(t testing.TB, answer Model) *Endpoint {
	t.Helper()
	return ServeModels(t, func(_ string, messages []llm.Message) string { return answer(messages) })
}

// ServeModels is Serve with as many models as are asked for, by their names.
func ServeModels(t testing.TB, answer func(model string, messages []llm.Message) string) *Endpoint {
	t.Helper()
	e := &Endpoint{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Model    string        `json:"model"`
			Messages []llm.Message `json:"messages"`
			Input    []string      `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		model := answer
		if slices.Contains(body.Input, llm.PreflightPrompt) || len(body.Messages) == 1 && body.Messages[0].Content == llm.PreflightPrompt {
			model = func(string, []llm.Message) string { return "OK" }
		} else {
			e.Asked.Add(1)
		}
		if strings.HasSuffix(r.URL.Path, "/embeddings") {
			embed(t, w, body.Input)
			return
		}
		text, size := model(body.Model, body.Messages), 0
		for _, m := range body.Messages {
			size += len(m.Content)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, event := range []any{
			map[string]any{"model": body.Model, "choices": []any{map[string]any{"index": 0, "delta": map[string]any{"content": text}}}},
			map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": "stop"}}},
			map[string]any{"choices": []any{}, "usage": map[string]any{"prompt_tokens": size / 4, "completion_tokens": len(text) / 4}},
		} {
			data, err := json.Marshal(event)
			if err != nil {
				t.Error(err)
			}
			fmt.Fprintf(w, "data: %s\n\n", data)
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
	}))
	t.Cleanup(server.Close)
	e.URL = server.URL + "/v1"
	return e
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

func embed(t testing.TB, w http.ResponseWriter, texts []string) {
	var data []any
	for i, text := range texts {
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": Embedding(text)})
	}
	w.Header().Set("Content-Type", "application/json")
	answer := map[string]any{"object": "list", "model": ModelName, "data": data, "usage": map[string]any{"prompt_tokens": len(texts), "total_tokens": len(texts)}}
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		t.Error(err)
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
	m, err := llm.Open(c, func(string) string { return "" }, slog.New(slog.DiscardHandler))
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
