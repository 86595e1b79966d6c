// Package store keeps results by the content of everything that they depend on: outcomes and counters of test programs,
// detections, counts of verifications. A killed evaluation goes on with what is there, and the next one of the same
// suite runs nothing. The caller decides what a key covers.
//
// A result is a file, so that several processes can share a directory. It is renamed into its place when it is
// whole, so that a killed process leaves none that is not. One that was cut or changed is as one that is not there.
package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lisa-bench/lisa-bench/internal/durable"
)

// A Store is a directory of results. Safe for concurrent use; nil keeps nothing.
type Store struct{ dir string }

// New returns the store in a directory, which is made when something is kept.
func New(dir string) *Store { return &Store{dir} }

// Key returns the key of values, which must have a JSON form: the hash of that.
func Key(parts ...any) string {
	data, err := json.Marshal(parts)
	if err != nil {
		panic(fmt.Sprintf("store: key: %v", err)) // a programming error: a function, or a value that is no number
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:20])
}

// An Error is why results cannot be read or kept. It says nothing about what was to be kept.
type Error struct{ error }

func (e *Error) Unwrap() error { return e.error }

// Get decodes the result of a key into v, and reports whether there is one. The error is an *Error.
func (s *Store) Get(key string, v any) (known bool, err error) {
	if s == nil {
		return false, nil
	}
	data, err := os.ReadFile(s.file(key))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, &Error{err}
	}
	sum, result, _ := bytes.Cut(data, []byte("\n"))
	return string(sum) == digest(result) && json.Unmarshal(result, v) == nil, nil
}

// digest is written before a result, so that a changed byte is noticed.
func digest(result []byte) string {
	sum := sha256.Sum256(result)
	return hex.EncodeToString(sum[:8])
}

// Put keeps the result of a key. The error is an *Error.
func (s *Store) Put(key string, v any) error {
	if s == nil {
		return nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		return &Error{err}
	}
	file := s.file(key)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return &Error{err}
	}
	f, err := os.CreateTemp(s.dir, durable.TempPrefix)
	if err != nil {
		return &Error{err}
	}
	_, err = fmt.Fprintf(f, "%s\n%s", digest(data), data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return &Error{errors.Join(err, os.Remove(f.Name()))}
	}
	return nil
}

func (s *Store) file(key string) string { return filepath.Join(s.dir, key[:2], key[2:]) }
