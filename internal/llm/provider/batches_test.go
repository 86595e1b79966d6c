package provider_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"sync"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
)

// A batch is one of the endpoint's, as its API tells of it. It is under way at the first look, and has ended at the second.
type batch struct {
	ID       string            `json:"id"`
	Status   string            `json:"status"`
	Input    string            `json:"input_file_id"`
	Output   string            `json:"output_file_id,omitempty"`
	Errors   string            `json:"error_file_id,omitempty"`
	Metadata map[string]string `json:"metadata"`
	Endpoint string            `json:"endpoint"`
}

// expired is the habit of not answering in time.
const expired llmtest.Habit = "expired"

// A batchAPI is an endpoint's Batch API.
type batchAPI struct {
	*llmtest.Endpoint
	t      *testing.T
	habits func(n int64) llmtest.Habit // of the n-th request, from 1; nil for none

	mu      sync.Mutex
	habit   llmtest.Habit // of the request that is being answered
	asked   int64
	files   map[string][]byte
	batches []*batch
}

func newBatchAPI(t *testing.T) *batchAPI {
	a := &batchAPI{Endpoint: llmtest.New(t, echo), t: t, files: map[string][]byte{}}
	a.Habit = func(int64) llmtest.Habit { return a.habit }
	return a
}

// ServeHTTP serves the paths of files and of batches.
func (a *batchAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
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
			a.t.Error(err)
		}
		a.write(w, map[string]any{"id": a.keep(data)})
	case r.Method == http.MethodPost:
		b := &batch{Status: "validating", ID: fmt.Sprintf("batch_%d", len(a.batches)+1)}
		if err := json.NewDecoder(r.Body).Decode(b); err != nil {
			a.t.Error(err)
		}
		a.batches = append(a.batches, b)
		a.run(b)
		a.write(w, b)
	case name == "batches":
		a.write(w, map[string]any{"data": a.batches, "has_more": false})
	case name == "content":
		_, _ = w.Write(a.files[path.Base(path.Dir(r.URL.Path))]) // whoever asked may be gone
	default:
		b := a.batches[slices.IndexFunc(a.batches, func(b *batch) bool { return b.ID == name })]
		next := map[string]string{"validating": "in_progress", "in_progress": "completed", "completed": "completed"}
		b.Status = next[b.Status]
		a.write(w, b)
	}
}

func (a *batchAPI) write(w io.Writer, v any) {
	if err := json.NewEncoder(w).Encode(v); err != nil {
		a.t.Error(err)
	}
}

// keep keeps a file, and returns its id.
func (a *batchAPI) keep(data []byte) string {
	id := fmt.Sprintf("file-%d", len(a.files)+1)
	a.files[id] = data
	return id
}

// run answers the requests of a batch as the endpoint does.
func (a *batchAPI) run(b *batch) {
	var output, failed bytes.Buffer
	for line := range bytes.Lines(a.files[b.Input]) {
		var l struct {
			ID   string          `json:"custom_id"`
			URL  string          `json:"url"`
			Body json.RawMessage `json:"body"`
		}
		if err := json.Unmarshal(line, &l); err != nil || l.URL != b.Endpoint {
			a.t.Errorf("line of a batch: %v: %s", err, line)
		}
		a.asked++
		if a.habits != nil {
			a.habit = a.habits(a.asked)
		}
		if a.habit == expired {
			a.write(&failed, map[string]any{"custom_id": l.ID, "error": map[string]any{"code": "batch_expired",
				"message": "This request could not be executed before the completion window expired."}})
			continue
		}
		rec := httptest.NewRecorder()
		a.Endpoint.ServeHTTP(rec, httptest.NewRequest(http.MethodPost, l.URL, bytes.NewReader(l.Body)))
		to := &output
		if rec.Code != http.StatusOK {
			to = &failed
		}
		response := map[string]any{"status_code": rec.Code, "body": json.RawMessage(rec.Body.Bytes())}
		a.write(to, map[string]any{"custom_id": l.ID, "response": response})
	}
	b.Output = a.keep(output.Bytes())
	if failed.Len() > 0 {
		b.Errors = a.keep(failed.Bytes())
	}
}
