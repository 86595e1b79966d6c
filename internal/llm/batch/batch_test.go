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
	"testing"
	"testing/synctest"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// A desk is a batch directory with whoever answers it.
type desk struct {
	t   *testing.T
	dir string
	log bytes.Buffer
}

func newDesk(t *testing.T) *desk { return &desk{t: t, dir: t.TempDir()} }

func (d *desk) open() *directory {
	d.t.Helper()
	log := slog.New(slog.NewTextHandler(&d.log, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "directory" {
			return slog.Attr{}
		}
		return a
	}}))
	c := llm.Config{Dir: filepath.Dir(d.dir), Limits: llm.Limits{MaxAnswerBytes: 1000}}
	b, err := Open(c, filepath.Base(d.dir), log)
	assert.NilError(d.t, err)
	return b.(*directory)
}

func (d *desk) put(name, text string) {
	d.t.Helper()
	assert.NilError(d.t, os.WriteFile(filepath.Join(d.dir, answersDir, name), []byte(text), 0o644))
}

func (d *desk) inputs() []string {
	d.t.Helper()
	names, err := filepath.Glob(filepath.Join(d.dir, "*"+inputSuffix))
	assert.NilError(d.t, err)
	return names
}

// batchOutput is an answer as OpenAI's Batch API gives it.
func batchOutput(r llm.Request, text string) string {
	content, _ := json.Marshal(text)
	return fmt.Sprintf(`{"id":"batch_req_1","custom_id":%q,"response":{"status_code":200,"request_id":"x","body":{"model":"m-2026","choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":7}}},"error":null}`+"\n",
		customID(r), content)
}

func named(n int) []llm.Request {
	rs := make([]llm.Request, n)
	for i := range rs {
		prompt := llm.Message{Role: "user", Content: fmt.Sprintf("prompt %d: call\n<deflate> & co", i)}
		rs[i] = llm.Request{ID: fmt.Sprintf("r1.p%d", i), Stage: "sequence", Model: "m", Messages: []llm.Message{prompt}}
	}
	return rs
}

func texts(t *testing.T, rs []llm.Result) (out []string) {
	t.Helper()
	for _, r := range rs {
		assert.NilError(t, r.Err)
		out = append(out, r.Answer.Text)
	}
	return out
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	assert.NilError(t, err)
	return string(data)
}

// round asks a round in the background; the returned function waits for its results.
func round(ctx context.Context, b *directory, rs []llm.Request) func() []llm.Result {
	out := make([]llm.Result, len(rs))
	done := make(chan struct{})
	go func() {
		b.Round(ctx, rs, func(i int, r llm.Result) { out[i] = r })
		close(done)
	}()
	return func() []llm.Result { <-done; return out }
}

func TestBatchTakesAnswersInAnyOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		rs := named(4)
		rs[0].Temperature = new(0.0)
		wait := round(t.Context(), d.open(), rs)
		synctest.Wait()
		input := read(t, d.inputs()[0])
		first := `{"custom_id":"` + customID(rs[0]) + `","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"prompt 0: call\n<deflate> & co"}],"temperature":0}}`
		if got, _, _ := strings.Cut(input, "\n"); got != first {
			t.Errorf("got  %s\nwant %s", got, first)
		}
		if got := read(t, filepath.Join(d.dir, promptsDir, customID(rs[1])+".md")); !strings.Contains(got, "\n<!-- user -->\n\nprompt 1: call\n<deflate> & co\n") {
			t.Errorf("prompt %s", got)
		}
		d.put("batch_abc_output.jsonl", batchOutput(rs[3], "three")+batchOutput(rs[0], "zero"))
		time.Sleep(3 * time.Second)
		short, _ := json.Marshal(map[string]string{"custom_id": customID(rs[2]), "text": "two"})
		d.put("later.jsonl", string(short)) // no newline at the end
		d.put(customID(rs[1])+".md", "```c\nint one;\n```\n")
		got := wait()
		want := []string{"zero", "```c\nint one;\n```\n", "two", "three"}
		assert.Check(t, slices.Equal(texts(t, got), want), "got %q", texts(t, got))
		if u := got[0].Answer.Usage; u != (llm.Usage{InputTokens: 10, OutputTokens: 7}) || got[0].Answer.Model != "m-2026" {
			t.Errorf("%+v", got[0].Answer)
		}
		u := got[2].Answer.Usage
		assert.Check(t, u.Estimated && u.OutputTokens == 1, "usage of a text %+v", u)
		missing := `answered=2 of=4 missing="` + customID(rs[1]) + ", " + customID(rs[2]) + `"`
		assert.Check(t, strings.Contains(d.log.String(), missing), "log:\n%s", d.log.String())
	})
}

func TestBatchResumes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		rs := named(3)
		ctx, cancel := context.WithCancelCause(t.Context())
		wait := round(ctx, d.open(), rs)
		synctest.Wait()
		d.put("out.jsonl", batchOutput(rs[1], "one"))
		time.Sleep(2 * time.Second)
		cancel(trial.ErrBudget)
		got := wait()
		want := fmt.Sprintf("%s: 2 of 3 requests are not answered (%s, %s): budget used up", d.dir, customID(rs[0]), customID(rs[2]))
		if got[1].Err != nil || got[0].Err == nil || got[0].Err.Error() != want || !errors.Is(got[2].Err, trial.ErrBudget) {
			t.Fatalf("got  %v\nwant %s", got, want)
		}
		// Answered while nobody waited, one before it is asked; then the same round with a request more.
		more := named(4)
		d.put("out2.jsonl", batchOutput(rs[2], "two")+batchOutput(rs[0], "zero")+batchOutput(more[3], "three"))
		wait = round(t.Context(), d.open(), more)
		synctest.Wait()
		if n := d.inputs(); len(n) != 2 || strings.Count(read(t, n[0]), "\n") != 3 || strings.Count(read(t, n[1]), "\n") != 1 {
			t.Errorf("input files %v", n)
		}
		if got := texts(t, wait()); !slices.Equal(got, []string{"zero", "one", "two", "three"}) {
			t.Errorf("got %q", got)
		}
	})
}

// TestRoundsAtOnceHaveFilesOfTheirOwn: a program from outside asks several things at a time.
func TestRoundsAtOnceHaveFilesOfTheirOwn(t *testing.T) {
	d := newDesk(t)
	b := d.open()
	rs := named(40)
	var all sync.WaitGroup
	for _, r := range rs {
		all.Go(func() {
			assert.Check(t, errors.Join(b.write([]llm.Request{r}), b.write([]llm.Request{r})))
		})
	}
	all.Wait()
	if prompts, err := os.ReadDir(filepath.Join(d.dir, promptsDir)); err != nil || len(prompts) != len(rs) || len(d.inputs()) != len(rs) {
		t.Errorf("%d input files, %d prompts (%v)", len(d.inputs()), len(prompts), err)
	}
}

func TestBatchReportsWhatItCannotUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		rs := named(4)
		wait := round(t.Context(), d.open(), rs)
		synctest.Wait()
		changed := rs[0]
		changed.Attempt = 1
		d.put("a.jsonl", batchOutput(rs[0], "first")+batchOutput(rs[0], "second")+batchOutput(changed, "of another request")+"{torn\n"+`{"text":"nobody's"}`+"\n"+
			fmt.Sprintf(`{"custom_id":%q,"response":{"status_code":200,"body":{"choices":[]}}}`+"\n", customID(rs[1]))+
			fmt.Sprintf(`{"custom_id":%q,"response":null,"error":{"code":"batch_expired","message":"too late"}}`+"\n", customID(rs[2]))+
			fmt.Sprintf(`{"custom_id":%q,"response":{"status_code":400,"body":{"error":{"code":"context_length_exceeded","message":"long"}}}}`+"\n", customID(rs[3])))
		time.Sleep(5 * time.Second)
		for _, want := range []string{
			fmt.Sprintf(`a.jsonl:2: second answer to %s: a.jsonl:1 was first and counts`, customID(rs[0])),
			fmt.Sprintf(`a.jsonl:3: unknown id %q: those of the requests are in prompts`, customID(changed)),
			`a.jsonl:4: no answer in JSON: invalid character 't' looking for beginning of object key string`,
			`a.jsonl:5: an answer without custom_id`,
			fmt.Sprintf(`a.jsonl:6: %s: a response without choices in {"choices":[]}`, customID(rs[1])),
			fmt.Sprintf(`a.jsonl:7: %s: not answered: 0 batch_expired too late: answer it again, in this file or another`, customID(rs[2])),
		} {
			line := fmt.Sprintf("msg=\"batch answer not used\" problem=%q\n", want)
			assert.Check(t, strings.Count(d.log.String(), line) == 1, "no %s in\n%s", line, d.log.String())
		}
		expired := fmt.Sprintf(`{"custom_id":%q,"error":{"code":"batch_expired","message":"once more"}}`+"\n", customID(rs[2]))
		d.put("b.jsonl", expired+batchOutput(rs[1], "again")+batchOutput(rs[2], strings.Repeat("x", 5000)))
		got := wait()
		for i, want := range []llm.Outcome{llm.Answered, llm.Answered, llm.TooLong, llm.ContextLength} {
			assert.Check(t, got[i].Err == nil && got[i].Answer.Outcome == want, "request %d of %+v, want %s", i, got, want)
		}
		assert.Check(t, got[0].Answer.Text == "first" && got[1].Answer.Text == "again" && len(got[2].Answer.Text) == 1000,
			"got %+v", got)
	})
}

// TestBatchFileBeingWritten: half an answer is none.
func TestBatchFileBeingWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		rs := named(2)
		wait := round(t.Context(), d.open(), rs)
		synctest.Wait()
		whole := batchOutput(rs[0], "zero")
		time.Sleep(1500 * time.Millisecond)
		for n := range 4 { // grows between the looks
			d.put("a.jsonl", whole[:len(whole)*(n+1)/4])
			d.put(customID(rs[1])+".c", strings.Repeat("int x;\n", n+1))
			time.Sleep(time.Second)
		}
		got := texts(t, wait())
		assert.Check(t, got[0] == "zero" && got[1] == strings.Repeat("int x;\n", 4), "got %q", got)
		assert.Check(t, !strings.Contains(d.log.String(), "not used"), "log:\n%s", d.log.String())
	})
}

func TestBatchFilesAreOfOneModelAndEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		rs := named(4)
		rs[1].Model = "n"
		rs[2].API, rs[2].Messages, rs[2].Body = llm.Messages, nil, []byte(`{"model":"m"}`)
		wait := round(t.Context(), d.open(), rs)
		synctest.Wait()
		if n := d.inputs(); len(n) != 3 || !strings.Contains(read(t, n[2]), `"url":"/v1/messages","body":{"model":"m"}}`) {
			t.Errorf("input files %v", n)
		}
		d.put("x.jsonl", batchOutput(rs[0], "0")+batchOutput(rs[1], "1")+batchOutput(rs[3], "3")+fmt.Sprintf(
			`{"custom_id":%q,"response":{"status_code":200,"body":{"content":[{"type":"text","text":"2"}]}}}`, customID(rs[2])))
		assert.Check(t, wait()[2].Answer.Text == "2")
	})
}

// TestSessionOverBatch: the round goes out as one file, the answers end in the transcript, and the minute
// in which they are awaited is no time of the cell.
func TestSessionOverBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		c := llm.Config{
			Provider: llm.ProviderBatch, Dir: filepath.Dir(d.dir), Settings: llm.Settings{Model: "m", MaxTokens: 100},
			Prices: []llm.Price{{Model: "m", Input: new(2.0), Output: new(4.0)}},
		}
		m, err := llm.NewModels(c, llm.Provider{Waits: true, Client: func(cell string, c llm.Config) (llm.Client, error) {
			return Open(c, cell, slog.New(slog.DiscardHandler))
		}})
		assert.NilError(t, err)
		spent := trial.NewLedger(trial.Budget{LLMCalls: 3, Wall: 20 * time.Second, Time: time.Second}, trial.Usage{}, time.Now)
		s, err := m.Session(filepath.Base(d.dir), llm.SessionOptions{Transcript: filepath.Join(d.dir, llm.TranscriptFile), Ledger: spent})
		assert.NilError(t, err)
		rs := named(4)
		go func() {
			time.Sleep(time.Minute)
			d.put("x.jsonl", batchOutput(rs[2], "2")+batchOutput(rs[1], "1")+batchOutput(rs[0], "0"))
		}()
		got := s.CompleteAll(t.Context(), rs)
		a := got[2].Answer
		assert.Check(t, a.Text == "2" && a.Dollars == 0.000048 && errors.Is(got[3].Err, trial.ErrBudget), "got %+v", got)
		u := spent.Usage()
		assert.Check(t, u.Wall == 0 && u.Model == 0 && u.Waited >= time.Minute, "spent %+v", u)
		assert.NilError(t, s.Finish())
		if entries, err := llm.ReadTranscript(filepath.Join(d.dir, llm.TranscriptFile)); err != nil || len(entries) != 3 || entries[0].ID != "r1.p0" {
			t.Errorf("%+v, %v", entries, err)
		}
	})
}
