package llm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/bounded"
	"github.com/lisa-bench/lisa-bench/internal/durable"
)

// stateSuffix is the suffix of the file beside an input file that has the state of its batch.
const stateSuffix = ".batch.json"

// An uploader hands the input files of one cell's batch directory to an endpoint's Batch API
// (platform.openai.com/docs/guides/batch), each as a batch, and puts the answers into the directory. It makes a note
// before it makes a batch, so that a killed run finds its batches and pays for none twice.
type uploader struct {
	endpoint *endpoint
	cell     string
	poll     time.Duration // between two looks at the batches

	mu     sync.Mutex // held while the endpoint is asked
	next   time.Time  // the endpoint is not asked before this time
	failed int        // failed looks in a row
}

// A batchState is what is known of an input file's batch.
type batchState struct {
	Begun bool   `json:"begun"`           // it may have been made
	Batch string `json:"batch,omitempty"` // its id
	End   string `json:"end,omitempty"`   // how it ended; its answers are in the directory
}

func (b *batch) stateFile(input string) string {
	return filepath.Join(b.dir, strings.TrimSuffix(input, inputSuffix)+stateSuffix)
}

// keep writes the state of an input file's batch.
func (b *batch) keep(input string, s batchState) error {
	text, err := line(s)
	if err != nil {
		return err
	}
	return durable.WriteFile(b.stateFile(input), text)
}

// stateOf reads what keep wrote. It returns the zero value if keep wrote nothing.
func (b *batch) stateOf(input string) (s batchState, err error) {
	data, err := bounded.ReadFile(b.stateFile(input), maxAnswerFile)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	return s, err
}

// round does what is due for the requests of a cell that are written and have no answer. It returns the errors of those
// that will get no answer, by custom id.
func (u *uploader) round(ctx context.Context, b *batch, open []Request) (map[string]error, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if time.Now().Before(u.next) {
		return nil, nil
	}
	u.next = time.Now().Add(u.poll)
	failed, err := u.work(ctx, b, open)
	if err == nil || ctx.Err() != nil {
		u.failed = 0
		return failed, ctx.Err()
	}
	return u.trouble(err, open)
}

// trouble handles an error. If the endpoint's trouble may pass, the next round tries again; otherwise all requests
// fail.
func (u *uploader) trouble(err error, open []Request) (map[string]error, error) {
	e := u.endpoint
	var file *fs.PathError
	if errors.As(err, &file) { // an error of this machine
		return nil, err
	}
	own := fault(e.config, Request{}, err)
	own.Message = e.key.message(own.Message)
	if u.failed++; own.Fault.passes() && u.failed < e.config.Limits.Tries {
		u.next = time.Now().Add(max(u.poll, own.RetryAfter))
		if e.pace.news(own.Fault) {
			e.log.Warn("batch endpoint did not answer", "again_in", u.poll, "reason", own.Message)
		}
		return nil, nil
	}
	u.failed = 0
	failed := map[string]error{}
	for _, r := range open {
		failed[customID(r)] = own
	}
	return failed, nil
}

// work sends new input files, collects batches that have ended, and writes requests without an answer again.
func (u *uploader) work(ctx context.Context, b *batch, open []Request) (failed map[string]error, err error) {
	inputs, err := b.inputs()
	if err != nil {
		return nil, err
	}
	underWay, tries, ends := map[string]bool{}, map[string]int{}, map[string]string{} // by custom id
	for _, in := range inputs {
		state, err := b.stateOf(in.name)
		if err != nil {
			return nil, err
		}
		wasOpen := state.End == ""
		if wasOpen {
			if state, err = u.advance(ctx, b, in.name, state); err != nil {
				return nil, err
			}
		}
		for _, id := range in.ids {
			tries[id]++
			ends[id] = state.End
			underWay[id] = underWay[id] || wasOpen // answers collected now are not read yet
		}
	}
	u.endpoint.pace.answered()
	failed = map[string]error{}
	var again []Request
	for _, r := range open {
		switch id := customID(r); {
		case underWay[id]:
		case tries[id] < u.endpoint.config.Limits.Tries:
			again = append(again, r)
		default:
			why := u.endpoint.key.message(ends[id] + b.problem(r))
			failed[id] = &Error{Failure: Failure{Fault: FaultServer, Message: fmt.Sprintf("no answer after %d batches: %s", tries[id], why)},
				Hint: "run the same command again to resume"}
		}
	}
	if len(again) > 0 {
		u.next = time.Time{}
	}
	return failed, b.write(again)
}

// problem says why the last answer to a request cannot be used; "" if there is no answer.
func (b *batch) problem(r Request) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	given := b.answers[customID(r)]
	if len(given) == 0 {
		return ""
	}
	_, err := given[len(given)-1].answer(r, b.maxBytes)
	return fmt.Sprintf(": %v", err)
}

// advance takes an input file's batch one step further: it makes the batch, finds it, or collects it if it has ended.
func (u *uploader) advance(ctx context.Context, b *batch, input string, s batchState) (batchState, error) {
	data, err := bounded.ReadFileIn(b.dir, input, maxAnswerFile)
	if err != nil {
		return s, err
	}
	name := fmt.Sprintf("%s %s %x", u.cell, input, sha256.Sum256(data))
	if s.Begun && s.Batch == "" { // by a process that was killed, or without success
		if s.Batch, err = u.find(ctx, name); err != nil {
			return s, err
		}
	}
	if s.Batch == "" {
		s.Begun = true
		if err := b.keep(input, s); err != nil {
			return s, err
		}
		if s.Batch, err = u.send(ctx, name, data); err != nil {
			return s, err
		}
		return s, b.keep(input, s)
	}
	if s.End, err = u.collect(ctx, b, input, s.Batch); err != nil {
		return s, err
	}
	return s, b.keep(input, s)
}

// send makes a batch of an input file and returns its id.
func (u *uploader) send(ctx context.Context, name string, data []byte) (string, error) {
	var first batchRequest
	head, _, _ := bytes.Cut(data, []byte("\n"))
	if err := json.Unmarshal(head, &first); err != nil {
		return "", err
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	err := w.WriteField("purpose", "batch")
	part, failed := w.CreateFormFile("file", "batch.jsonl")
	if err = errors.Join(err, failed); err == nil {
		_, err = part.Write(data)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return "", err
	}
	var file, batch struct {
		ID string `json:"id"`
	}
	if err := u.api(ctx, http.MethodPost, "/files", w.FormDataContentType(), form.Bytes(), &file); err != nil {
		return "", err
	}
	order, err := encode(map[string]any{"input_file_id": file.ID, "endpoint": first.URL, "completion_window": "24h",
		"metadata": map[string]string{"lisa-bench": name}})
	if err != nil {
		return "", err
	}
	if err := u.api(ctx, http.MethodPost, "/batches", "application/json", order, &batch); err != nil {
		return "", err
	}
	u.endpoint.log.Info("batch sent", "batch", batch.ID, "cell", u.cell, "requests", bytes.Count(data, []byte("\n")))
	return batch.ID, nil
}

// find returns the id of the batch of that name; "" if it was not made.
func (u *uploader) find(ctx context.Context, name string) (string, error) {
	after := ""
	for {
		var list struct {
			Data []struct {
				ID       string            `json:"id"`
				Metadata map[string]string `json:"metadata"`
			} `json:"data"`
			More bool `json:"has_more"`
		}
		if err := u.api(ctx, http.MethodGet, "/batches?limit=100"+after, "", nil, &list); err != nil {
			return "", err
		}
		for _, s := range list.Data {
			if s.Metadata["lisa-bench"] == name {
				return s.ID, nil
			}
			after = "&after=" + s.ID
		}
		if !list.More || len(list.Data) == 0 {
			return "", nil
		}
	}
}

// collect puts the answers of a batch that has ended into the directory, and says how it ended; "" if it has not.
func (u *uploader) collect(ctx context.Context, b *batch, input, id string) (end string, err error) {
	var state struct {
		Status string `json:"status"`
		Output string `json:"output_file_id"`
		Failed string `json:"error_file_id"`
		Errors struct {
			Data []struct {
				Message string `json:"message"`
			} `json:"data"`
		} `json:"errors"`
	}
	if err := u.api(ctx, http.MethodGet, "/batches/"+id, "", nil, &state); err != nil {
		return "", err
	}
	if !slices.Contains([]string{"completed", "expired", "cancelled", "failed"}, state.Status) {
		return "", nil
	}
	var answers []byte
	for _, file := range []string{state.Output, state.Failed} {
		if file == "" {
			continue
		}
		var data []byte
		if err := u.api(ctx, http.MethodGet, "/files/"+file+"/content", "", nil, &data); err != nil {
			return "", err
		}
		answers = append(append(answers, bytes.TrimSpace(data)...), '\n')
	}
	end = state.Status
	for _, e := range state.Errors.Data {
		end += ": " + e.Message
	}
	u.endpoint.log.Info("batch ended", "batch", id, "cell", u.cell, "how", end)
	name := strings.TrimSuffix(input, inputSuffix) + ".jsonl"
	return end, durable.WriteFile(filepath.Join(b.dir, answersDir, name), answers)
}

// api calls the endpoint and decodes the answer into into, or keeps it as it is if into is a *[]byte.
func (u *uploader) api(ctx context.Context, method, path, kind string, body []byte, into any) error {
	e := u.endpoint
	ctx, end := context.WithTimeoutCause(ctx, e.config.Limits.RequestTimeout, errRequestTimeout)
	defer end()
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(e.config.BaseURL, "/")+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	if *e.key != "" {
		req.Header.Set("Authorization", "Bearer "+string(*e.key))
	}
	resp, err := e.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswerFile))
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		refusal := refusedBy(resp.StatusCode, data)
		refusal.after = retryAfter(resp.Header)
		return refusal
	}
	if raw, ok := into.(*[]byte); ok {
		*raw = data
		return nil
	}
	if err := json.Unmarshal(data, into); err != nil {
		return malformed(err, data)
	}
	return nil
}
