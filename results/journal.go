package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/durable"
)

// An Event is one line of a cell's journal. Its line ends with a checksum of all before it.
type Event struct {
	Seq     int64           `json:"seq"`        // 1, 2, 3, …
	Elapsed time.Duration   `json:"elapsed_ns"` // of the cell's ledger
	Kind    string          `json:"kind"`
	Key     string          `json:"key,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// The kinds of events that this package writes; the runner has its own beside them.
const (
	eventCell      = "cell"      // first of a journal; Key: the key of the cell's generation
	eventGrown     = "grown"     // the cell has a larger budget from here on; Key: as that of the first
	eventProgram   = "program"   // a program of the suite; Data: its trial.SuiteEntry
	eventGenerated = "generated" // the tool is done and suite.json written
)

// A CorruptError says that a journal is damaged at a place where no crash of ours can have damaged it.
type CorruptError struct {
	Path   string
	Line   int // 1-based
	Reason string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s:%d: damaged journal: %s: move %s away to compute the cell again",
		e.Path, e.Line, e.Reason, filepath.Dir(e.Path))
}

const crcMark = `,"crc":"`

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// withSum ends a line that begins with body.
func withSum(body []byte) []byte {
	return fmt.Appendf(bytes.Clone(body), "%s%08x\"}", crcMark, crc32.Checksum(body, castagnoli))
}

func encodeEvent(e Event) ([]byte, error) {
	b, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return append(withSum(b[:len(b)-1]), '\n'), nil
}

// decodeEvent reads a line without its newline.
func decodeEvent(line []byte) (e Event, err error) {
	end := bytes.LastIndex(line, []byte(crcMark))
	if end < 0 {
		return e, errors.New("no checksum")
	}
	if !bytes.Equal(withSum(line[:end]), line) {
		return e, errors.New("checksum differs")
	}
	err = json.Unmarshal(append(bytes.Clone(line[:end]), '}'), &e)
	return e, err
}

// scanJournal reads all events of r, and the length in bytes of the lines that hold them.
// A damaged end, which a crash can leave, is left out.
func scanJournal(r io.Reader, path string) (events []Event, size int64, err error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, 0, fmt.Errorf("read %s: %w", path, err)
	}
	for n := 1; ; n++ {
		line, rest, whole := bytes.Cut(data[size:], []byte("\n"))
		if !whole {
			return events, size, nil
		}
		e, err := decodeEvent(line)
		if err == nil && e.Seq != int64(n) {
			err = fmt.Errorf("event %d where %d belongs", e.Seq, n)
		}
		switch {
		case err != nil && bytes.Contains(rest, []byte("\n")): // a crash tears only the last line
			return nil, 0, &CorruptError{Path: path, Line: n, Reason: err.Error()}
		case err != nil:
			return events, size, nil
		}
		events = append(events, e)
		size += int64(len(line)) + 1
	}
}

// A Journal is the append-only log of a cell. What is appended survives the death of this process at once; it survives
// a power failure when Append returns, or with the next Append after AppendLoose. Safe for concurrent use.
type Journal struct {
	path string
	log  *durable.Log

	mu  sync.Mutex
	seq int64
}

// openJournal opens or creates a journal and returns the events that it holds.
func openJournal(path string) (*Journal, []Event, error) {
	var events []Event
	log, err := durable.OpenLog(path, func(r io.Reader) (size int64, err error) {
		events, size, err = scanJournal(r, path)
		return size, err
	})
	if err != nil {
		return nil, nil, err
	}
	return &Journal{path: path, log: log, seq: int64(len(events))}, events, nil
}

// Append writes one event and syncs; data is encoded as JSON, nil leaves it out. An error leaves the journal whole,
// without the event.
func (j *Journal) Append(kind, key string, elapsed time.Duration, data any) error {
	return j.append(Event{Elapsed: elapsed, Kind: kind, Key: key}, data, true)
}

// AppendLoose writes an event that can be found out again, without the cost of a sync.
func (j *Journal) AppendLoose(kind, key string, elapsed time.Duration, data any) error {
	return j.append(Event{Elapsed: elapsed, Kind: kind, Key: key}, data, false)
}

func (j *Journal) append(e Event, data any, sync bool) (err error) {
	if data != nil {
		if e.Data, err = json.Marshal(data); err != nil {
			return fmt.Errorf("journal %s: encode %s %s: %w", j.path, e.Kind, e.Key, err)
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	e.Seq = j.seq + 1
	line, err := encodeEvent(e)
	if err == nil {
		err = j.log.Append(line, sync)
	}
	if err == nil {
		j.seq++
	}
	return err
}

// Close closes the file; later Appends are errors.
func (j *Journal) Close() error { return j.log.Close() }
