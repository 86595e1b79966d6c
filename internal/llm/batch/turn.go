package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/wire"
)

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
	for range 2 { // at the second look it is old enough
		if err := d.look(); err != nil {
			return nil, err
		}
		d.since = time.Time{}
	}
	var next *Turn
	var earlier [][]llm.Message
	for _, file := range inputs {
		rs, err := readInput(dir, filepath.Base(file))
		if err != nil {
			return nil, err
		}
		for _, r := range rs {
			messages, tools := wire.Conversation(r.Body)
			switch {
			case d.answered(r.CustomID):
			case next == nil:
				same := 0
				for _, other := range earlier {
					same = max(same, alike(other, messages))
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

// alike is how many messages two conversations begin with alike.
func alike(a, b []llm.Message) (n int) {
	for n < min(len(a), len(b)) && reflect.DeepEqual(a[n], b[n]) {
		n++
	}
	return n
}

func (d *directory) answered(id string) bool {
	return slices.ContainsFunc(d.answers[id], func(g given) bool {
		_, err := g.answer(llm.Request{}, math.MaxInt)
		return err == nil
	})
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
