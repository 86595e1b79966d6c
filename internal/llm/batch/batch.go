// Package batch is a directory of requests that a person, a program or an endpoint's Batch API answers
// (docs/howto/models.md). It consumes the requests of a cell, writes them into files, and produces the answers that
// are put beside them.
package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/bounded"
	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/wire"
)

// The parts of a batch directory. docs/howto/models.md describes their formats.
const (
	inputSuffix   = ".input.jsonl" // after a number: requests, one file for each round, model and API endpoint
	promptsDir    = "prompts"      // the same, one file each, to be read by people
	answersDir    = "answers"      // where answers are put, by whomever
	poll          = time.Second    // between looks at answersDir
	maxAnswerFile = 256 << 20      // the most that one file of answers, or of requests, may have, in bytes
)

// A directory holds the requests of a cell and their answers, which come at any time and in any order. It holds
// everything: after a restart the same requests find their answers, and are not written again.
type directory struct {
	path   string
	config llm.Config
	log    *slog.Logger
	upload *uploader // nil where whoever answers looks into the directory

	mu       sync.Mutex         // of all below
	state    string             // of answersDir at the last look
	since    time.Time          // that it is in this state
	answers  map[string][]given // in this state, by custom id; nil if it was not read yet
	problems map[string]bool    // reported already
	files    []inputFile        // of the directory
}

// Open opens the directory of a cell, which is made if needed. An endpoint, if there is one, answers its requests.
func Open(c llm.Config, cell string, log *slog.Logger, e *Endpoint) (llm.Client, error) {
	d := &directory{path: c.CellDir(cell), config: c, log: log, problems: map[string]bool{}}
	if e != nil {
		d.upload = &uploader{Endpoint: e, directory: d, cell: cell}
	}
	err := os.MkdirAll(filepath.Join(d.path, promptsDir), 0o755)
	return d, errors.Join(err, os.MkdirAll(filepath.Join(d.path, answersDir), 0o755))
}

// An asked is a request of a round, under its custom id.
type asked struct {
	llm.Request
	id   string
	done bool // its result was delivered
}

// Round implements llm.Client: it writes what was not written yet, and waits for the answers.
func (d *directory) Round(ctx context.Context, rs []llm.Request, deliver func(i int, r llm.Result)) {
	all := make([]asked, len(rs))
	for i, r := range rs {
		all[i] = asked{Request: r, id: customID(r)}
	}
	finish := func(i int, r llm.Result) {
		all[i].done = true
		deliver(i, r)
	}
	fresh, err := d.fresh(all)
	if err == nil {
		err = d.write(fresh)
	}
	for before := -1; err == nil; err = llm.Sleep(ctx, poll) {
		if err = d.look(); err != nil {
			break
		}
		for i, r := range all {
			if a, ok := d.take(r); ok && !r.done {
				finish(i, llm.Result{Answer: a})
			}
		}
		if d.upload != nil && d.wasRead() {
			var failed map[string]error
			if failed, err = d.upload.round(ctx, open(all)); err != nil {
				break
			}
			for i, r := range all {
				if failed[r.id] != nil {
					finish(i, llm.Result{Err: failed[r.id]})
				}
			}
		}
		waiting := open(all)
		if len(waiting) == 0 {
			return
		}
		if len(waiting) != before {
			before = len(waiting)
			d.log.Info("batch waits for answers", "directory", d.path,
				"answered", len(rs)-before, "of", len(rs), "missing", names(waiting))
		}
	}
	waiting := open(all)
	err = fmt.Errorf("%s: %d of %d requests are not answered (%s): %w", d.path, len(waiting), len(rs), names(waiting), err)
	for i, r := range all {
		if !r.done {
			finish(i, llm.Result{Err: err})
		}
	}
}

// open returns those that have no result yet.
func open(all []asked) (waiting []asked) {
	for _, r := range all {
		if !r.done {
			waiting = append(waiting, r)
		}
	}
	return waiting
}

// names are the ids of the first of some requests.
func names(rs []asked) string {
	const shown = 5
	var ids []string
	for _, r := range rs[:min(len(rs), shown)] {
		ids = append(ids, r.id)
	}
	if len(rs) > shown {
		ids = append(ids, "…")
	}
	return strings.Join(ids, ", ")
}

// A line is one of an input file of OpenAI's Batch API (platform.openai.com/docs/guides/batch).
type line struct {
	CustomID string          `json:"custom_id"`
	Method   string          `json:"method"`
	URL      string          `json:"url"`
	Body     json.RawMessage `json:"body"`
}

// customID names a request in a batch. It is its id, for people, and the beginning of its key, so
// that an answer to another request is never taken for one to this.
func customID(r llm.Request) string {
	safe := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-", c) {
			return c
		}
		return '_'
	}, r.ID)
	return strings.TrimLeft(safe, ".") + "-" + r.Key()[:12]
}

// promptFile is the file in which people read a request. It is written before the input file that has the request.
func (d *directory) promptFile(id string) string { return filepath.Join(d.path, promptsDir, id+".md") }

// An inputFile is an input file, with the custom ids of its requests.
type inputFile struct {
	name string
	ids  []string
}

// readInput reads an input file.
func readInput(dir, name string) (lines []line, err error) {
	data, err := bounded.ReadFileIn(dir, name, maxAnswerFile)
	if err != nil {
		return nil, err
	}
	for text := range bytes.Lines(data) {
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// inputs returns the input files in their order. The caller holds the lock.
func (d *directory) inputs() ([]inputFile, error) {
	files, err := filepath.Glob(filepath.Join(d.path, "*"+inputSuffix)) // by number
	for _, file := range files[min(len(d.files), len(files)):] {
		in := inputFile{name: filepath.Base(file)}
		lines, err := readInput(d.path, in.name)
		if err != nil {
			return nil, err
		}
		for _, l := range lines {
			in.ids = append(in.ids, l.CustomID)
		}
		d.files = append(d.files, in)
	}
	return d.files, err
}

// fresh returns the requests that are in no input file.
func (d *directory) fresh(rs []asked) ([]asked, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	inputs, err := d.inputs()
	return slices.DeleteFunc(slices.Clone(rs), func(r asked) bool {
		return slices.ContainsFunc(inputs, func(in inputFile) bool { return slices.Contains(in.ids, r.id) })
	}), err
}

// write puts requests into new input files. The Batch API wants one endpoint and one model in each file.
func (d *directory) write(rs []asked) error {
	d.mu.Lock() // or a round at the same time takes the same number
	defer d.mu.Unlock()
	for len(rs) > 0 {
		model, path := rs[0].Model, wire.PathOf(rs[0].Request)
		var text []byte
		var rest []asked
		for _, r := range rs {
			if r.Model != model || wire.PathOf(r.Request) != path {
				rest = append(rest, r)
				continue
			}
			line, err := d.line(r)
			if err == nil {
				err = durable.WriteFile(d.promptFile(r.id), []byte(prompt(r)))
			}
			if err != nil {
				return err
			}
			text = append(text, line...)
		}
		inputs, err := d.inputs()
		if err == nil {
			err = durable.WriteFile(filepath.Join(d.path, fmt.Sprintf("%04d%s", len(inputs)+1, inputSuffix)), text)
		}
		if err != nil {
			return err
		}
		rs = rest
	}
	return nil
}

// line is a request as it stands in an input file.
func (d *directory) line(r asked) ([]byte, error) {
	body, err := wire.FormOf(d.config).Body(r.Request, false)
	if err != nil {
		return nil, err
	}
	return llm.Line(line{CustomID: r.id, Method: "POST", URL: "/v1" + wire.PathOf(r.Request), Body: body})
}

// prompt is a request as a person reads it.
func prompt(r asked) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- %s, stage %s, model %s -->\n", r.id, r.Stage, r.Model)
	whole := wire.Whole(r.Request)
	b.WriteString(rendered(whole.Messages))
	for _, t := range whole.Tools {
		fmt.Fprintf(&b, "\n<!-- function %s: %s -->\n\n%s\n", t.Function.Name, t.Function.Description, t.Function.Parameters)
	}
	for _, t := range whole.Texts {
		fmt.Fprintf(&b, "\n<!-- text to embed -->\n\n%s\n", t)
	}
	return b.String()
}

// rendered are messages as a person reads them.
func rendered(messages []llm.Message) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "\n<!-- %s -->\n\n%s\n", strings.TrimSpace(m.Role+" "+m.ToolCallID), m.Content)
		for _, c := range m.ToolCalls {
			fmt.Fprintf(&b, "\n<!-- call %s of %s -->\n\n%s\n", c.ID, c.Function.Name, c.Function.Arguments)
		}
	}
	return b.String()
}
