package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/bounded"
	"github.com/lisa-bench/lisa-bench/internal/durable"
)

// The parts of a batch directory. docs/howto/models.md describes their formats.
const (
	inputSuffix  = ".input.jsonl" // after a number: requests, one file for each round, model and API endpoint
	promptsDir   = "prompts"      // the same, one file each, to be read by people
	answersDir   = "answers"      // where answers are put, by whomever
	batchPoll    = time.Second    // between looks at answersDir
	shownMissing = 5
)

// A batch is a directory of requests that a person or a program answers, at any time and in
// any order. It holds everything: after a restart the same requests find their answers, and
// are not written again.
type batch struct {
	dir      string
	maxBytes int
	log      *slog.Logger

	mu       sync.Mutex
	written  map[string]bool        // custom ids of all input files
	files    int                    // number of the last input file
	seen     map[string]fileState   // of answersDir, at the last look
	answers  map[string]placeAnswer // by custom id
	problems map[string]bool        // reported already
}

// fileState tells whether a file has changed.
type fileState struct {
	size     int64
	modified time.Time
	taken    bool
}

// A placeAnswer is an answer and where it stands.
type placeAnswer struct {
	batchAnswer
	file string
	line int
}

func newBatch(dir string, l Limits, log *slog.Logger) (*batch, error) {
	for _, d := range []string{promptsDir, answersDir} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			return nil, err
		}
	}
	b := &batch{
		dir: dir, maxBytes: l.WithDefaults().MaxAnswerBytes, log: log,
		written: map[string]bool{}, seen: map[string]fileState{}, answers: map[string]placeAnswer{}, problems: map[string]bool{},
	}
	inputs, err := filepath.Glob(filepath.Join(dir, "*"+inputSuffix))
	if err != nil {
		return nil, err
	}
	for _, path := range inputs {
		if err := b.readInput(path); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (b *batch) readInput(path string) error {
	data, err := bounded.ReadFile(path, maxAnswerFile)
	if err != nil {
		return err
	}
	var n int
	if _, err := fmt.Sscanf(filepath.Base(path), "%d", &n); err == nil {
		b.files = max(b.files, n)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	for i := 1; dec.More(); i++ {
		var r batchRequest
		if err := dec.Decode(&r); err != nil || r.CustomID == "" {
			return fmt.Errorf("%s:%d: no request of a batch: restore the line, or move %s away to ask everything again", path, i, b.dir)
		}
		b.written[r.CustomID] = true
	}
	return nil
}

// Complete implements Client: a round of one.
func (b *batch) Complete(ctx context.Context, r Request) (Answer, error) {
	var out Result
	b.Round(ctx, []Request{r}, func(_ int, res Result) { out = res })
	return out.Answer, out.Err
}

// Round implements Rounder: it writes what was not written yet, and waits for the answers.
func (b *batch) Round(ctx context.Context, rs []Request, deliver func(i int, r Result)) {
	waiting := map[int]bool{}
	for i := range rs {
		waiting[i] = true
	}
	fail := func(err error) {
		for i := range rs {
			if waiting[i] {
				deliver(i, Result{Err: err})
			}
		}
	}
	if err := b.write(rs); err != nil {
		fail(err)
		return
	}
	before := -1
	for {
		if err := b.look(); err != nil {
			fail(err)
			return
		}
		for i, r := range rs {
			if !waiting[i] {
				continue
			}
			if a, ok := b.take(r); ok {
				delete(waiting, i)
				deliver(i, Result{Answer: a})
			}
		}
		if len(waiting) == 0 {
			return
		}
		missing := b.missing(rs, waiting)
		if len(waiting) != before {
			before = len(waiting)
			b.log.Info("batch waits for answers", "directory", b.dir, "answered", len(rs)-len(waiting), "of", len(rs), "missing", missing)
		}
		if err := sleep(ctx, batchPoll); err != nil {
			fail(fmt.Errorf("%s: %d of %d requests are not answered (%s): %w", b.dir, len(waiting), len(rs), missing, err))
			return
		}
	}
}

// missing names some of the requests that have no answer yet.
func (b *batch) missing(rs []Request, waiting map[int]bool) string {
	var ids []string
	for i, r := range rs {
		if waiting[i] {
			ids = append(ids, customID(r))
		}
	}
	if len(ids) > shownMissing {
		return strings.Join(ids[:shownMissing], ", ") + ", …"
	}
	return strings.Join(ids, ", ")
}

// write puts the requests that no input file has into new ones. The Batch API wants files of
// one endpoint and one model.
func (b *batch) write(rs []Request) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	type kind struct{ url, model string }
	var kinds []kind
	lines := map[kind][]byte{}
	ids := map[kind][]string{}
	for _, r := range rs {
		id := customID(r)
		if b.written[id] {
			continue
		}
		line, err := batchLine(r)
		if err != nil {
			return err
		}
		k := kind{chatURL, r.Model}
		if len(r.Texts) > 0 {
			k.url = embeddingURL
		}
		if lines[k] == nil {
			kinds = append(kinds, k)
		}
		lines[k] = append(append(lines[k], line...), '\n')
		ids[k] = append(ids[k], id)
		if err := os.WriteFile(filepath.Join(b.dir, promptsDir, id+".md"), []byte(prompt(r)), 0o644); err != nil {
			return err
		}
	}
	for _, k := range kinds {
		path := filepath.Join(b.dir, fmt.Sprintf("%04d%s", b.files+1, inputSuffix))
		if err := durable.WriteFile(path, lines[k]); err != nil {
			return err
		}
		b.files++
		for _, id := range ids[k] {
			b.written[id] = true
		}
	}
	return nil
}

// maxAnswerFile is the most that one file of answers, or of requests, may have, in bytes.
const maxAnswerFile = 256 << 20

// look reads what is new in the answers' directory. A file that is one answer is taken when
// it is the same at two looks, for it may still be being written.
func (b *batch) look() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	dir := filepath.Join(b.dir, answersDir)
	entries, err := os.ReadDir(dir) // by name
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil && (info.IsDir() || strings.HasPrefix(e.Name(), ".")) {
			continue
		}
		if err != nil {
			return err
		}
		now := fileState{size: info.Size(), modified: info.ModTime()}
		was := b.seen[e.Name()]
		same := was.size == now.size && was.modified.Equal(now.modified)
		if same && was.taken {
			continue
		}
		ext := filepath.Ext(e.Name())
		now.taken = ext == ".jsonl" || same && now.size > 0 || !info.Mode().IsRegular()
		b.seen[e.Name()] = now
		if !now.taken {
			continue
		}
		data, err := bounded.ReadFileIn(dir, e.Name(), maxAnswerFile)
		var refused *bounded.Error
		if errors.As(err, &refused) {
			now.taken = true
			b.seen[e.Name()] = now
			b.report(batchProblem{e.Name(), 0, refused.Problem})
			continue
		}
		if err != nil {
			return err
		}
		if ext == ".jsonl" {
			b.addFile(e.Name(), data)
			continue
		}
		text := string(data)
		b.add(placeAnswer{batchAnswer{CustomID: strings.TrimSuffix(e.Name(), ext), Text: &text}, e.Name(), 0})
	}
	return nil
}

func (b *batch) addFile(name string, data []byte) {
	answers, problems := parseBatchAnswers(name, data)
	for _, p := range problems {
		b.report(p)
	}
	lines := make([]int, 0, len(answers))
	for n := range answers {
		lines = append(lines, n)
	}
	slices.Sort(lines)
	for _, n := range lines {
		b.add(placeAnswer{answers[n], name, n})
	}
}

// add keeps the first answer to a request. One that says that the request failed makes
// room for any other. An answer to a request that is not written yet is told, and kept for when it is.
func (b *batch) add(a placeAnswer) {
	id := a.CustomID
	if !b.written[id] {
		b.report(batchProblem{a.file, a.line, fmt.Sprintf("unknown id %q%s", id, b.nearest(id))})
	}
	was, ok := b.answers[id]
	switch {
	case !ok, was.failed():
		b.answers[id] = a
	case was.file == a.file && was.line == a.line, a.failed():
	default:
		first := batchProblem{was.file, was.line, "it"}
		b.report(batchProblem{a.file, a.line, fmt.Sprintf("second answer to %s: %s", id, strings.TrimSuffix(first.String(), ": it")+" was first and counts")})
	}
}

// failed reports a line that says why there is no answer; a refusal that is an outcome
// is an answer.
func (a placeAnswer) failed() bool {
	if a.Text != nil || a.Response != nil && a.Response.StatusCode == 200 {
		return false
	}
	_, err := a.answer(Request{}, 0)
	return err != nil
}

// nearest suggests the id that was meant: the one with the longest common beginning.
func (b *batch) nearest(id string) string {
	common := func(s string) int {
		n := 0
		for n < min(len(s), len(id)) && s[n] == id[n] {
			n++
		}
		return n
	}
	ids := make([]string, 0, len(b.written))
	for known := range b.written {
		ids = append(ids, known)
	}
	if len(ids) == 0 {
		return ": no request was written yet"
	}
	slices.SortFunc(ids, func(x, y string) int { return cmp.Or(common(y)-common(x), strings.Compare(x, y)) })
	if common(ids[0]) == 0 {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", ids[0])
}

// take returns the answer to r, if there is a good one.
func (b *batch) take(r Request) (Answer, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	found, ok := b.answers[customID(r)]
	if !ok {
		return Answer{}, false
	}
	a, err := found.answer(r, b.maxBytes)
	if err != nil {
		b.report(batchProblem{found.file, found.line, fmt.Sprintf("%s: %v", found.CustomID, err)})
		delete(b.answers, found.CustomID)
		return Answer{}, false
	}
	return a, true
}

// report warns of each problem once.
func (b *batch) report(p batchProblem) {
	if text := p.String(); !b.problems[text] {
		b.problems[text] = true
		b.log.Warn("batch answer not used", "directory", filepath.Join(b.dir, answersDir), "problem", text)
	}
}
