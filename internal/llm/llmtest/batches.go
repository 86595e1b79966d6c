package llmtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"
)

// A Batch is one of the endpoint's, as its API tells of it. It is under way at the first look, and has ended at the second.
type Batch struct {
	ID       string            `json:"id"`
	Status   string            `json:"status"`
	Input    string            `json:"input_file_id"`
	Output   string            `json:"output_file_id,omitempty"`
	Errors   string            `json:"error_file_id,omitempty"`
	Metadata map[string]string `json:"metadata"`
	Endpoint string            `json:"endpoint"`
}

// Batches returns those that were made.
func (e *Endpoint) Batches() []Batch {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []Batch
	for _, b := range e.batches {
		all = append(all, *b)
	}
	return all
}

// serveBatches serves the paths of files and of batches.
func (e *Endpoint) serveBatches(w http.ResponseWriter, r *http.Request) {
	name := path.Base(r.URL.Path)
	switch {
	case r.Method == http.MethodPost && name == "files":
		file, _, err := r.FormFile("file")
		if err != nil || r.FormValue("purpose") != "batch" {
			http.Error(w, fmt.Sprintf("purpose %q, %v", r.FormValue("purpose"), err), http.StatusBadRequest)
			return
		}
		data, err := io.ReadAll(file)
		if err != nil {
			e.t.Error(err)
		}
		e.write(w, map[string]any{"id": e.keep(data)})
	case r.Method == http.MethodPost:
		b := &Batch{Status: "validating"}
		if err := json.NewDecoder(r.Body).Decode(b); err != nil {
			e.t.Error(err)
		}
		e.mu.Lock()
		b.ID = fmt.Sprintf("batch_%d", len(e.batches)+1)
		e.batches = append(e.batches, b)
		e.mu.Unlock()
		e.run(b)
		e.write(w, b)
	case name == "batches":
		e.write(w, map[string]any{"data": e.Batches(), "has_more": false})
	case name == "content":
		e.mu.Lock()
		data := e.files[path.Base(path.Dir(r.URL.Path))]
		e.mu.Unlock()
		_, _ = w.Write(data) // whoever asked may be gone
	default:
		e.mu.Lock()
		defer e.mu.Unlock()
		b := e.batches[slices.IndexFunc(e.batches, func(b *Batch) bool { return b.ID == name })]
		next := map[string]string{"validating": "in_progress", "in_progress": "completed", "completed": "completed"}
		b.Status = next[b.Status]
		e.write(w, b)
	}
}

// keep keeps a file, and returns its id.
func (e *Endpoint) keep(data []byte) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	id := fmt.Sprintf("file-%d", len(e.files)+1)
	e.files[id] = data
	return id
}

// run answers the requests of a batch.
func (e *Endpoint) run(b *Batch) {
	e.mu.Lock()
	lines := bufio.NewScanner(bytes.NewReader(e.files[b.Input]))
	e.mu.Unlock()
	lines.Buffer(nil, 1<<24)
	var output, failed bytes.Buffer
	for lines.Scan() {
		var l struct {
			ID   string  `json:"custom_id"`
			URL  string  `json:"url"`
			Body request `json:"body"`
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil || l.URL != b.Endpoint {
			e.t.Errorf("line of a batch: %v: %s", err, lines.Bytes())
		}
		habit := e.ask(l.Body)
		status, refusal := habit.refusal()
		to, out := &output, map[string]any{"custom_id": l.ID}
		switch {
		case habit == Expired:
			to, out["error"] = &failed, map[string]any{"code": "batch_expired", "message": "This request could not be executed before the completion window expired."}
		case refusal != "" && habit != Whole:
			to, out["response"] = &failed, map[string]any{"status_code": status, "body": json.RawMessage(refusal)}
		case strings.HasSuffix(l.URL, "/embeddings"):
			out["response"] = map[string]any{"status_code": 200, "body": e.embed(l.Body)}
		default:
			p := e.answer(l.Body, habit)
			body := map[string]any{"model": l.Body.Model, "choices": []any{map[string]any{"message": p.delta, "finish_reason": "stop"}}, "usage": p.usage}
			out["response"] = map[string]any{"status_code": 200, "body": body}
		}
		if err := json.NewEncoder(to).Encode(out); err != nil {
			e.t.Error(err)
		}
	}
	b.Output = e.keep(output.Bytes())
	if failed.Len() > 0 {
		b.Errors = e.keep(failed.Bytes())
	}
}
