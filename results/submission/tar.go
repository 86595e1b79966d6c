// Package submission reads and writes runs that are handed in: a run directory (package results), or the same as
// a .tar.gz file. It consumes what may come from anybody, and refuses archives that hold links, lead out of their
// directory or are too large, and runs whose cells are not those of their experiment. It also finds the records
// of a run that a ranking over a set of bugs asks for.
package submission

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/bounded"
	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Extension ends the names of packed runs.
const Extension = ".tar.gz"

// Limits of what is read from an archive. They let through a run of some ten thousand cells.
const (
	maxEntries    = 1_000_000
	maxFile       = 64 << 20 // bytes of a file that is read whole
	maxTranscript = 1 << 30
	maxTotal      = 32 << 30 // bytes, unpacked
)

// An invalidError says that a file or directory is no run that can be read, and why.
type invalidError struct{ Reason string }

func (e *invalidError) Error() string { return e.Reason }

func invalid(format string, args ...any) error {
	return &invalidError{Reason: fmt.Sprintf(format, args...)}
}

// cellFiles are the files of a cell that belong to a submission.
var cellFiles = []string{"record.json", "incomplete.json", "seal.json", llm.TranscriptFile}

// belongs reports whether a file of a run directory, by its slash-separated path, is part of a submission. Logs,
// locks, scratch files and reports are not.
func belongs(name string) bool {
	parts := strings.Split(name, "/")
	switch {
	case len(parts) == 1:
		return name == "experiment.yaml" || name == "manifest.json"
	case parts[0] != "cells" || len(parts) < 3:
		return false
	case len(parts) == 3:
		return slices.Contains(cellFiles, parts[2])
	}
	return parts[2] == "suite" || parts[2] == "evaluation"
}

// A KeyError says that a file of a run holds what is, or looks like, an API key. It does not repeat it.
type KeyError struct {
	Path  string
	Line  int  // 1-based
	Known bool // it is one of the keys that Pack was given
}

func (e *KeyError) Error() string {
	if e.Known {
		return fmt.Sprintf("%s:%d: holds an API key, which must not be published: remove it and revoke it", e.Path, e.Line)
	}
	return fmt.Sprintf("%s:%d: this looks like an API key: remove it and revoke it; if it is not one, pack with --keys-checked",
		e.Path, e.Line)
}

// Pack writes a run directory to w, and returns how many files. Equal directories give equal bytes. Files that hold one of
// keys are refused with a *KeyError, and unless checked those that hold what looks like a key.
func Pack(w io.Writer, run string, keys []string, checked bool) (files int, err error) {
	packed := gzip.NewWriter(w)
	archive := tar.NewWriter(packed)
	err = filepath.WalkDir(run, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(run, file)
		if err != nil || d.IsDir() || !belongs(filepath.ToSlash(name)) {
			return err
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s: a link or special file, which the harness never writes: not packed", file)
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if at, known := findKey(content, keys, checked); at >= 0 {
			return &KeyError{Path: file, Line: 1 + bytes.Count(content[:at], []byte("\n")), Known: known}
		}
		head := &tar.Header{Name: filepath.ToSlash(name), Size: int64(len(content)), Mode: 0o644, ModTime: time.Unix(0, 0)}
		if err := archive.WriteHeader(head); err != nil {
			return err
		}
		files++
		_, err = archive.Write(content)
		return err
	})
	return files, errors.Join(err, archive.Close(), packed.Close())
}

// findKey returns the offset of the first key in content, -1 if there is none.
func findKey(content []byte, keys []string, checked bool) (at int, known bool) {
	for _, key := range keys {
		if i := bytes.Index(content, []byte(key)); i >= 0 {
			return i, true
		}
	}
	if checked {
		return -1, false
	}
	return llm.FindKey(content), false
}

// unpack writes the files of an archive that belong to a submission below dir, and passes over others. What is wrong
// with the archive is an *invalidError.
func unpack(file, dir string) error {
	in, err := bounded.Open(file, 0)
	var special *bounded.Error
	if errors.As(err, &special) {
		return invalid("not a packed run: no plain file")
	}
	if err != nil {
		return err
	}
	defer in.Close()
	root, err := os.OpenRoot(dir) // it lets nothing out of dir, whatever names say
	if err != nil {
		return err
	}
	defer root.Close()
	packed, err := gzip.NewReader(in)
	if err != nil {
		return invalid("not a packed run: no gzip archive")
	}
	limited := &io.LimitedReader{R: packed, N: maxTotal}
	archive := tar.NewReader(limited)
	for range maxEntries {
		head, err := archive.Next()
		switch {
		case limited.N == 0:
			return invalid("unpacked it would be more than %d MiB, which is the limit", maxTotal>>20)
		case err == io.EOF:
			if _, err = io.Copy(io.Discard, limited); err == nil { // to where the checksum is
				return nil
			}
		}
		if err != nil {
			return invalid("the archive is damaged (%v): get the file again", err)
		}
		if err := unpackEntry(root, head, archive); err != nil {
			return err
		}
	}
	return invalid("it has more than %d entries, which is the limit", maxEntries)
}

func unpackEntry(root *os.Root, head *tar.Header, body io.Reader) error {
	name := path.Clean(head.Name)
	switch {
	case !filepath.IsLocal(name):
		return invalid("the entry %q leads out of the archive", head.Name)
	case head.Typeflag == tar.TypeDir || !belongs(name):
		return nil
	case head.Typeflag != tar.TypeReg:
		return invalid("%q is a link or special file: a run has plain files", head.Name)
	}
	limit := int64(maxFile)
	if path.Base(name) == llm.TranscriptFile {
		limit = maxTranscript
	}
	if head.Size > limit {
		return invalid("%q has %d bytes, and the limit is %d", head.Name, head.Size, limit)
	}
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return invalid("unpack %q: %v", head.Name, err)
	}
	to, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return invalid("unpack %q: %v", head.Name, err)
	}
	if _, err = io.Copy(to, body); errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrChecksum) {
		err = invalid("the archive is damaged (%v): get the file again", err)
	}
	return errors.Join(err, to.Close())
}

// CheckSuite makes sure that the files of the suite in dir lie there and are what its tool made, and that its programs
// can be told apart by their names. What is wrong is an *invalidError.
func CheckSuite(dir string, s trial.Suite) error {
	ids := map[string]bool{}
	for _, p := range s.Programs {
		if p.ID == "" || filepath.Base(p.ID) != p.ID || ids[p.ID] {
			return invalid("%s lists the program %q, which is no name or there twice", trial.SuiteFile, p.ID)
		}
		ids[p.ID] = true
	}
	for _, f := range s.Listed() {
		if !filepath.IsLocal(f.File) {
			return invalid("%s lists %q, which is outside of the suite", trial.SuiteFile, f.File)
		}
		if sum, err := durable.FileSum(filepath.Join(dir, f.File)); err != nil || sum != f.SHA256 {
			return invalid("%s is not what its tool made: its SHA-256 is not the one in %s", f.File, trial.SuiteFile)
		}
	}
	return nil
}
