// Package batch is a directory of requests that a person or a program answers, or OpenAI's Batch API
// (docs/howto/models.md). It consumes the requests of a cell, writes them into files, and produces the answers that
// are put beside them.
package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/tidwall/sjson"

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

	mu       sync.Mutex         // of all below
	state    string             // of answersDir at the last look
	read     bool               // the answers are those of this state
	answers  map[string][]given // by custom id
	problems map[string]bool    // reported already
}

// Open opens the directory of a cell, which is made if needed.
func Open(c llm.Config, cell string, log *slog.Logger) (llm.Client, error) {
	d := &directory{path: filepath.Join(c.Dir, cell), config: c, log: log, problems: map[string]bool{}}
	err := os.MkdirAll(filepath.Join(d.path, promptsDir), 0o755)
	return d, errors.Join(err, os.MkdirAll(filepath.Join(d.path, answersDir), 0o755))
}

// Round implements llm.Client: it writes what was not written yet, and waits for the answers.
func (d *directory) Round(ctx context.Context, rs []llm.Request, deliver func(i int, r llm.Result)) {
	err := d.write(rs)
	open := make([]int, len(rs)) // without a result
	for i := range open {
		open[i] = i
	}
	names := func() string { // of the first that are open
		const shown = 5
		var ids []string
		for _, i := range open[:min(len(open), shown)] {
			ids = append(ids, customID(rs[i]))
		}
		if len(open) > shown {
			ids = append(ids, "…")
		}
		return strings.Join(ids, ", ")
	}
	for told := -1; err == nil && len(open) > 0; err = llm.Sleep(ctx, poll) {
		var waiting []int
		if err = d.look(); err != nil {
			break
		}
		for _, i := range open {
			if a, ok := d.take(rs[i]); ok {
				deliver(i, llm.Result{Answer: a})
			} else {
				waiting = append(waiting, i)
			}
		}
		if open = waiting; len(open) == 0 {
			return
		}
		if len(open) != told {
			told = len(open)
			d.log.Info("batch waits for answers", "directory", d.path, "answered", len(rs)-told, "of", len(rs), "missing", names())
		}
	}
	err = fmt.Errorf("%s: %d of %d requests are not answered (%s): %w", d.path, len(open), len(rs), names(), err)
	for _, i := range open {
		deliver(i, llm.Result{Err: err})
	}
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

// promptFile is the file in which people read a request. It is written after the input file that has the request.
func (d *directory) promptFile(id string) string { return filepath.Join(d.path, promptsDir, id+".md") }

// write puts requests that are not written yet into new input files. The Batch API wants one endpoint and one model in
// each file.
func (d *directory) write(rs []llm.Request) error {
	d.mu.Lock() // or a round at the same time takes the same number
	defer d.mu.Unlock()
	for len(rs) > 0 {
		var text []byte
		var these, rest []llm.Request
		for _, r := range rs {
			if _, err := os.Lstat(d.promptFile(customID(r))); err == nil {
				continue
			}
			if len(these) > 0 && (r.Model != these[0].Model || wire.PathOf(r) != wire.PathOf(these[0])) {
				rest = append(rest, r)
				continue
			}
			line, err := d.line(r)
			if err != nil {
				return err
			}
			these, text = append(these, r), append(text, line...)
		}
		files, err := filepath.Glob(filepath.Join(d.path, "*"+inputSuffix))
		if err == nil && len(these) > 0 {
			err = durable.WriteFile(filepath.Join(d.path, fmt.Sprintf("%04d%s", len(files)+1, inputSuffix)), text)
		}
		for _, r := range these {
			err = errors.Join(err, durable.WriteFile(d.promptFile(customID(r)), []byte(prompt(r))))
		}
		if err != nil {
			return err
		}
		rs = rest
	}
	return nil
}

// line is a request as it stands in an input file.
func (d *directory) line(r llm.Request) ([]byte, error) {
	body, err := wire.Body(r, d.config.MaxTokensName)
	for _, name := range []string{"stream", "stream_options"} { // which no batch has
		if err == nil {
			body, err = sjson.DeleteBytes(body, name)
		}
	}
	if err != nil {
		return nil, err
	}
	return llm.Line(line{CustomID: customID(r), Method: "POST", URL: "/v1" + wire.PathOf(r), Body: body})
}

// prompt is a request as a person reads it.
func prompt(r llm.Request) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- %s, stage %s, model %s -->\n", customID(r), r.Stage, r.Model)
	whole := wire.Whole(r)
	b.WriteString(rendered(whole.Messages))
	for _, t := range whole.Tools {
		fmt.Fprintf(&b, "\n<!-- function %s: %s -->\n\n%s\n", t.Function.Name, t.Function.Description, t.Function.Parameters)
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
