package llm

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// recorded returns the text of a transcript with n answers.
func recorded(tb testing.TB, n int) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), TranscriptFile)
	s, err := newSession(testConfig(), &fakeModel{}, "", SessionOptions{Transcript: path, Ledger: ledger(trial.Budget{})})
	assert.NilError(tb, err)
	for _, r := range s.CompleteAll(tb.Context(), requests(n)) {
		assert.NilError(tb, r.Err)
	}
	assert.NilError(tb, s.Finish())
	data, err := os.ReadFile(path)
	assert.NilError(tb, err)
	return string(data)
}

// TestTranscriptFormat holds the format still: docs/howto/models.md shows it, and files of it are
// kept with published results.
func TestTranscriptFormat(t *testing.T) {
	want := `{"transcript":1,"config":{"llm.max_tokens":"100","llm.model":"m"}}
{"id":"q000001","key":"` + requests(1)[0].Key() + `","request":{"stage":"sequence","model":"m","messages":[{"role":"user","content":"prompt 0: call\n<deflate> & co"}],"attempt":0},"answer":{"outcome":"answered","text":"answer to prompt 0: call\n<deflate> & co","finish_reason":"stop","usage":{"input_tokens":100,"output_tokens":50}},"dollars":0.0004,"wall_ms":5}
`
	assert.Check(t, is.Equal(recorded(t, 1), want))
	// sha256sum of the request as it stands in the line, cut to 32 digits.
	assert.Check(t, is.Equal(requests(1)[0].Key(), "c4e7bbb31cf6888e6d99376a21b09f0a"))
}

// TestTornTranscript cuts a transcript everywhere: a session goes on with the whole lines.
func TestTornTranscript(t *testing.T) {
	whole := recorded(t, 2)
	for size := range len(whole) + 1 {
		if size%41 != 0 && size > 0 && whole[size-1] != '\n' && size < len(whole)-1 {
			continue // each size is some fsyncs
		}
		dir := t.TempDir()
		path := filepath.Join(dir, TranscriptFile)
		assert.NilError(t, os.WriteFile(path, []byte(whole[:size]), 0o644))
		f := &fakeModel{}
		s, err := newSession(testConfig(), f, "", SessionOptions{Transcript: path, Ledger: ledger(trial.Budget{})})
		assert.Assert(t, err == nil, "cut at %d: %v", size, err)
		texts(t, s.CompleteAll(t.Context(), requests(2)))
		kept := max(0, strings.Count(whole[:size], "\n")-1)
		assert.Check(t, f.asked() == 2-kept, "cut at %d: %d asked with %d kept", size, f.asked(), kept)
		assert.NilError(t, s.Finish())
		got := read(t, path)
		assert.Assert(t, got == whole, "cut at %d: gone on to\n%s", size, got)
	}
}

// TestConversationHasEachMessageOnce: a line of a conversation with functions has only the messages that are new.
func TestConversationHasEachMessageOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), TranscriptFile)
	s, err := newSession(testConfig(), &fakeModel{}, "", SessionOptions{Transcript: path, Ledger: ledger(trial.Budget{})})
	assert.NilError(t, err)
	var messages []Message
	const turns = 4
	for n := range turns {
		messages = append(messages, Message{Role: "user", Content: fmt.Sprintf("the %dth question", n)})
		r := s.Request("agent", slices.Clone(messages)...)
		r.Tools = []Tool{{Type: "function"}}
		_, err := s.Complete(t.Context(), r)
		assert.NilError(t, err)
	}
	written := read(t, path)
	if err := s.Finish(); err != nil || read(t, path) != written || strings.Count(written, `"the 0th question"`) != 1 {
		t.Errorf("%v:\n%s", err, written)
	}
	entries, err := ReadTranscript(path)
	assert.Check(t, err == nil && len(entries) == turns && reflect.DeepEqual(entries[turns-1].Request.Messages, messages),
		"%v: read %+v", err, entries)
}

func TestDamagedTranscript(t *testing.T) {
	whole := recorded(t, 2)
	lines := strings.SplitAfter(whole, "\n")
	for _, tt := range []struct{ name, text, want string }{
		{"torn line in the middle", lines[0] + lines[1][:50] + "\n" + lines[2], ":2: damaged transcript: invalid character '\\n' in string literal: "},
		{"changed request", strings.Replace(whole, "prompt 0", "prompt 9", 1), ":2: damaged transcript: q000001: the key is not that of the request: "},
		{"no answer", strings.Replace(whole, `"answer"`, `"answr"`, 1), `:2: damaged transcript: json: unknown field "answr": `},
		{"outcome", strings.Replace(whole, `"answered"`, `"good"`, 1), `:2: damaged transcript: q000001: unknown outcome "good": `},
		{"no header", lines[1], `:1: damaged transcript: json: unknown field "id": `},
		{"format", strings.Replace(whole, `"transcript":1`, `"transcript":2`, 1), ":1: damaged transcript: format 2, and this program reads 1: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parseTranscript(strings.NewReader(tt.text), "t.jsonl")
			want := "t.jsonl" + tt.want + "mend the line, or move the file away to ask everything again"
			assert.Check(t, err != nil && err.Error() == want, "got  %v\nwant %s", err, want)
		})
	}
}

func FuzzParseTranscript(f *testing.F) {
	whole := recorded(f, 2)
	f.Add([]byte(whole))
	f.Add([]byte(whole[:len(whole)-30]))
	f.Add([]byte(`{"transcript":1}` + "\n{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parseTranscript(bytes.NewReader(data), "t")
		if err != nil {
			return
		}
		assert.Assert(t, p.size <= int64(len(data)), "size %d of %d", p.size, len(data))
		// What was read is read again the same from what a session would keep of it.
		again, err := parseTranscript(bytes.NewReader(data[:p.size]), "t")
		assert.Assert(t, err == nil && len(again.entries) == len(p.entries),
			"%d entries became %d, %v", len(p.entries), len(again.entries), err)
		for _, e := range p.entries {
			line, err := Encode(e)
			assert.NilError(t, err)
			var one parsed
			if err := one.add(append(line, '\n'), 2); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
	})
}
