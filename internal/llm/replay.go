package llm

import (
	"encoding/json"
	"errors"
	"fmt"
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
		lines, n := e.Request.lines(), 0
		for n < min(len(lines), len(here)) && lines[n] == here[n] {
			n++
		}
		if n > longest {
			nearest, there, longest = e, append(lines, ""), n
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
