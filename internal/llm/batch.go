package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/lisa-bench/lisa-bench/internal/bounded"
	"github.com/lisa-bench/lisa-bench/internal/durable"
)

// The parts of a batch directory. docs/howto/models.md describes their formats.
const (
	inputSuffix   = ".input.jsonl" // after a number: requests, one file for each round, model and API endpoint
	promptsDir    = "prompts"      // the same, one file each, to be read by people
	answersDir    = "answers"      // where answers are put, by whomever
	batchPoll     = time.Second    // between looks at answersDir
	maxAnswerFile = 256 << 20      // the most that one file of answers, or of requests, may have, in bytes
)

// A batch is a directory of requests that a person, a program or an uploader answers, at any time and in any order.
// It holds everything: after a restart the same requests find their answers, and are not written again.
type batch struct {
	dir      string
	maxBytes int // of an answer
	form     form
	log      *slog.Logger
	uploader *uploader // nil where whoever answers looks into dir

	mu       sync.Mutex               // of all below
	state    string                   // of answersDir at the last look
	since    time.Time                // that it is in this state
	answers  map[string][]batchAnswer // in this state, by custom id; nil if it was not read yet
	problems map[string]bool          // reported already
	files    []inputFile              // of dir
}

// An inputFile is an input file, with the custom ids of its requests.
type inputFile struct {
	name string
	ids  []string
}

// newBatch opens a directory, which is made if needed.
func newBatch(dir string, maxBytes int, log *slog.Logger) (*batch, error) {
	err := errors.Join(
		os.MkdirAll(filepath.Join(dir, promptsDir), 0o755),
		os.MkdirAll(filepath.Join(dir, answersDir), 0o755),
	)
	return &batch{dir: dir, maxBytes: maxBytes, log: log, problems: map[string]bool{}}, err
}

// round implements client: it writes what was not written yet, and waits for the answers.
func (b *batch) round(ctx context.Context, rs []Request, deliver func(i int, r Result)) {
	waiting := map[int]string{} // custom ids, by index
	for i, r := range rs {
		waiting[i] = customID(r)
	}
	fresh, err := b.fresh(rs)
	if err == nil {
		err = b.write(fresh)
	}
	for before := -1; err == nil; err = sleep(ctx, batchPoll) {
		if err = b.look(); err != nil {
			break
		}
		for i, r := range rs {
			if a, ok := b.take(r); ok && waiting[i] != "" {
				delete(waiting, i)
				deliver(i, Result{Answer: a})
			}
		}
		if err = b.upload(ctx, rs, waiting, deliver); err != nil {
			break
		}
		if len(waiting) == 0 {
			return
		}
		if len(waiting) != before {
			before = len(waiting)
			b.log.Info("batch waits for answers", "directory", b.dir,
				"answered", len(rs)-before, "of", len(rs), "missing", missing(waiting))
		}
	}
	err = fmt.Errorf("%s: %d of %d requests are not answered (%s): %w", b.dir, len(waiting), len(rs), missing(waiting), err)
	for i := range waiting {
		deliver(i, Result{Err: err})
	}
}

// upload has the requests answered that wait and have no answer in the directory, which was read.
func (b *batch) upload(ctx context.Context, rs []Request, waiting map[int]string, deliver func(i int, r Result)) error {
	b.mu.Lock()
	read := b.answers != nil
	b.mu.Unlock()
	if b.uploader == nil || !read {
		return nil
	}
	var open []Request
	for i := range waiting {
		open = append(open, rs[i])
	}
	failed, err := b.uploader.round(ctx, b, open)
	for i, id := range waiting {
		if failed[id] != nil {
			delete(waiting, i)
			deliver(i, Result{Err: failed[id]})
		}
	}
	return err
}

// missing names some of the requests that have no answer yet.
func missing(waiting map[int]string) string {
	const shown = 5
	var ids []string
	for i := 0; len(ids) < min(len(waiting), shown); i++ {
		if id := waiting[i]; id != "" {
			ids = append(ids, id)
		}
	}
	if len(waiting) > shown {
		ids = append(ids, "…")
	}
	return strings.Join(ids, ", ")
}

// A batchRequest is one line of an input file of OpenAI's Batch API
// (platform.openai.com/docs/guides/batch).
type batchRequest struct {
	CustomID string          `json:"custom_id"`
	Method   string          `json:"method"`
	URL      string          `json:"url"`
	Body     json.RawMessage `json:"body"`
}

// customID names a request in a batch. It is its id, for people, and the beginning of its key, so
// that an answer to another request is never taken for one to this.
func customID(r Request) string {
	safe := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-", c) {
			return c
		}
		return '_'
	}, r.ID)
	return strings.TrimLeft(safe, ".") + "-" + r.Key()[:12]
}

// promptFile is the file in which people read a request. It is written before the input file that has the request.
func (b *batch) promptFile(id string) string { return filepath.Join(b.dir, promptsDir, id+".md") }

// readInput reads an input file.
func readInput(dir, name string) (rs []batchRequest, err error) {
	data, err := bounded.ReadFileIn(dir, name, maxAnswerFile)
	if err != nil {
		return nil, err
	}
	for text := range bytes.Lines(data) {
		var r batchRequest
		if err := json.Unmarshal(text, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
		}
		rs = append(rs, r)
	}
	return rs, nil
}

// inputs returns the input files in their order.
func (b *batch) inputs() ([]inputFile, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.listed()
}

// listed is inputs for a caller that holds the lock.
func (b *batch) listed() ([]inputFile, error) {
	files, err := filepath.Glob(filepath.Join(b.dir, "*"+inputSuffix)) // by number
	for _, file := range files[min(len(b.files), len(files)):] {
		in := inputFile{name: filepath.Base(file)}
		rs, err := readInput(b.dir, in.name)
		if err != nil {
			return nil, err
		}
		for _, r := range rs {
			in.ids = append(in.ids, r.CustomID)
		}
		b.files = append(b.files, in)
	}
	return b.files, err
}

// fresh returns the requests that are in no input file.
func (b *batch) fresh(rs []Request) ([]Request, error) {
	inputs, err := b.inputs()
	return slices.DeleteFunc(slices.Clone(rs), func(r Request) bool {
		return slices.ContainsFunc(inputs, func(in inputFile) bool { return slices.Contains(in.ids, customID(r)) })
	}), err
}

// write puts requests into new input files. The Batch API wants one endpoint and one model in each file.
func (b *batch) write(fresh []Request) error {
	b.mu.Lock() // or a round at the same time takes the same number
	defer b.mu.Unlock()
	for len(fresh) > 0 {
		model, path := fresh[0].Model, pathOf(fresh[0])
		var lines []byte
		var rest []Request
		for _, r := range fresh {
			if r.Model != model || pathOf(r) != path {
				rest = append(rest, r)
				continue
			}
			text, err := b.line(r)
			if err == nil {
				err = durable.WriteFile(b.promptFile(customID(r)), []byte(prompt(r)))
			}
			if err != nil {
				return err
			}
			lines = append(lines, text...)
		}
		inputs, err := b.listed()
		if err == nil {
			err = durable.WriteFile(filepath.Join(b.dir, fmt.Sprintf("%04d%s", len(inputs)+1, inputSuffix)), lines)
		}
		if err != nil {
			return err
		}
		fresh = rest
	}
	return nil
}

// line is a request as it stands in an input file.
func (b *batch) line(r Request) ([]byte, error) {
	body, err := b.form.body(r, false)
	if err != nil {
		return nil, err
	}
	return line(batchRequest{CustomID: customID(r), Method: "POST", URL: "/v1" + pathOf(r), Body: body})
}

// prompt is a request as a person reads it.
func prompt(r Request) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- %s, stage %s, model %s -->\n", customID(r), r.Stage, r.Model)
	r = r.Whole()
	b.WriteString(rendered(r.Messages))
	for _, t := range r.Tools {
		fmt.Fprintf(&b, "\n<!-- function %s: %s -->\n\n%s\n", t.Function.Name, t.Function.Description, t.Function.Parameters)
	}
	for _, t := range r.Texts {
		fmt.Fprintf(&b, "\n<!-- text to embed -->\n\n%s\n", t)
	}
	return b.String()
}

// look reads the answers' directory when it has changed and is the same at two looks, for what is there may
// still be being written.
func (b *batch) look() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	dir := filepath.Join(b.dir, answersDir)
	entries, err := os.ReadDir(dir) // by name
	if err != nil {
		return err
	}
	var files []string
	state := ""
	for _, e := range entries {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil && (info.IsDir() || strings.HasPrefix(e.Name(), ".")) {
			continue
		}
		if err != nil {
			return err
		}
		files = append(files, e.Name())
		state += fmt.Sprintf("%q %d %d\n", e.Name(), info.Size(), info.ModTime().UnixNano())
	}
	if state != b.state {
		b.state, b.since, b.answers = state, time.Now(), nil
	}
	if b.answers != nil || time.Since(b.since) < batchPoll {
		return nil
	}
	b.answers = map[string][]batchAnswer{}
	for _, name := range files {
		data, err := bounded.ReadFileIn(dir, name, maxAnswerFile)
		var refusal *bounded.Error
		switch {
		case errors.As(err, &refusal):
			b.report(name, refusal.Problem)
		case err != nil:
			return err
		default:
			b.read(name, data)
		}
	}
	return nil
}

// read takes the answers of a file.
func (b *batch) read(name string, data []byte) {
	if ext := filepath.Ext(name); ext != ".jsonl" {
		text, err := encode(map[string]string{"text": string(data)})
		if err == nil && len(data) > 0 {
			b.add(strings.TrimSuffix(name, ext), batchAnswer{gjson.ParseBytes(text), name})
		}
		return
	}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		place := fmt.Sprintf("%s:%d", name, n)
		var v any
		err := json.Unmarshal(line, &v)
		a := batchAnswer{gjson.ParseBytes(line), place}
		switch unfinished := !bytes.HasSuffix(line, []byte("\n")); {
		case len(bytes.TrimSpace(line)) == 0, err != nil && unfinished: // it is still being written
		case err != nil:
			b.report(place, "no answer in JSON: "+err.Error())
		case a.line.Get("custom_id").String() == "":
			b.report(place, "an answer without custom_id")
		default:
			b.add(a.line.Get("custom_id").String(), a)
		}
	}
}

// add keeps an answer. One to a request that is not written yet is told of, and kept for when it is.
func (b *batch) add(id string, a batchAnswer) {
	if _, err := os.Lstat(b.promptFile(id)); err != nil {
		b.report(a.place, fmt.Sprintf("unknown id %q: those of the requests are in %s", id, promptsDir))
	}
	b.answers[id] = append(b.answers[id], a)
}

// take returns the answer to r, the first good one, if there is any.
func (b *batch) take(r Request) (answer Answer, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	first, id := "", customID(r)
	for _, found := range b.answers[id] {
		a, err := found.answer(r, b.maxBytes)
		switch {
		case err != nil:
			b.report(found.place, fmt.Sprintf("%s: %v", id, err))
		case first != "":
			b.report(found.place, fmt.Sprintf("second answer to %s: %s was first and counts", id, first))
		default:
			a.clean()
			answer, first = a, found.place
		}
	}
	return answer, first != ""
}

// report warns of each problem once.
func (b *batch) report(place, problem string) {
	if text := place + ": " + problem; !b.problems[text] {
		b.problems[text] = true
		b.log.Warn("batch answer not used", "directory", filepath.Join(b.dir, answersDir), "problem", text)
	}
}

// A batchAnswer is one line of an output or error file: the Batch API's own, or the short form {"custom_id": …,
// "text": …, "tool_calls": …} of whoever answers in its place.
type batchAnswer struct {
	line  gjson.Result
	place string // file and line, for people
}

// answer makes the answer to r of a line. The error says why the line is none, in words for
// the person who has to mend it.
func (b batchAnswer) answer(r Request, maxBytes int) (Answer, error) {
	text, response, refusal := b.line.Get("text"), b.line.Get("response"), refusalOf(b.line.Get("error"))
	status, body := int(response.Get("status_code").Int()), []byte(response.Get("body").Raw)
	switch {
	case text.Type == gjson.String && len(r.Texts) > 0:
		return Answer{}, errors.New("a text where embeddings were asked for")
	case text.Type == gjson.String:
		a := reading{answer: Answer{FinishReason: "stop"}}
		a.text.WriteString(text.Str)
		a.calls(b.line.Get("tool_calls"))
		return a.end(r, maxBytes, false)
	case response.IsObject() && status == http.StatusOK:
		return whole(body, r, maxBytes)
	case response.IsObject():
		refusal = refusedBy(status, body)
	case refusal == nil:
		return Answer{}, errors.New("neither response, nor error, nor text")
	}
	if outcome := refusal.outcome(false); outcome != "" {
		return Answer{Outcome: outcome, Detail: secret("").message(refusal.message)}, nil
	}
	why := secret("").message(refusal.Error())
	return Answer{}, fmt.Errorf("not answered: %s: answer it again, in this file or another", why)
}
