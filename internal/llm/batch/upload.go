package batch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sashabaranov/go-openai"
	"github.com/tidwall/gjson"

	"github.com/lisa-bench/lisa-bench/internal/bounded"
	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/llm"
)

const (
	// stateSuffix is the suffix of the file beside an input file that has the state of its batch.
	stateSuffix = ".batch.json"
	// batchPoll is the time between two looks at the batches of a cell.
	batchPoll = 30 * time.Second
	// ownName is where a batch's metadata have its name.
	ownName = "lisa-bench"
)

// An Endpoint has OpenAI's Batch API (platform.openai.com/docs/guides/batch).
type Endpoint struct {
	API *openai.Client // its errors are *llm.Error
	// Retry does something until it succeeds or has trouble that does not pass.
	Retry func(ctx context.Context, what string, do func() error) error
	Mask  func(text string) string // takes the key out of a text
}

// An uploader hands the input files of one cell's directory to an endpoint, each as a batch, and puts the answers into
// the directory. It makes a note before it makes a batch, so that a killed run finds its batches and pays for none twice.
type uploader struct {
	*Endpoint
	*directory
	cell string

	asking sync.Mutex // held while the endpoint is asked
	due    time.Time  // the endpoint is not asked before this time
}

// A batchState is what is known of an input file's batch.
type batchState struct {
	Name  string `json:"name"`            // by which it can be found; no other run has it
	Batch string `json:"batch,omitempty"` // its id; "" if it was perhaps not made
	End   string `json:"end,omitempty"`   // how it ended; its answers are in the directory
}

func (u *uploader) stateFile(input string) string {
	return filepath.Join(u.path, strings.TrimSuffix(input, inputSuffix)+stateSuffix)
}

// keep writes the state of an input file's batch.
func (u *uploader) keep(input string, s batchState) error {
	text, err := llm.Line(s)
	if err != nil {
		return err
	}
	return durable.WriteFile(u.stateFile(input), text)
}

// stateOf reads what keep wrote. It returns the zero value if keep wrote nothing.
func (u *uploader) stateOf(input string) (s batchState, err error) {
	data, err := bounded.ReadFile(u.stateFile(input), maxAnswerFile)
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
func (u *uploader) round(ctx context.Context, open []asked) (failed map[string]error, err error) {
	u.asking.Lock()
	defer u.asking.Unlock()
	if time.Now().Before(u.due) {
		return nil, nil
	}
	u.due = time.Now().Add(batchPoll)
	err = u.Retry(ctx, "batch of "+u.cell, func() error {
		failed, err = u.work(ctx, open)
		return err
	})
	var trouble *llm.Error
	if ctx.Err() != nil || !errors.As(err, &trouble) {
		return failed, err
	}
	failed = map[string]error{}
	for _, r := range open {
		failed[r.id] = trouble
	}
	return failed, nil
}

// work sends new input files, collects batches that have ended, and writes requests without an answer again.
func (u *uploader) work(ctx context.Context, open []asked) (failed map[string]error, err error) {
	u.mu.Lock()
	inputs, err := u.inputs()
	u.mu.Unlock()
	if err != nil {
		return nil, err
	}
	underWay, tries, ends := map[string]bool{}, map[string]int{}, map[string]string{} // by custom id
	for _, in := range inputs {
		state, err := u.stateOf(in.name)
		wasOpen := state.End == ""
		if err == nil && wasOpen {
			state, err = u.advance(ctx, in.name, state)
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
	failed = map[string]error{}
	var again []asked
	for _, r := range open {
		switch {
		case underWay[r.id]:
		case tries[r.id] < u.config.Limits.Tries:
			again = append(again, r)
		default:
			why := u.Mask(ends[r.id] + u.problem(r))
			failed[r.id] = &llm.Error{
				Failure: llm.Failure{Fault: llm.FaultServer, Message: fmt.Sprintf("no answer after %d batches: %s", tries[r.id], why)},
				Hint:    "run the same command again to resume",
			}
		}
	}
	if len(again) > 0 {
		u.due = time.Time{}
	}
	return failed, u.write(again)
}

// problem says why the last answer to a request cannot be used; "" if there is no answer.
func (u *uploader) problem(r asked) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := u.answers[r.id]
	if len(all) == 0 {
		return ""
	}
	_, err := all[len(all)-1].answer(r.Request, u.config.Limits.MaxAnswerBytes)
	return fmt.Sprintf(": %v", err)
}

// advance takes an input file's batch one step further: it makes the batch, finds it, or collects it if it has ended.
func (u *uploader) advance(ctx context.Context, input string, s batchState) (batchState, error) {
	begun := s.Name != "" // perhaps by a process that was killed, or without success
	if !begun {
		s.Name = rand.Text()
		if err := u.keep(input, s); err != nil {
			return s, err
		}
	}
	var err error
	switch {
	case s.Batch != "":
		s.End, err = u.collect(ctx, input, s.Batch)
	case begun:
		s.Batch, err = u.find(ctx, s.Name)
	}
	if err == nil && s.Batch == "" {
		s.Batch, err = u.send(ctx, input, s.Name)
	}
	if err != nil {
		return s, err
	}
	return s, u.keep(input, s)
}

// send makes a batch of an input file and returns its id.
func (u *uploader) send(ctx context.Context, input, name string) (string, error) {
	data, err := bounded.ReadFileIn(u.path, input, maxAnswerFile)
	if err != nil {
		return "", err
	}
	file, err := u.API.CreateFileBytes(ctx, openai.FileBytesRequest{Name: "batch.jsonl", Bytes: data, Purpose: openai.PurposeBatch})
	if err != nil {
		return "", err
	}
	made, err := u.API.CreateBatch(ctx, openai.CreateBatchRequest{
		InputFileID: file.ID,
		Endpoint:    openai.BatchEndpoint(gjson.GetBytes(data, "url").String()),
		Metadata:    map[string]any{ownName: name, "cell": u.cell},
	})
	if err == nil {
		u.log.Info("batch sent", "batch", made.ID, "cell", u.cell, "requests", bytes.Count(data, []byte("\n")))
	}
	return made.ID, err
}

// find returns the id of the batch of that name; "" if it was not made.
func (u *uploader) find(ctx context.Context, name string) (string, error) {
	for after := (*string)(nil); ; {
		list, err := u.API.ListBatch(ctx, after, new(100))
		if err != nil {
			return "", err
		}
		for _, b := range list.Data {
			if b.Metadata[ownName] == name {
				return b.ID, nil
			}
			after = &b.ID
		}
		if !list.HasMore || len(list.Data) == 0 {
			return "", nil
		}
	}
}

// collect puts the answers of a batch that has ended into the directory, and says how it ended; "" if it has not.
func (u *uploader) collect(ctx context.Context, input, id string) (end string, err error) {
	b, err := u.API.RetrieveBatch(ctx, id)
	if err != nil {
		return "", err
	}
	if !slices.Contains([]string{"completed", "expired", "cancelled", "failed"}, b.Status) {
		return "", nil
	}
	var answers []byte
	for _, file := range []*string{b.OutputFileID, b.ErrorFileID} {
		if *cmp.Or(file, new("")) == "" {
			continue
		}
		content, err := u.API.GetFileContent(ctx, *file)
		if err != nil {
			return "", err
		}
		data, err := io.ReadAll(content)
		if err != nil {
			return "", err
		}
		answers = append(append(answers, bytes.TrimSpace(data)...), '\n')
	}
	end = b.Status
	if b.Errors != nil {
		for _, e := range b.Errors.Data {
			end += ": " + e.Message
		}
	}
	u.log.Info("batch ended", "batch", id, "cell", u.cell, "how", end)
	name := strings.TrimSuffix(input, inputSuffix) + ".jsonl"
	return end, durable.WriteFile(filepath.Join(u.path, answersDir, name), answers)
}
