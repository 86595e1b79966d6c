package llm

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// replay opens a session that answers from dir's transcript.
func replay(dir, own string, config map[string]string) (*Session, error) {
	c := testConfig()
	c.Prices = nil
	if own != "" {
		own = filepath.Join(own, TranscriptFile)
	}
	return newSession(c, nil, filepath.Join(dir, TranscriptFile), SessionOptions{Transcript: own, Config: config, Ledger: ledger(trial.Budget{})})
}

func TestReplay(t *testing.T) {
	dir, own := t.TempDir(), t.TempDir()
	s := session(t, dir, &fakeModel{}, trial.Budget{})
	want := texts(t, s.CompleteAll(t.Context(), requests(3)))
	assert.NilError(t, s.Finish())
	r, err := replay(dir, own, map[string]string{"cell": "c"})
	assert.NilError(t, err)
	got := texts(t, r.CompleteAll(t.Context(), requests(2)))
	assert.Check(t, reflect.DeepEqual(got, want[:2]), "got %q", got)
	assert.Check(t, reflect.DeepEqual(r.Unused(), []string{"q000003"}), "unused %v", r.Unused())
	texts(t, r.CompleteAll(t.Context(), requests(3)[2:]))
	assert.Check(t, len(r.Unused()) == 0 && reflect.DeepEqual(r.ledger.Usage().Dollars, s.ledger.Usage().Dollars),
		"unused %v, %v dollars", r.Unused(), r.ledger.Usage().Dollars)
	assert.NilError(t, r.Finish())
	a, b := read(t, s.path), read(t, r.path)
	assert.Check(t, a == b, "the replay's transcript differs:\n%s\n%s", a, b)
}

// TestReplayWithPrices: answers that were recorded for nothing cost what the prices of their replay say; those that were
// paid cost what was paid.
func TestReplayWithPrices(t *testing.T) {
	for _, recorded := range []float64{0, 1} {
		dir := t.TempDir()
		s := session(t, dir, &fakeModel{}, trial.Budget{})
		s.config.Prices = []Price{{Model: "m", Input: &recorded, Output: &recorded}}
		texts(t, s.CompleteAll(t.Context(), requests(2)))
		assert.NilError(t, s.Finish())
		r, err := replay(dir, "", map[string]string{"cell": "c"})
		assert.NilError(t, err)
		r.config.Prices = []Price{{Model: "m", Input: new(3e6), Output: new(3e6)}}
		texts(t, r.CompleteAll(t.Context(), requests(2)))
		want := s.ledger.Usage().Dollars
		if recorded == 0 {
			want = 3 * float64(r.ledger.Usage().Tokens)
		}
		got := r.ledger.Usage().Dollars
		assert.Check(t, got == want && got != 0, "recorded at %v: %v dollars, want %v", recorded, got, want)
	}
}

func TestReplayMissesAreErrors(t *testing.T) {
	dir := t.TempDir()
	s := session(t, dir, &fakeModel{}, trial.Budget{})
	texts(t, s.CompleteAll(t.Context(), requests(3)))
	assert.NilError(t, s.Finish())
	path := filepath.Join(dir, TranscriptFile)
	for _, tt := range []struct {
		name   string
		change func(r *Request)
		want   string
	}{
		{"text", func(r *Request) { r.Messages[0].Content = "prompt 1: call\n<inflate> & co" },
			`the nearest is q000002 (line 3), but "line 2 of message 1 (user): <deflate> & co" there is "line 2 of message 1 (user): <inflate> & co" here`},
		{"setting", func(r *Request) { r.Temperature = new(0.5) }, `the nearest is q000002 (line 3), but "temperature not set" there is "temperature 0.5" here`},
		{"model", func(r *Request) { r.Model = "n" }, `the nearest is q000002 (line 3), but "model m" there is "model n" here`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rp, err := replay(dir, "", map[string]string{"cell": "c"})
			assert.NilError(t, err)
			r := requests(2)[1]
			tt.change(&r)
			_, err = rp.Complete(t.Context(), r)
			want := path + ": no recorded answer to request q000001 of stage sequence: " + tt.want
			assert.Check(t, errors.Is(err, ErrNoRecording) && err.Error() == want, "got  %v\nwant %s", err, want)
		})
	}
}

func TestTranscriptOfAnotherConfigurationIsRefused(t *testing.T) {
	dir := t.TempDir()
	s := session(t, dir, &fakeModel{}, trial.Budget{})
	s.Close()
	_, err := replay(dir, "", map[string]string{"cell": "d", "params.ngram_order": "3"})
	want := filepath.Join(dir, TranscriptFile) + `:1: transcript of another configuration: cell is "c" there and "d" here; params.ngram_order is missing there and "3" here: a replay needs the experiment that was recorded`
	assert.Check(t, err != nil && err.Error() == want, "got  %v\nwant %s", err, want)
	err = checkConfig("t", map[string]string{"seed": "38473548"}, map[string]string{"seed": "82876802"})
	assert.Error(t, err, "t:1: transcript of another configuration: the experiment's seed is another one there")
	c := testConfig()
	c.Model = "m2"
	_, err = newSession(c, &fakeModel{}, "", SessionOptions{Transcript: filepath.Join(dir, TranscriptFile), Config: map[string]string{"cell": "c"}, Ledger: ledger(trial.Budget{})})
	assert.Check(t, err != nil && strings.Contains(err.Error(), `llm.model is "m" there and "m2" here`), "error %v", err)
}

// TestReplayFindsItsTranscript opens the provider as an experiment does, with no key and no prices, on a run's
// cells and on a directory of recordings.
func TestReplayFindsItsTranscript(t *testing.T) {
	const cell = "lisa.default.cJSON.debian.1"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := io.WriteString(z, recorded(t, 2)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"a run's cells", map[string]string{cell + "/" + TranscriptFile: recorded(t, 2)}, ""},
		{"recordings", map[string]string{"README.md": "", "one/transcripts/" + cell + ".jsonl.gz": packed.String()}, ""},
		{"twice", map[string]string{"one/transcripts/" + cell + ".jsonl.gz": "", "two/transcripts/" + cell + ".jsonl.gz": ""},
			"are recordings of the same cell: move one away"},
		{"another cell", map[string]string{"zlib/" + TranscriptFile: ""}, "no such file or directory"},
		{"none", nil, "start in a clone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "from")
			for name, text := range tt.files {
				path := filepath.Join(dir, name)
				assert.NilError(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)))
			}
			m, err := NewModels(Config{Provider: ProviderReplay, Dir: dir, Settings: Settings{Model: "m", MaxTokens: 100}}, Provider{})
			var s *Session
			if err == nil {
				s, err = m.Session(cell, SessionOptions{Ledger: ledger(trial.Budget{})})
			}
			if tt.want != "" {
				assert.Check(t, err != nil && strings.Contains(err.Error(), tt.want), "error %v, want %q", err, tt.want)
				return
			}
			assert.NilError(t, err)
			texts(t, s.CompleteAll(t.Context(), requests(2)))
		})
	}
}

// TestTranscriptWithoutAVersion: one that is older than the versions of tools answers what it was asked.
func TestTranscriptWithoutAVersion(t *testing.T) {
	old, today := map[string]string{"tool": "lisa"}, map[string]string{"tool": "lisa", "version": "3"}
	assert.Check(t, checkConfig("t", old, today))
	err := checkConfig("t", map[string]string{"tool": "lisa", "version": "2"}, today)
	assert.Check(t, err != nil, "another version is taken")
	assert.Check(t, today["version"] == "3", "the configuration of the session was changed")
}

func TestDollars(t *testing.T) {
	c := testConfig() // 2, 1 and 4 dollars for a million input, cached and output tokens
	for _, tt := range []struct {
		usage Usage
		want  float64
	}{
		{Usage{}, 0},
		{Usage{InputTokens: 1e6, OutputTokens: 1e6}, 6},
		{Usage{InputTokens: 1e6, CachedTokens: 5e5, OutputTokens: 2.5e5, ReasoningTokens: 2e5}, 2.5},
	} {
		got, err := c.Dollars("m", tt.usage)
		assert.Check(t, err == nil && got == tt.want, "%+v costs %v, %v; want %v", tt.usage, got, err, tt.want)
	}
	got, err := c.Dollars("free", Usage{InputTokens: 1e6})
	assert.Check(t, err == nil && got == 0, "a price of 0 gives %v, %v", got, err)
}
