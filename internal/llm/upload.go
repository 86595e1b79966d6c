package llm

import (
	"bytes"
	"context"
	"crypto/rand"
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

	"github.com/tidwall/gjson"

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

	mu   sync.Mutex // held while the endpoint is asked
	next time.Time  // the endpoint is not asked before this time
}

// A batchState is what is known of an input file's batch.
type batchState struct {
	Name  string `json:"name"`            // by which it can be found; no other run has it
	Batch string `json:"batch,omitempty"` // its id; "" if it was perhaps not made
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
// that will get no answer, by custom id: all, if the endpoint has trouble that stays.
func (u *uploader) round(ctx context.Context, b *batch, open []Request) (failed map[string]error, err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if time.Now().Before(u.next) {
		return nil, nil
	}
	u.next = time.Now().Add(u.poll)
	_, err = u.endpoint.retry(ctx, "batch of "+u.cell, u.endpoint.config.Limits.Tries, func() error {
		failed, err = u.work(ctx, b, open)
		return err
	})
	var trouble *Error
	if ctx.Err() != nil || !errors.As(err, &trouble) {
		return failed, err
	}
	failed = map[string]error{}
	for _, r := range open {
		failed[customID(r)] = trouble
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
		wasOpen := state.End == ""
		if err == nil && wasOpen {
			state, err = u.advance(ctx, b, in.name, state)
		}
		if err != nil {
			return nil, err
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
	begun := s.Name != "" // perhaps by a process that was killed, or without success
	if !begun {
		s.Name = rand.Text()
		if err := b.keep(input, s); err != nil {
			return s, err
		}
	}
	if s.Batch != "" {
		end, err := u.collect(ctx, b, input, s.Batch)
		if s.End = end; err != nil {
			return s, err
		}
		return s, b.keep(input, s)
	}
	var err error
	if begun {
		s.Batch, err = u.find(ctx, s.Name)
	}
	if err == nil && s.Batch == "" {
		s.Batch, err = u.send(ctx, b, input, s.Name)
	}
	if err != nil {
		return s, err
	}
	return s, b.keep(input, s)
}

// send makes a batch of an input file and returns its id.
func (u *uploader) send(ctx context.Context, b *batch, input, name string) (string, error) {
	data, err := bounded.ReadFileIn(b.dir, input, maxAnswerFile)
	if err != nil {
		return "", err
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	err = w.WriteField("purpose", "batch")
	part, failed := w.CreateFormFile("file", "batch.jsonl")
	if err = errors.Join(err, failed); err == nil {
		_, err = part.Write(data)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return "", err
	}
	file, err := u.api(ctx, http.MethodPost, "/files", w.FormDataContentType(), form.Bytes())
	if err != nil {
		return "", err
	}
	order, err := encode(map[string]any{"input_file_id": gjson.GetBytes(file, "id").String(), "endpoint": gjson.GetBytes(data, "url").String(),
		"completion_window": "24h", "metadata": map[string]string{"lisa-bench": name, "cell": u.cell}})
	if err != nil {
		return "", err
	}
	made, err := u.api(ctx, http.MethodPost, "/batches", "application/json", order)
	id := gjson.GetBytes(made, "id").String()
	if err == nil {
		u.endpoint.log.Info("batch sent", "batch", id, "cell", u.cell, "requests", bytes.Count(data, []byte("\n")))
	}
	return id, err
}

// find returns the id of the batch of that name; "" if it was not made.
func (u *uploader) find(ctx context.Context, name string) (string, error) {
	for after := ""; ; {
		list, err := u.api(ctx, http.MethodGet, "/batches?limit=100"+after, "", nil)
		if err != nil {
			return "", err
		}
		batches := gjson.GetBytes(list, "data").Array()
		for _, s := range batches {
			if s.Get("metadata.lisa-bench").String() == name {
				return s.Get("id").String(), nil
			}
			after = "&after=" + s.Get("id").String()
		}
		if !gjson.GetBytes(list, "has_more").Bool() || len(batches) == 0 {
			return "", nil
		}
	}
}

// collect puts the answers of a batch that has ended into the directory, and says how it ended; "" if it has not.
func (u *uploader) collect(ctx context.Context, b *batch, input, id string) (end string, err error) {
	data, err := u.api(ctx, http.MethodGet, "/batches/"+id, "", nil)
	if err != nil {
		return "", err
	}
	state := gjson.ParseBytes(data)
	end = state.Get("status").String()
	if !slices.Contains([]string{"completed", "expired", "cancelled", "failed"}, end) {
		return "", nil
	}
	var answers []byte
	for _, name := range []string{"output_file_id", "error_file_id"} {
		file := state.Get(name).String()
		if file == "" {
			continue
		}
		data, err := u.api(ctx, http.MethodGet, "/files/"+file+"/content", "", nil)
		if err != nil {
			return "", err
		}
		answers = append(append(answers, bytes.TrimSpace(data)...), '\n')
	}
	for _, e := range state.Get("errors.data").Array() {
		end += ": " + e.Get("message").String()
	}
	u.endpoint.log.Info("batch ended", "batch", id, "cell", u.cell, "how", end)
	name := strings.TrimSuffix(input, inputSuffix) + ".jsonl"
	return end, durable.WriteFile(filepath.Join(b.dir, answersDir, name), answers)
}

// api calls the endpoint and returns its answer: JSON, but for the content of a file.
func (u *uploader) api(ctx context.Context, method, path, kind string, body []byte) (data []byte, err error) {
	e := u.endpoint
	ctx, end := context.WithTimeoutCause(ctx, e.config.Limits.RequestTimeout, errRequestTimeout)
	defer end()
	var r Request
	if kind != "" {
		r.Header = map[string]string{"Content-Type": kind}
	}
	resp, err := e.call(ctx, method, path, r, body)
	if err == nil {
		defer resp.Body.Close()
		data, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswerFile))
	}
	if err == nil && !strings.HasSuffix(path, "/content") {
		_, err = parse(data)
	}
	if err != nil {
		return nil, e.trouble(r, err)
	}
	return data, nil
}
