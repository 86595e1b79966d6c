package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/lisa-bench/lisa-bench/internal/bounded"
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
	if state != d.state {
		d.state, d.since, d.answers = state, time.Now(), nil
	}
	if d.answers != nil || time.Since(d.since) < poll {
		return nil
	}
	d.answers = map[string][]given{}
	for _, name := range files {
		data, err := bounded.ReadFileIn(dir, name, maxAnswerFile)
		var refusal *bounded.Error
		switch {
		case errors.As(err, &refusal):
			d.report(name, refusal.Problem)
		case err != nil:
			return err
		default:
			d.read(name, data)
		}
	}
	return nil
}

// wasRead reports whether the answers' directory was read as it is.
func (d *directory) wasRead() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.answers != nil
}

// read takes the answers of a file.
func (d *directory) read(name string, data []byte) {
	if ext := filepath.Ext(name); ext != ".jsonl" {
		text, err := llm.Encode(map[string]string{"text": string(data)})
		if err == nil && len(data) > 0 {
			d.add(strings.TrimSuffix(name, ext), given{gjson.ParseBytes(text), name})
		}
		return
	}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		place := fmt.Sprintf("%s:%d", name, n)
		var v any
		err := json.Unmarshal(line, &v)
		g := given{gjson.ParseBytes(line), place}
		switch unfinished := !bytes.HasSuffix(line, []byte("\n")); {
		case len(bytes.TrimSpace(line)) == 0, err != nil && unfinished: // it is still being written
		case err != nil:
			d.report(place, "no answer in JSON: "+err.Error())
		case g.line.Get("custom_id").String() == "":
			d.report(place, "an answer without custom_id")
		default:
			d.add(g.line.Get("custom_id").String(), g)
		}
	}
}

// add keeps an answer. One to a request that is not written yet is told of, and kept for when it is.
func (d *directory) add(id string, g given) {
	if _, err := os.Lstat(d.promptFile(id)); err != nil {
		d.report(g.place, fmt.Sprintf("unknown id %q: those of the requests are in %s", id, promptsDir))
	}
	d.answers[id] = append(d.answers[id], g)
}

// take returns the answer to r, the first good one, if there is any.
func (d *directory) take(r asked) (answer llm.Answer, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	first := ""
	for _, g := range d.answers[r.id] {
		a, err := g.answer(r.Request, d.config.Limits.MaxAnswerBytes)
		switch {
		case err != nil:
			d.report(g.place, fmt.Sprintf("%s: %v", r.id, err))
		case first != "":
			d.report(g.place, fmt.Sprintf("second answer to %s: %s was first and counts", r.id, first))
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
func (g given) answer(r llm.Request, maxBytes int) (llm.Answer, error) {
	text, response, refusal := g.line.Get("text"), g.line.Get("response"), wire.RefusalOf(g.line.Get("error"))
	status, body := int(response.Get("status_code").Int()), []byte(response.Get("body").Raw)
	switch {
	case text.Type == gjson.String && len(r.Texts) > 0:
		return llm.Answer{}, errors.New("a text where embeddings were asked for")
	case text.Type == gjson.String:
		return wire.ReadShort(text.Str, g.line.Get("tool_calls"), r, maxBytes)
	case response.IsObject() && status == http.StatusOK:
		return wire.ReadWhole(body, r, maxBytes)
	case response.IsObject():
		refusal = wire.RefusedBy(status, nil, body)
	case refusal == nil:
		return llm.Answer{}, errors.New("neither response, nor error, nor text")
	}
	if outcome := refusal.Outcome(false); outcome != "" {
		return llm.Answer{Outcome: outcome, Detail: wire.Secret("").Message(refusal.Message)}, nil
	}
	why := wire.Secret("").Message(refusal.Error())
	return llm.Answer{}, fmt.Errorf("not answered: %s: answer it again, in this file or another", why)
}
