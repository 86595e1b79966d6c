package submission

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// format is the version of the archive and of its header.
const format = 1

// HeaderFile is the archive's first entry.
const HeaderFile = "submission.json"

// Extension ends the names of submissions.
const Extension = ".tar.gz"

// A Header says what is in an archive.
type Header struct {
	Format int    `json:"submission"`
	Name   string `json:"name"`
	Files  []File `json:"files"` // all entries but the header, by path
}

// A File is an entry of an archive.
type File struct {
	Path   string `json:"path"` // with slashes
	Size   int64  `json:"size"` // bytes
	SHA256 string `json:"sha256"`
}

// Hashes returns the SHA-256 of every file by its path.
func (h *Header) Hashes() map[string]string {
	m := map[string]string{}
	for _, f := range h.Files {
		m[f.Path] = f.SHA256
	}
	return m
}

// Limits bound what is read from an untrusted archive.
type Limits struct {
	Header int64 // bytes of submission.json
	Files  int   // entries
	File   int64 // bytes of an entry
	Total  int64 // bytes of all entries, unpacked
}

// DefaultLimits let through a run of some ten thousand cells.
var DefaultLimits = Limits{Header: 256 << 20, Files: 1_000_000, File: 1 << 30, Total: 32 << 30}

// An InvalidError says that a file is no submission that can be read, and why.
type InvalidError struct{ Reason string }

func (e *InvalidError) Error() string { return e.Reason }

func invalid(format string, args ...any) error {
	return &InvalidError{Reason: fmt.Sprintf(format, args...)}
}

// name is what a submission may be called: it stands in tables and in file names.
var name = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// CheckName refuses what cannot be the name of a submission.
func CheckName(s string) error {
	if !name.MatchString(s) {
		return fmt.Errorf("%q cannot name a submission: up to 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit", s)
	}
	return nil
}

var sum = regexp.MustCompile(`^[0-9a-f]{64}$`)

// parseHeader reads and checks submission.json.
func parseHeader(data []byte, l Limits) (*Header, error) {
	// Another version may have other keys, and is to be told as what it is.
	var version struct {
		Format *int `json:"submission"`
	}
	if err := json.Unmarshal(data, &version); err != nil || version.Format == nil {
		return nil, invalid("%s is no header of a submission: pack the run again", HeaderFile)
	}
	if *version.Format != format {
		return nil, invalid("a submission of format %d, and this bench reads %d: use the bench that it was packed with, or pack the run again with this one", *version.Format, format)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var h Header
	if err := dec.Decode(&h); err != nil {
		return nil, invalid("%s: %v", HeaderFile, err)
	}
	if dec.More() {
		return nil, invalid("%s: more than one header", HeaderFile)
	}
	if err := CheckName(h.Name); err != nil {
		return nil, invalid("%s: %v", HeaderFile, err)
	}
	return &h, h.check(l)
}

func (h *Header) check(l Limits) error {
	if len(h.Files) > l.Files {
		return invalid("%s lists %d files, and the limit is %d", HeaderFile, len(h.Files), l.Files)
	}
	last, total := "", int64(0)
	files := map[string]bool{}
	for _, f := range h.Files {
		if err := checkPath(f.Path); err != nil {
			return invalid("%s lists %q, which %v", HeaderFile, f.Path, err)
		}
		switch {
		case f.Path <= last:
			return invalid("%s lists %q out of order or twice", HeaderFile, f.Path)
		case f.Size < 0 || f.Size > l.File:
			return invalid("%s lists %s with %d bytes, and the limit is %d", HeaderFile, f.Path, f.Size, l.File)
		case !sum.MatchString(f.SHA256):
			return invalid("%s lists %s with a SHA-256 that is none: %q", HeaderFile, f.Path, f.SHA256)
		}
		for dir := path.Dir(f.Path); dir != "."; dir = path.Dir(dir) {
			if files[dir] {
				return invalid("%s lists %q, a file, and %q below it", HeaderFile, dir, f.Path)
			}
		}
		files[f.Path], last = true, f.Path
		if total += f.Size; total > l.Total {
			return invalid("unpacked it would be more than %d MiB, which is the limit", l.Total>>20)
		}
	}
	return nil
}

// longestPath is what Linux takes (PATH_MAX).
const longestPath = 4096

// checkPath refuses what is not a plain path below the archive's top.
func checkPath(p string) error {
	switch {
	case p == HeaderFile:
		return errors.New("is the list itself")
	case len(p) > longestPath:
		return fmt.Errorf("is longer than %d bytes", longestPath)
	case strings.ContainsAny(p, "\\\x00"):
		return errors.New("has a character that no path of a run has")
	case path.Clean(p) != p || !filepath.IsLocal(p) || p == ".":
		return errors.New("leads out of the archive, or is no plain path")
	}
	return nil
}
