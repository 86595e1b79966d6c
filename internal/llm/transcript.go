package llm

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
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
	var diff []string
	for _, k := range slices.Sorted(maps.Keys(all)) {
		was, before := there[k]
		is, now := here[k]
		switch {
		case !now:
			diff = append(diff, fmt.Sprintf("%s is %s there and missing here", k, show(was, "")))
		case !before:
			diff = append(diff, fmt.Sprintf("%s is missing there and %s here", k, show(is, "")))
		case is != was && k == "seed": // the cell's, which nobody has written
			diff = append(diff, "the experiment's seed is another one there")
		case is != was:
			diff = append(diff, fmt.Sprintf("%s is %s there and %s here", k, show(was, is), show(is, was)))
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
	if strings.HasSuffix(path, packed) {
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
