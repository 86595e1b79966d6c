package llm

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/durable"
)

// TranscriptFile is the name of a cell's transcript.
const TranscriptFile = "transcript.jsonl"

// transcriptFormat is the version of the first line.
const transcriptFormat = 1

// maxShownValue is how much of a value an error about a difference shows, in bytes.
const maxShownValue = 60

// A header is the first line of a transcript.
type header struct {
	Format int               `json:"transcript"`
	Config map[string]string `json:"config"` // what the requests depend on; encoding/json sorts the keys
}

// An Entry is one further line: a request with its answer, or with the error that ended it.
type Entry struct {
	ID       string    `json:"id"`
	Key      string    `json:"key"` // Request.Key
	Request  Request   `json:"request"`
	Answer   *Answer   `json:"answer,omitempty"`
	Error    *Failure  `json:"error,omitempty"`
	Failures []Failure `json:"failures,omitempty"` // tries before
	Dollars  float64   `json:"dollars"`
	WallMs   float64   `json:"wall_ms"` // as Answer.WallMs
}

// result is what the entry's answer was to the tool.
func (e Entry) result() Answer {
	a := *e.Answer
	a.Failures, a.Dollars, a.WallMs = e.Failures, e.Dollars, e.WallMs
	return a
}

// A transcriptError says that a transcript cannot be used, at which line, and what to do.
type transcriptError struct {
	Path   string
	Line   int // 1-based; 0 if the whole file is meant
	Reason string
}

func (e *transcriptError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Path, e.Reason)
	}
	return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Reason)
}

// parsed is what a transcript's text holds.
type parsed struct {
	config  map[string]string
	entries []Entry
	lines   []int // of the entries
	size    int64 // in bytes, of the lines that are whole
}

// parseTranscript reads a transcript. A torn last line, which a crash can leave, is left out.
// Anything else that is not as Session writes it is a *transcriptError. config is nil where
// the file is empty.
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
			return p, &transcriptError{path, n, fmt.Sprintf("damaged transcript: %v: mend the line, or move the file away to ask everything again", err)}
		}
		p.size += int64(len(line))
	}
}

func (p *parsed) add(line []byte, n int) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if n == 1 {
		var h header
		if err := dec.Decode(&h); err != nil {
			return err
		}
		if h.Format != transcriptFormat {
			return fmt.Errorf("format %d, and this program reads %d", h.Format, transcriptFormat)
		}
		p.config = h.Config
		if p.config == nil {
			p.config = map[string]string{}
		}
		return nil
	}
	var e Entry
	if err := dec.Decode(&e); err != nil {
		return err
	}
	if dec.More() {
		return errors.New("more than one object in a line")
	}
	e.Request.ID = e.ID
	switch {
	case e.Key != e.Request.Key():
		return fmt.Errorf("%s: the key is not that of the request", e.ID)
	case (e.Answer == nil) == (e.Error == nil):
		return fmt.Errorf("%s: needs an answer or an error, and not both", e.ID)
	case e.Answer != nil && !slices.Contains(Outcomes, e.Answer.Outcome):
		return fmt.Errorf("%s: unknown outcome %q", e.ID, e.Answer.Outcome)
	}
	p.entries, p.lines = append(p.entries, e), append(p.lines, n)
	return nil
}

// ReadTranscript returns the entries of a transcript, in the order of its lines.
func ReadTranscript(path string) ([]Entry, error) {
	p, err := readTranscript(path)
	return p.entries, err
}

// differences lists what two configurations do not have in common, one phrase for each.
func differences(there, here map[string]string) []string {
	var out []string
	for k, was := range there {
		if is, ok := here[k]; !ok {
			out = append(out, fmt.Sprintf("%s is %s there and missing here", k, show(was)))
		} else if is != was {
			out = append(out, fmt.Sprintf("%s is %s there and %s here", k, show(was), show(is)))
		}
	}
	for k, is := range here {
		if _, ok := there[k]; !ok {
			out = append(out, fmt.Sprintf("%s is missing there and %s here", k, show(is)))
		}
	}
	sort.Strings(out)
	return out
}

func show(s string) string {
	if len(s) > maxShownValue {
		s = cutText(s, maxShownValue) + "…"
	}
	return fmt.Sprintf("%q", s)
}

// versionKey is the version of what asks, in a configuration.
const versionKey = "version"

// checkConfig refuses a transcript of another configuration. One that is older than versions are may be of any: what it
// answers is found by what was asked.
func checkConfig(path string, there, here map[string]string) error {
	if _, ok := there[versionKey]; !ok {
		here = maps.Clone(here)
		delete(here, versionKey)
	}
	if diff := differences(there, here); len(diff) > 0 {
		return &transcriptError{path, 1, "transcript of another configuration: " + strings.Join(diff, "; ") +
			": go back to it, or move the file away to ask everything again"}
	}
	return nil
}

// A transcript is a file that entries are appended to. An entry survives a power failure when
// append returns. Safe for concurrent use.
type transcript struct {
	path string
	log  *durable.Log
}

// openTranscript opens or makes the transcript at path and returns what it holds.
func openTranscript(path string, config map[string]string) (*transcript, parsed, error) {
	var p parsed
	log, err := durable.OpenLog(path, func(r io.Reader) (size int64, err error) {
		p, err = parseTranscript(r, path)
		return p.size, err
	})
	if err != nil {
		return nil, parsed{}, err
	}
	t := &transcript{path: path, log: log}
	if p.config == nil {
		err = t.append(header{transcriptFormat, config})
	} else {
		err = checkConfig(path, p.config, config)
	}
	if err != nil {
		log.Close()
		return nil, parsed{}, err
	}
	return t, p, nil
}

// append writes a header or an Entry.
func (t *transcript) append(v any) error {
	line, err := encode(v)
	if err != nil {
		return fmt.Errorf("%s: %w", t.path, err)
	}
	return t.log.Append(append(line, '\n'), true)
}

// finishTranscript puts the entries in the order of their ids, so that neither parallelism nor
// a restart shows in the file. Errors of requests that were answered later become failed
// tries of the answer.
func finishTranscript(path string) error {
	p, err := readTranscript(path)
	if err != nil {
		return err
	}
	answered := map[string]int{}
	for i, e := range p.entries {
		if e.Answer != nil {
			answered[e.Key] = i
		}
	}
	earlier := map[string][]Failure{}
	var kept []Entry
	for _, e := range p.entries {
		switch _, later := answered[e.Key]; {
		case e.Answer != nil:
			e.Failures = append(earlier[e.Key], e.Failures...)
			kept = append(kept, e)
		case later:
			earlier[e.Key] = append(append(earlier[e.Key], e.Failures...), *e.Error)
		default:
			kept = append(kept, e)
		}
	}
	slices.SortStableFunc(kept, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), strings.Compare(a.Key, b.Key))
	})
	var out bytes.Buffer
	for i := -1; i < len(kept); i++ {
		var v any = header{transcriptFormat, p.config}
		if i >= 0 {
			v = kept[i]
		}
		line, err := encode(v)
		if err != nil {
			return err
		}
		out.Write(line)
		out.WriteByte('\n')
	}
	return durable.WriteFile(path, out.Bytes())
}
