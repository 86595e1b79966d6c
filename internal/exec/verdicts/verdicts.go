// Package verdicts caches results about test programs by the content of everything that they depend on, so
// nothing is run twice. A table of keys and values is a file to which lines are appended. Several processes can
// share a directory. An incomplete line, left by a killed process or a full disk, is ignored. The caller
// decides what a key covers.
package verdicts

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sys/unix"
)

// A Store is a directory of tables. Safe for concurrent use.
type Store struct {
	dir string

	mu     sync.Mutex
	tables map[string]*Table
}

// New returns the store in a directory, which is made when something is kept.
func New(dir string) *Store { return &Store{dir: dir, tables: map[string]*Table{}} }

// Table returns the table of a name that is a file name.
func (s *Store) Table(name string) (*Table, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tables[name]; t != nil {
		return t, nil
	}
	t := &Table{path: filepath.Join(s.dir, name), at: map[short]span{}}
	if err := t.read(); err != nil {
		return nil, err
	}
	s.tables[name] = t
	return t, nil
}

// Close closes the tables' files.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, t := range s.tables {
		if t.file != nil {
			errs = append(errs, t.file.Close())
		}
	}
	clear(s.tables)
	return errors.Join(errs...)
}

// A Table keeps values by key. Only where they lie in its file is in memory, 16 bytes each.
type Table struct {
	path string

	mu   sync.Mutex
	file *os.File // nil until there is one
	end  int64    // of what was read
	at   map[short]span
}

// A short is a key's first 16 digits, as memory has them: there are as many as programs, for each
// build. The whole key is read with its value.
type short [8]byte

func shortOf(key []byte) (s short) {
	_, _ = hex.Decode(s[:], key[:2*len(s)]) // one that is no hash is looked up like any other
	return s
}

// A span is where a line lies, without its end: its offset in the upper 40 bits, its size in the others.
type span uint64

const maxLine = 1<<24 - 1

func spanOf(from int64, size int) span { return span(from)<<24 | span(size) }

func (s span) from() int64 { return int64(s >> 24) }
func (s span) size() int   { return int(s & maxLine) }

// Key returns the key of values: the hash of their JSON.
func Key(parts ...any) string {
	data, err := json.Marshal(parts)
	if err != nil {
		panic(fmt.Sprintf("verdicts: key: %v", err)) // strings and numbers only: a programming error
	}
	return sum(data)
}

// keySize is the length of keys and of the checksums of lines.
const keySize = 40

func sum(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))[:keySize]
}

// read takes in the lines that the file has beyond those that are known.
func (t *Table) read() (err error) {
	if t.file == nil {
		if t.file, err = os.OpenFile(t.path, os.O_RDWR, 0); errors.Is(err, os.ErrNotExist) {
			return nil
		} else if err != nil {
			return err
		}
	}
	info, err := t.file.Stat()
	if err != nil {
		return err
	}
	// A large buffer for the few lines of most calls would be most of the memory in use.
	r := bufio.NewReaderSize(io.NewSectionReader(t.file, t.end, 1<<62), int(max(0, min(info.Size()-t.end, 64<<10))))
	var part []byte // of a line that is longer than the buffer
	for {
		line, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			part = append(part, line...)
			continue
		}
		if err == io.EOF {
			return nil // the rest is no line yet
		}
		if err != nil {
			return err
		}
		if len(part) > 0 {
			line = append(part, line...)
			part = line[:0]
		}
		if n := len(line) - 1; n >= head && n <= maxLine {
			t.at[shortOf(line)] = spanOf(t.end, n)
		}
		t.end += int64(len(line))
	}
}

// head is what a line has before its value: the key and the line's checksum.
const head = 2 * (keySize + 1)

// Get decodes the value of a key into v and reports whether there is one.
func (t *Table) Get(name string, v any) (bool, error) {
	if len(name) != keySize {
		return false, nil
	}
	t.mu.Lock()
	at, known := t.at[shortOf([]byte(name))]
	t.mu.Unlock()
	if !known {
		return false, nil
	}
	line := make([]byte, at.size())
	if _, err := t.file.ReadAt(line, at.from()); err != nil {
		return false, fmt.Errorf("%s: %w", t.path, err)
	}
	// Only now: a table has lines of all that was ever evaluated.
	value := line[head:]
	whole := string(line[:keySize]) == name && string(line[keySize+1:head-1]) == sum(line[:keySize], value)
	return whole && json.Unmarshal(value, v) == nil, nil
}

// Put keeps values by key. They are in one piece in the file, behind what other processes kept.
func (t *Table) Put(values map[string]any) error {
	if len(values) == 0 {
		return nil
	}
	var lines bytes.Buffer
	for name, v := range values {
		if len(name) != keySize {
			return fmt.Errorf("%s: %q is no key", t.path, name)
		}
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%s %s %s\n", name, sum([]byte(name), data), data)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file == nil {
		if err := os.MkdirAll(filepath.Dir(t.path), 0o755); err != nil {
			return err
		}
		var err error
		if t.file, err = os.OpenFile(t.path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
			return err
		}
	}
	if err := unix.Flock(int(t.file.Fd()), unix.LOCK_EX); err != nil {
		return err
	}
	defer unix.Flock(int(t.file.Fd()), unix.LOCK_UN)
	if err := t.read(); err != nil {
		return err
	}
	info, err := t.file.Stat()
	if err != nil {
		return err
	}
	data := lines.Bytes()
	if info.Size() > t.end { // what a killed process left is not the beginning of our line
		data = append([]byte{'\n'}, data...)
	}
	if _, err := t.file.WriteAt(data, info.Size()); err != nil {
		return err
	}
	return t.read()
}
