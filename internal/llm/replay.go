package llm

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// packed ends the name of a transcript that gzip made small.
const packed = ".gz"

// checkRecordings refuses a replay from a directory that is not there, before anything is built for it.
func (c Config) checkRecordings() error {
	info, err := os.Stat(c.Dir)
	if err == nil && info.IsDir() {
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
	plain := filepath.Join(c.CellDir(cell), TranscriptFile)
	if _, err := os.Stat(plain); err == nil {
		return plain, nil
	}
	names, err := fs.Glob(os.DirFS(c.Dir), "*/transcripts/"+cell+".jsonl"+packed)
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

// ErrNoRecording is what errors.Is finds in the error of a replay that has no answer: it makes no calls.
var ErrNoRecording = errors.New("no recorded answer")

// noRecording names the recorded request that is equal to r for the longest part from its beginning, the first
// of equals, and the first line in which they differ.
func noRecording(path string, entries []Entry, r Request) error {
	missing := fmt.Errorf("%s: %w to request %s of stage %s", path, ErrNoRecording, r.ID, r.Stage)
	if len(entries) == 0 {
		return fmt.Errorf("%w: nothing is recorded there", missing)
	}
	nearest, longest := entries[0], -1
	for _, e := range entries {
		if n := common(e.Request.lines(), r.lines()); n > longest {
			nearest, longest = e, n
		}
	}
	there, here := nearest.Request.lines(), r.lines()
	difference := "it was no answer: it ended with an error"
	if there != here {
		from := 1 + strings.LastIndexByte(here[:longest], '\n')
		was, _, _ := strings.Cut(there[from:], "\n")
		is, _, _ := strings.Cut(here[from:], "\n")
		difference = fmt.Sprintf("%s there is %s here", show(was, is), show(is, was))
	}
	return fmt.Errorf("%w: the nearest is %s (line %d), but %s", missing, nearest.ID, nearest.line, difference)
}

// lines are all of a request, its texts before its settings; each line says where it stands.
func (r Request) lines() string {
	var b strings.Builder
	add := func(where, text string) {
		for i, line := range strings.Split(text, "\n") {
			fmt.Fprintf(&b, "line %d of %s: %s\n", i+1, where, line)
		}
	}
	for i, m := range r.Messages {
		add(fmt.Sprintf("message %d (%s)", i+1, m.Role), m.Content)
	}
	for i, t := range r.Texts {
		add(fmt.Sprintf("text %d", i+1), t)
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
	fmt.Fprintf(&b, "stage %s\nmodel %s\ntemperature %s\nseed %s\nreasoning_effort %s\nmax_tokens %d\nattempt %d\n",
		r.Stage, r.Model, temperature, seed, r.ReasoningEffort, r.MaxTokens, r.Attempt)
	return b.String()
}

// common is how many bytes two texts have in common from the beginning.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// show quotes a text, a long one from shortly before its difference to another.
func show(s, other string) string {
	const most = 60 // bytes
	if from := common(s, other) - most/2; len(s) > most && from > 0 {
		s = "…" + strings.ToValidUTF8(s[from:], "")
	}
	if len(s) > most {
		s = Cut(s, most) + "…"
	}
	return fmt.Sprintf("%q", s)
}
