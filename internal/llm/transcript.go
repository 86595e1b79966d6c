package llm

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// TranscriptFile is the name of a cell's transcript.
const TranscriptFile = "transcript.jsonl"

// transcriptFormat is the version of the first line.
const transcriptFormat = 1

// A header is the first line of a transcript.
type header struct {
	Format int               `json:"transcript"`
	Config map[string]string `json:"config"` // what the requests depend on; encoding/json sorts the keys
}

// An Entry is one further line: a request with its answer.
type Entry struct {
	ID  string `json:"id"`
	Key string `json:"key"` // Request.Key, with all messages
	// Follows is the ID of the entry in the line before, if its messages come before those of this request.
	Follows string  `json:"follows,omitempty"`
	Request Request `json:"request"`
	Answer  *Answer `json:"answer"`
	Dollars float64 `json:"dollars"` // as Answer.Dollars
	WallMs  float64 `json:"wall_ms"` // as Answer.WallMs

	line int // in its file, from 1
}

// parsed is what a transcript's text holds.
type parsed struct {
	config  map[string]string // nil where the file is empty
	entries []Entry
	size    int64 // in bytes, of the lines that are whole
}

// parseTranscript reads a transcript. A torn last line, which a crash can leave, is left out; anything else
// that is not as Session writes it is an error with its line.
func parseTranscript(r io.Reader, path string) (parsed, error) {
	var p parsed
	in := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return p, nil
		}
		if err != nil {
			return p, err
		}
		if err := p.add(line, n); err != nil {
			if _, eof := in.Peek(1); errors.Is(eof, io.EOF) && !json.Valid(line) {
				return p, nil
			}
			return p, fmt.Errorf("%s:%d: damaged transcript: %w: mend the line, or move the file away to ask everything again", path, n, err)
		}
		p.size += int64(len(line))
	}
}

func (p *parsed) add(line []byte, n int) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if n == 1 {
		h := header{Config: map[string]string{}}
		if err := dec.Decode(&h); err != nil {
			return err
		}
		if h.Format != transcriptFormat {
			return fmt.Errorf("format %d, and this program reads %d", h.Format, transcriptFormat)
		}
		p.config = h.Config
		return nil
	}
	e := Entry{line: n}
	if err := dec.Decode(&e); err != nil {
		return err
	}
	e.Request.ID = e.ID
	if e.Follows != "" {
		if len(p.entries) == 0 || p.entries[len(p.entries)-1].ID != e.Follows {
			return fmt.Errorf("%s: the line before is not that of %s", e.ID, e.Follows)
		}
		before := p.entries[len(p.entries)-1].Request.Messages
		e.Follows, e.Request.Messages = "", slices.Concat(before, e.Request.Messages)
	}
	switch {
	case dec.More():
		return errors.New("more than one object in a line")
	case e.Key != e.Request.Key():
		return fmt.Errorf("%s: the key is not that of the request", e.ID)
	case e.Answer == nil:
		return fmt.Errorf("%s: has no answer", e.ID)
	case !slices.Contains(Outcomes, e.Answer.Outcome):
		return fmt.Errorf("%s: unknown outcome %q", e.ID, e.Answer.Outcome)
	}
	p.entries = append(p.entries, e)
	return nil
}

// checkConfig refuses a transcript of another configuration. One without the version of what asks is older than
// versions are, and may be of any: what it answers is found by what was asked.
func checkConfig(path string, there, here map[string]string) error {
	all := maps.Clone(here)
	maps.Copy(all, there)
	if _, ok := there["version"]; !ok {
		delete(all, "version")
	}
	side := func(value, other string, there bool) string {
		if !there {
			return "missing"
		}
		return show(value, other)
	}
	var diff []string
	for _, k := range slices.Sorted(maps.Keys(all)) {
		was, before := there[k]
		is, now := here[k]
		switch {
		case before && now && was == is:
		case before && now && k == "seed": // the cell's, which nobody has written
			diff = append(diff, "the experiment's seed is another one there")
		default:
			diff = append(diff, fmt.Sprintf("%s is %s there and %s here", k, side(was, is, before), side(is, was, now)))
		}
	}
	if len(diff) == 0 {
		return nil
	}
	return fmt.Errorf("%s:1: transcript of another configuration: %s", path, strings.Join(diff, "; "))
}

// after returns the entry in the form that it has in the line after another one. A turn of a conversation with
// functions repeats all earlier turns, so its line has only the new messages.
func (e Entry) after(before Entry) Entry {
	n := len(before.Request.Messages)
	if n == 0 || len(e.Request.Tools) == 0 || len(e.Request.Messages) < n || !reflect.DeepEqual(e.Request.Messages[:n], before.Request.Messages) {
		return e
	}
	e.Follows, e.Request.Messages = before.ID, e.Request.Messages[n:]
	return e
}

// readTranscript reads a transcript, packed or not.
func readTranscript(path string) (parsed, error) {
	f, err := os.Open(path)
	if err != nil {
		return parsed{}, err
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			return parsed{}, fmt.Errorf("%s: %w", path, err)
		}
	}
	return parseTranscript(in, path)
}

// ReadTranscript returns the entries of a transcript, in the order of its lines.
func ReadTranscript(path string) ([]Entry, error) {
	p, err := readTranscript(path)
	return p.entries, err
}

// checkRecordings refuses a replay from a directory that is not there, before anything is built for it.
func (c Config) checkRecordings() error {
	if info, err := os.Stat(c.Dir); err == nil && info.IsDir() {
		return nil
	}
	return fmt.Errorf("llm.dir: there is no directory %s with recorded answers: "+
		"those that come with the project lie in the directory recordings of its repository: "+
		"start in a clone of it, or give another directory with --set llm.dir=DIR", c.Dir)
}

// recording is the transcript that a replay of a cell answers from: CELL/transcript.jsonl in the directory, as
// in the cells of a run, or else NAME/transcripts/CELL.jsonl.gz, as in the recordings that come with the
// project. If there is neither, it is the name of the first.
func (c Config) recording(cell string) (string, error) {
	plain := filepath.Join(c.Dir, cell, TranscriptFile)
	if _, err := os.Stat(plain); err == nil {
		return plain, nil
	}
	names, err := fs.Glob(os.DirFS(c.Dir), "*/transcripts/"+cell+".jsonl.gz")
	switch {
	case err != nil:
		return "", err
	case len(names) > 1:
		return "", fmt.Errorf("%s: %s and %s are recordings of the same cell: move one away", c.Dir, names[0], names[1])
	case len(names) == 1:
		return filepath.Join(c.Dir, names[0]), nil
	}
	return plain, nil
}

// ErrNoRecording is what errors.Is finds in the error of a replay that has no answer: it makes no calls.
var ErrNoRecording = errors.New("no recorded answer")

// noRecording names the recorded request that is equal to r for the most lines from its beginning, the first
// of equals, and the first line in which they differ.
func noRecording(path string, entries []Entry, r Request) error {
	missing := fmt.Errorf("%s: %w to request %s of stage %s", path, ErrNoRecording, r.ID, r.Stage)
	if len(entries) == 0 {
		return fmt.Errorf("%w: nothing is recorded there", missing)
	}
	here := r.lines()
	var nearest Entry
	var there []string
	longest := -1
	for _, e := range entries {
		lines, n := append(e.Request.lines(), ""), 0
		for n < min(len(lines)-1, len(here)) && lines[n] == here[n] {
			n++
		}
		if n > longest {
			nearest, there, longest = e, lines, n
		}
	}
	was, is := there[longest], append(here, "")[longest]
	return fmt.Errorf("%w: the nearest is %s (line %d), but %s there is %s here", missing, nearest.ID, nearest.line, show(was, is), show(is, was))
}

// lines are all of a request, its texts before its settings; each says where it stands.
func (r Request) lines() (list []string) {
	add := func(where, text string) {
		for i, line := range strings.Split(text, "\n") {
			list = append(list, fmt.Sprintf("line %d of %s: %s", i+1, where, line))
		}
	}
	for i, m := range r.Messages {
		add(fmt.Sprintf("message %d (%s)", i+1, m.Role), m.Content)
	}
	if r.Body != nil {
		add("body", string(r.Body))
	}
	temperature, seed := "not set", "not set"
	if r.Temperature != nil {
		temperature = fmt.Sprint(*r.Temperature)
	}
	if r.Seed != nil {
		seed = fmt.Sprint(*r.Seed)
	}
	tools, _ := json.Marshal(r.Tools) // texts
	return append(list, "tools "+string(tools), "stage "+r.Stage, "model "+r.Model, "temperature "+temperature, "seed "+seed,
		"reasoning_effort "+r.ReasoningEffort, fmt.Sprint("max_tokens ", r.MaxTokens), fmt.Sprint("attempt ", r.Attempt))
}

// show quotes a text, a long one from shortly before its difference to another.
func show(s, other string) string {
	const most = 60 // bytes
	same := 0
	for same < min(len(s), len(other)) && s[same] == other[same] {
		same++
	}
	if from := same - most/2; len(s) > most && from > 0 {
		s = "…" + s[from:]
	}
	if len(s) > most {
		s = s[:most] + "…"
	}
	return fmt.Sprintf("%q", strings.ToValidUTF8(s, ""))
}
