package results

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"strconv"
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

// A CorruptError says that a journal is damaged at a place where no crash of ours can have
// damaged it.
type CorruptError struct {
	Path   string
	Line   int // 1-based
	Reason string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s:%d: damaged journal: %s: move %s away to compute the cell again",
		e.Path, e.Line, e.Reason, filepath.Dir(e.Path))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// crcLen is the length of the end of a line, `,"crc":"01234567"}`.
const crcLen = len(`,"crc":"`) + 8 + len(`"}`)

func encodeEvent(e Event) ([]byte, error) {
	b, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	b = b[:len(b)-1]
	return fmt.Appendf(b, `,"crc":"%08x"}`+"\n", crc32.Checksum(b, castagnoli)), nil
}

// decodeEvent reads a line without its newline.
func decodeEvent(line []byte) (Event, error) {
	var e Event
	if len(line) < crcLen {
		return e, errors.New("too short")
	}
	body, tail := line[:len(line)-crcLen], line[len(line)-crcLen:]
	hex, ok := bytes.CutPrefix(tail, []byte(`,"crc":"`))
	if !ok || !bytes.HasSuffix(hex, []byte(`"}`)) {
		return e, errors.New("no checksum")
	}
	sum, err := strconv.ParseUint(string(hex[:8]), 16, 32)
	if err != nil {
		return e, errors.New("no checksum")
	}
	if uint32(sum) != crc32.Checksum(body, castagnoli) {
		return e, errors.New("checksum differs")
	}
	if err := json.Unmarshal(append(bytes.Clone(body), '}'), &e); err != nil {
		return e, err
	}
	return e, nil
}

// scanJournal reads all events of r, and the length in bytes of the lines that hold them.
// A damaged end, which a crash can leave, is left out.
func scanJournal(r io.Reader, path string) (events []Event, size int64, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return events, size, nil
		}
		if err != nil {
			return nil, 0, fmt.Errorf("read %s: %w", path, err)
		}
		e, err := decodeEvent(line[:len(line)-1])
		if err == nil && e.Seq != int64(n) {
			err = fmt.Errorf("event %d where %d belongs", e.Seq, n)
		}
		if err != nil {
			if whole(in) {
				return nil, 0, &CorruptError{Path: path, Line: n, Reason: err.Error()}
			}
			return events, size, nil
		}
		events = append(events, e)
		size += int64(len(line))
	}
}

// whole reports whether a line follows: a crash tears only the last one.
func whole(in *bufio.Reader) bool {
	_, err := in.ReadBytes('\n')
	return err == nil
}

// A Journal is the append-only log of a cell. What is appended survives the death of this
// process at once; it survives a power failure when Append returns, or with the next Append
// after AppendLoose. Safe for concurrent use.
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

// Append writes one event and syncs; data is encoded as JSON, nil leaves it out. A
// *DiskError leaves the journal whole, without the event.
func (j *Journal) Append(kind, key string, elapsed time.Duration, data any) error {
	return j.append(Event{Elapsed: elapsed, Kind: kind, Key: key}, data, true)
}

// AppendLoose writes an event that can be found out again, without the cost of a sync.
func (j *Journal) AppendLoose(kind, key string, elapsed time.Duration, data any) error {
	return j.append(Event{Elapsed: elapsed, Kind: kind, Key: key}, data, false)
}

func (j *Journal) append(e Event, data any, sync bool) error {
	if data != nil {
		raw, err := json.Marshal(data)
		if err != nil {
			return fmt.Errorf("journal %s: encode %s %s: %w", j.path, e.Kind, e.Key, err)
		}
		e.Data = raw
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	e.Seq = j.seq + 1
	line, err := encodeEvent(e)
	if err != nil {
		return fmt.Errorf("journal %s: encode %s %s: %w", j.path, e.Kind, e.Key, err)
	}
	if err := j.log.Append(line, sync); err != nil {
		return err
	}
	j.seq++
	return nil
}

// Close closes the file; later Appends are errors.
func (j *Journal) Close() error { return j.log.Close() }
