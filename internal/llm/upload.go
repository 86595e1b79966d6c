package llm

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/internal/durable"
)

// uploadsFile is the journal of an uploader, in the directory of all cells.
const uploadsFile = "uploads.jsonl"

// An uploader hands the requests of all cells' batch directories to an endpoint's Batch API
// (platform.openai.com/docs/guides/batch), and puts the answers into the directories. The cells' rounds call it again
// and again. It journals what it uploads before it does, so that a killed run finds its batches and pays for none twice.
type uploader struct {
	dir      string
	endpoint *endpoint
	quiet    time.Duration // without a new request, after which a batch is sent: those of all cells' rounds go together
	poll     time.Duration // between two looks at a batch
	lock     *os.File      // held by this process
	journal  *durable.Log

	mu      sync.Mutex // of all below; held while the endpoint is asked
	tickets map[string]*ticket
	early   map[string]bool    // ids of requests that were answered before their cell asked for them
	uploads map[string]*upload // that are not collected
	newest  time.Time          // when the last request was queued
	next    time.Time          // before which the endpoint is left alone
	sent    int                // uploads so far, of all runs
	failed  int                // tries in a row
}

// A ticket is a request that a cell waits for.
type ticket struct {
	cell  string
	r     Request
	tries int
	state string // one of the three below
	err   error  // why there will be no answer
}

// The states of a ticket.
const (
	ticketQueued = "queued"
	ticketSent   = "sent"
	ticketDone   = "done" // answered or failed
)

// An upload is a batch of the API, and a line of the journal for each of its steps: begun, sent, collected.
type upload struct {
	Name  string            `json:"upload"`
	Cells map[string]string `json:"cells,omitempty"` // of requests, by their ids in the batch
	Batch string            `json:"batch,omitempty"` // its id; "" until it was sent
	Done  bool              `json:"done,omitempty"`  // its answers are in the cells' directories
}

// newUploader opens the journal in dir, which no other process may use meanwhile.
func newUploader(dir string, e *endpoint) (*uploader, error) {
	u := &uploader{dir: dir, endpoint: e, quiet: 20 * time.Second, poll: 30 * time.Second,
		tickets: map[string]*ticket{}, early: map[string]bool{}, uploads: map[string]*upload{}}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var err error
	if u.lock, err = os.OpenFile(filepath.Join(dir, uploadsFile+".lock"), os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, err
	}
	if err := unix.Flock(int(u.lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: another process uploads from it (%w): wait for it, or give another llm.dir", dir, err), u.lock.Close())
	}
	u.journal, err = durable.OpenLog(filepath.Join(dir, uploadsFile), func(r io.Reader) (size int64, err error) {
		for in := bufio.NewReader(r); ; {
			line, err := in.ReadBytes('\n')
			if errors.Is(err, io.EOF) {
				return size, nil
			}
			if err != nil {
				return size, err
			}
			var step upload
			if err := json.Unmarshal(line, &step); err != nil {
				return size, fmt.Errorf("%s: damaged: %w", filepath.Join(dir, uploadsFile), err)
			}
			size += int64(len(line))
			u.take(step)
		}
	})
	return u, err
}

// take takes a step of an upload.
func (u *uploader) take(step upload) {
	known := u.uploads[step.Name]
	switch {
	case step.Done:
		delete(u.uploads, step.Name)
	case known == nil:
		u.sent++
		u.uploads[step.Name] = &step
	default:
		known.Batch = step.Batch
	}
}

// step journals and takes a step.
func (u *uploader) step(step upload) error {
	text, err := line(step)
	if err == nil {
		err = u.journal.Append(text, true)
	}
	if err == nil {
		u.take(step)
	}
	return err
}

// wireID names a request of a cell in batches of all cells.
func wireID(cell string, r Request) string {
	sum := sha256.Sum256([]byte(cell))
	return fmt.Sprintf("%s-%x", customID(r), sum[:4])
}

// round sees to it that requests of a cell, which have no answers in its directory, are or become part of a batch, and
// does what is due. It returns the errors of those that will have no answer, by custom id.
func (u *uploader) round(ctx context.Context, cell string, rs []Request) (map[string]error, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	failed := map[string]error{}
	for _, r := range rs {
		id := wireID(cell, r)
		t := u.tickets[id]
		if t == nil {
			t = &ticket{cell: cell, r: r, state: ticketQueued}
			switch {
			case u.early[id]:
				t.state = ticketDone
			case slices.ContainsFunc(slices.Collect(maps.Values(u.uploads)), func(b *upload) bool { return b.Cells[id] != "" }):
				t.state = ticketSent
			default:
				u.newest = time.Now()
			}
			u.tickets[id] = t
		}
		if t.err != nil {
			failed[customID(r)] = t.err
			delete(u.tickets, id) // a later round may ask again
		}
	}
	if time.Now().Before(u.next) {
		return failed, nil
	}
	err := u.work(ctx)
	if err == nil || ctx.Err() != nil {
		return failed, ctx.Err()
	}
	return failed, u.trouble(err)
}

// trouble waits where the endpoint's trouble may pass. Otherwise no request that was not sent will be answered.
func (u *uploader) trouble(err error) error {
	e := u.endpoint
	own := fault(e.config, Request{}, err)
	own.Message = e.key.message(own.Message)
	var file *fs.PathError
	if errors.As(err, &file) { // this machine's
		return err
	}
	if u.failed++; own.Fault.passes() && u.failed < e.config.Limits.Tries {
		u.next = time.Now().Add(max(u.poll, own.RetryAfter))
		if e.pace.news(own.Fault) {
			e.log.Warn("batch endpoint did not answer", "again_in", u.poll, "reason", own.Message)
		}
		return nil
	}
	u.failed = 0
	for _, t := range u.tickets {
		if t.state != ticketDone {
			t.state, t.err = ticketDone, own
		}
	}
	return nil
}

// work sends what is due and collects what is there.
func (u *uploader) work(ctx context.Context) error {
	var queued []string
	for id, t := range u.tickets {
		if t.state == ticketQueued {
			queued = append(queued, id)
		}
	}
	slices.Sort(queued)
	for len(queued) > 0 && time.Since(u.newest) >= u.quiet { // the API wants a batch of one model and path
		first := u.tickets[queued[0]].r
		var batch, rest []string
		for _, id := range queued {
			if r := u.tickets[id].r; r.Model == first.Model && pathOf(r) == pathOf(first) {
				batch = append(batch, id)
			} else {
				rest = append(rest, id)
			}
		}
		if err := u.send(ctx, pathOf(first), batch); err != nil {
			return err
		}
		queued = rest
	}
	for _, b := range slices.SortedFunc(maps.Values(u.uploads), func(a, b *upload) int { return strings.Compare(a.Name, b.Name) }) {
		if err := u.collect(ctx, b); err != nil {
			return err
		}
		u.failed, u.next = 0, time.Now().Add(u.poll)
	}
	if len(u.uploads) == 0 { // what comes next is sent as soon as nothing more comes
		u.next = time.Time{}
	}
	u.endpoint.pace.answered()
	return nil
}

// send makes a batch of queued requests.
func (u *uploader) send(ctx context.Context, path string, ids []string) error {
	b := upload{Name: fmt.Sprintf("%04d", u.sent+1), Cells: map[string]string{}}
	var lines []byte
	for _, id := range ids {
		t := u.tickets[id]
		text, err := line(batchRequest{CustomID: id, Method: "POST", URL: "/v1" + path, Body: u.endpoint.config.form().unstreamed(t.r)})
		if err != nil {
			return err
		}
		lines, b.Cells[id] = append(lines, text...), t.cell
	}
	sum := sha256.Sum256(lines)
	b.Name += fmt.Sprintf("-%x", sum[:8])
	if err := u.step(b); err != nil {
		return err
	}
	for _, id := range ids {
		u.tickets[id].state = ticketSent
		u.tickets[id].tries++
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	err := w.WriteField("purpose", "batch")
	part, failed := w.CreateFormFile("file", b.Name+".jsonl")
	if err = errors.Join(err, failed); err == nil {
		_, err = part.Write(lines)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return err
	}
	var file, batch struct {
		ID string `json:"id"`
	}
	if err := u.api(ctx, http.MethodPost, "/files", w.FormDataContentType(), form.Bytes(), &file); err != nil {
		return err
	}
	data, err := encode(map[string]any{"input_file_id": file.ID, "endpoint": "/v1" + path, "completion_window": "24h", "metadata": map[string]string{"lisa-bench": b.Name}})
	if err != nil {
		return err
	}
	if err := u.api(ctx, http.MethodPost, "/batches", "application/json", data, &batch); err != nil {
		return err
	}
	u.endpoint.log.Info("batch sent", "batch", batch.ID, "requests", len(ids))
	return u.step(upload{Name: b.Name, Batch: batch.ID})
}

// A batchState is a batch as the API tells of it.
type batchState struct {
	ID       string            `json:"id"`
	Status   string            `json:"status"`
	Output   string            `json:"output_file_id"`
	Errors   string            `json:"error_file_id"`
	Metadata map[string]string `json:"metadata"`
	Why      struct {
		Data []struct {
			Message string `json:"message"`
		} `json:"data"`
	} `json:"errors"`
}

// find returns the batch of an upload of which nobody knows whether it was sent; nil if it was not.
func (u *uploader) find(ctx context.Context, name string) (*batchState, error) {
	after := ""
	for {
		var list struct {
			Data []batchState `json:"data"`
			More bool         `json:"has_more"`
		}
		if err := u.api(ctx, http.MethodGet, "/batches?limit=100"+after, "", nil, &list); err != nil {
			return nil, err
		}
		for _, s := range list.Data {
			if s.Metadata["lisa-bench"] == name {
				return &s, nil
			}
		}
		if !list.More || len(list.Data) == 0 {
			return nil, nil
		}
		after = "&after=" + list.Data[len(list.Data)-1].ID
	}
}

// collect takes the answers of an upload that has ended. What has none is sent again, up to the limit of tries.
func (u *uploader) collect(ctx context.Context, b *upload) error {
	var state batchState
	if b.Batch == "" {
		found, err := u.find(ctx, b.Name)
		if err != nil {
			return err
		}
		if found == nil {
			return u.finish(b, "it was not sent")
		}
		if err := u.step(upload{Name: b.Name, Batch: found.ID}); err != nil {
			return err
		}
	}
	if err := u.api(ctx, http.MethodGet, "/batches/"+b.Batch, "", nil, &state); err != nil {
		return err
	}
	why := state.Status
	for _, e := range state.Why.Data {
		why += ": " + e.Message
	}
	switch state.Status {
	case "completed", "expired", "cancelled", "failed":
	default:
		return nil
	}
	answers := map[string][]byte{} // of cells
	for _, file := range []string{state.Output, state.Errors} {
		if file == "" {
			continue
		}
		var data []byte
		if err := u.api(ctx, http.MethodGet, "/files/"+file+"/content", "", nil, &data); err != nil {
			return err
		}
		for line := range bytes.Lines(data) {
			if cell, text, problem := u.read(b, line); problem != "" {
				why += ": " + problem
			} else if text != nil {
				answers[cell] = append(answers[cell], text...)
			}
		}
	}
	for cell, text := range answers {
		if err := durable.WriteFile(filepath.Join(u.dir, cell, answersDir, b.Name+".jsonl"), text); err != nil {
			return err
		}
	}
	return u.finish(b, why)
}

// read returns a line of answers as the cell's directory has it. One that is no answer is a problem, unless nobody
// waits for it yet.
func (u *uploader) read(b *upload, text []byte) (cell string, answer []byte, problem string) {
	var fields map[string]json.RawMessage
	var a batchAnswer
	if err := errors.Join(json.Unmarshal(text, &fields), json.Unmarshal(text, &a)); err != nil {
		return "", nil, err.Error()
	}
	if cell = b.Cells[a.CustomID]; cell == "" {
		return "", nil, fmt.Sprintf("an answer to %q, which it was not asked", a.CustomID)
	}
	if t := u.tickets[a.CustomID]; t != nil {
		if _, err := a.answer(t.r, u.endpoint.config.Limits.MaxAnswerBytes); err != nil {
			return "", nil, err.Error()
		}
		t.state = ticketDone
	} else if a.Response != nil && a.Response.StatusCode == http.StatusOK {
		u.early[a.CustomID] = true
	}
	fields["custom_id"], _ = encode(a.CustomID[:strings.LastIndexByte(a.CustomID, '-')])
	answer, err := line(fields)
	if err != nil {
		return "", nil, err.Error()
	}
	return cell, answer, ""
}

// finish ends an upload, and queues what it has not answered.
func (u *uploader) finish(b *upload, why string) error {
	why = u.endpoint.key.message(why)
	unanswered := 0
	for id := range b.Cells {
		t := u.tickets[id]
		if t == nil || t.state == ticketDone {
			continue
		}
		unanswered++
		if t.state, u.newest = ticketQueued, time.Now(); t.tries >= u.endpoint.config.Limits.Tries {
			t.state = ticketDone
			t.err = &Error{Failure: Failure{Fault: FaultServer, Message: fmt.Sprintf("batch %s has no answer after %d tries: %s", b.Batch, t.tries, why)},
				Hint: "run the same command again to resume"}
		}
	}
	u.endpoint.log.Info("batch ended", "batch", b.Batch, "requests", len(b.Cells), "unanswered", unanswered, "how", why)
	return u.step(upload{Name: b.Name, Batch: b.Batch, Done: true})
}

// api calls the endpoint and decodes what it answers, or keeps it where into is *[]byte.
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
