package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lisa-bench/lisa-bench/internal/bounded"
	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/wire"
)

// look reads the answers' directory when it has changed and is the same at two looks, for what is there may
// still be being written.
func (d *directory) look() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	dir := filepath.Join(d.path, answersDir)
	entries, err := os.ReadDir(dir) // by name
	if err != nil {
		return err
	}
	var files []string
	state := "."
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
	if changed := state != d.state; changed || d.read {
		d.state, d.read = state, d.read && !changed
		return nil
	}
	d.read, d.answers = true, map[string][]given{}
	for _, name := range files {
		data, err := bounded.ReadFileIn(dir, name, maxAnswerFile)
		var refusal *bounded.Error
		switch {
		case errors.As(err, &refusal):
			d.report(name, refusal.Problem)
		case err != nil:
			return err
		default:
			d.file(name, data)
		}
	}
	return nil
}

// file takes the answers of a file. One to a request that is not written yet is told of, and kept for when it is.
func (d *directory) file(name string, data []byte) {
	add := func(id string, g given) {
		if _, err := os.Lstat(d.promptFile(id)); err != nil {
			d.report(g.place, fmt.Sprintf("unknown id %q: those of the requests are in %s", id, promptsDir))
		}
		d.answers[id] = append(d.answers[id], g)
	}
	if ext := filepath.Ext(name); ext != ".jsonl" {
		text, err := llm.Encode(map[string]string{"text": string(data)})
		if err == nil && len(data) > 0 {
			add(strings.TrimSuffix(name, ext), given{gjson.ParseBytes(text), name})
		}
		return
	}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		g := given{gjson.ParseBytes(line), fmt.Sprintf("%s:%d", name, n)}
		var v any
		id, err := g.line.Get("custom_id").String(), json.Unmarshal(line, &v)
		switch unfinished := !bytes.HasSuffix(line, []byte("\n")); {
		case len(bytes.TrimSpace(line)) == 0, err != nil && unfinished: // it is still being written
		case err != nil:
			d.report(g.place, "no answer in JSON: "+err.Error())
		case id == "":
			d.report(g.place, "an answer without custom_id")
		default:
			add(id, g)
		}
	}
}

// take returns the answer to r, the first good one, if there is any.
func (d *directory) take(r llm.Request) (answer llm.Answer, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	first, id := "", customID(r)
	for _, g := range d.answers[id] {
		a, err := g.answer(r, d.config.Limits.MaxAnswerBytes)
		switch {
		case err != nil:
			d.report(g.place, fmt.Sprintf("%s: %v", id, err))
		case first != "":
			d.report(g.place, fmt.Sprintf("second answer to %s: %s was first and counts", id, first))
		default:
			answer, first = a, g.place
		}
	}
	return answer, first != ""
}

// report warns of each problem once.
func (d *directory) report(place, problem string) {
	if text := place + ": " + problem; !d.problems[text] {
		d.problems[text] = true
		d.log.Warn("batch answer not used", "directory", filepath.Join(d.path, answersDir), "problem", text)
	}
}

// A given is one line of an output or error file: the Batch API's own, or the short form {"custom_id": …,
// "text": …, "tool_calls": …} of whoever answers in its place.
type given struct {
	line  gjson.Result
	place string // file and line, for people
}

// answer makes the answer to r of a line. The error says why the line is none, in words for
// the person who has to mend it.
func (g given) answer(r llm.Request, most int) (llm.Answer, error) {
	text, response, refusal := g.line.Get("text"), g.line.Get("response"), wire.RefusalOf(g.line.Get("error"))
	status, body := int(response.Get("status_code").Int()), []byte(response.Get("body").Raw)
	switch {
	case text.Type == gjson.String:
		return wire.ReadShort(text.Str, g.line.Get("tool_calls"), r, most)
	case response.IsObject() && status == http.StatusOK:
		return wire.Read(body, r, most)
	case response.IsObject():
		refusal = wire.RefusedBy(status, nil, body)
	case refusal == nil:
		return llm.Answer{}, errors.New("neither response, nor error, nor text")
	}
	if outcome := refusal.Outcome(); outcome != "" {
		return llm.Answer{Outcome: outcome, Detail: wire.Mask(refusal.Message, "")}, nil
	}
	return llm.Answer{}, fmt.Errorf("not answered: %s: answer it again, in this file or another", wire.Mask(refusal.Error(), ""))
}

// A Turn is a request of one cell's batch directory that waits for its answer.
type Turn struct {
	ID    string
	New   string // the messages that no earlier request of the conversation has
	Whole string // file with the whole request
	Tools []llm.Tool
	Left  int // requests that wait beside it

	dir string
}

// NextTurn returns the first request without an answer; nil if all have one.
func NextTurn(dir string) (*Turn, error) {
	inputs, err := filepath.Glob(filepath.Join(dir, "*"+inputSuffix)) // by number
	if err != nil || len(inputs) == 0 {
		return nil, errors.Join(err, fmt.Errorf("%s has no requests: it is not a cell's directory of the batch provider", dir))
	}
	d := &directory{path: dir, log: slog.New(slog.DiscardHandler), problems: map[string]bool{}}
	if err := errors.Join(d.look(), d.look()); err != nil {
		return nil, err
	}
	var next *Turn
	var earlier [][]llm.Message
	for _, file := range inputs {
		data, err := bounded.ReadFileIn(dir, filepath.Base(file), maxAnswerFile)
		if err != nil {
			return nil, err
		}
		for text := range bytes.Lines(data) {
			var r line
			if err := json.Unmarshal(text, &r); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			messages, tools := wire.Conversation(r.Body)
			answered := slices.ContainsFunc(d.answers[r.CustomID], func(g given) bool {
				_, err := g.answer(llm.Request{}, math.MaxInt)
				return err == nil
			})
			switch {
			case answered:
			case next == nil:
				same := 0 // messages that the conversation begins with like an earlier one
				for _, other := range earlier {
					n := 0
					for n < min(len(other), len(messages)) && reflect.DeepEqual(other[n], messages[n]) {
						n++
					}
					same = max(same, n)
				}
				next = &Turn{ID: r.CustomID, New: rendered(messages[same:]), Whole: d.promptFile(r.CustomID), Tools: tools, dir: dir}
			default:
				next.Left++
			}
			earlier = append(earlier, messages)
		}
	}
	return next, nil
}

// Answer puts the turn's answer where the cell finds it: a JSON object with text and tool_calls (whose arguments may be
// objects), or else a text.
func (t *Turn) Answer(answer []byte) error {
	given := struct {
		ID    string          `json:"custom_id"`
		Text  string          `json:"text"`
		Calls json.RawMessage `json:"tool_calls,omitempty"`
	}{Text: string(answer)}
	if trimmed := bytes.TrimSpace(answer); bytes.HasPrefix(trimmed, []byte("{")) {
		given.Text = ""
		dec := json.NewDecoder(bytes.NewReader(trimmed))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&given); err != nil {
			return fmt.Errorf("the answer begins as JSON and is no object with text and tool_calls: %w", err)
		}
	}
	a, err := wire.ReadShort("", gjson.ParseBytes(given.Calls), llm.Request{}, math.MaxInt)
	if err != nil {
		return err
	}
	for _, c := range a.ToolCalls {
		if !slices.ContainsFunc(t.Tools, func(known llm.Tool) bool { return known.Function.Name == c.Function.Name }) {
			return fmt.Errorf("the answer calls %q, and the request has no such function", c.Function.Name)
		}
	}
	given.ID = t.ID
	text, err := llm.Line(given)
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(t.dir, answersDir, t.ID+".jsonl"), text)
}
