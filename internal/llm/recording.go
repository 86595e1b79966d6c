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
	return fmt.Errorf("llm.dir: there is no directory %s with recorded answers: those that come with the project lie in the directory recordings of its repository: "+
		"start in a clone of it, or give another directory with --set llm.dir=DIR", c.Dir)
}

// recording is the transcript that a replay of a cell answers from: CELL/transcript.jsonl in the directory, as
// in the cells of a run, or else NAME/transcripts/CELL.jsonl.gz, as in the recordings that come with the project. If there is neither, it is the name of the first.
func (c Config) recording(cell string) (string, error) {
	plain := filepath.Join(c.CellDir(cell), TranscriptFile)
	if _, err := os.Stat(plain); err == nil {
		return plain, nil
	}
	names, err := os.ReadDir(c.Dir)
	if err != nil {
		return "", err
	}
	found := plain
	for _, n := range names {
		file := filepath.Join(c.Dir, n.Name(), "transcripts", cell+".jsonl"+packed)
		switch _, err := os.Stat(file); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil && n.IsDir():
			return "", err
		case err == nil && found != plain:
			return "", fmt.Errorf("%s and %s are recordings of the same cell: move one away", found, file)
		case err == nil:
			found = file
		}
	}
	return found, nil
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
