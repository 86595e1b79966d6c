package results

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

// lines returns the bytes of a journal with n events.
func lines(t testing.TB, n int) [][]byte {
	t.Helper()
	var out [][]byte
	for i := range n {
		line, err := encodeEvent(Event{Seq: int64(i + 1), Elapsed: time.Second, Kind: "k", Key: fmt.Sprint(i), Data: []byte(`{"a":"},\"crc\""}`)})
		assert.NilError(t, err)
		out = append(out, line)
	}
	return out
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func TestScanJournal(t *testing.T) {
	l := lines(t, 3)
	flipped := bytes.Replace(l[1], []byte(`"key":"1"`), []byte(`"key":"7"`), 1)
	for _, tt := range []struct {
		name   string
		data   []byte
		events int
		line   int // of the damage, 0 for none
	}{
		{"empty", nil, 0, 0},
		{"whole", join(l...), 3, 0},
		{"last line torn", join(l[0], l[1], l[2][:20]), 2, 0},
		{"last line without its newline", join(l[0], l[1][:len(l[1])-1]), 1, 0},
		{"last line flipped", join(l[0], flipped), 1, 0},
		{"zeros at the end", join(l[0], make([]byte, 4096)), 1, 0},
		{"only a torn line", l[0][:9], 0, 0},
		{"middle line flipped", join(l[0], flipped, l[2]), 0, 2},
		{"middle line empty", join(l[0], []byte("\n"), l[1]), 0, 2},
		{"line missing", join(l[0], l[2], l[2]), 0, 2},
		{"line twice", join(l[0], l[0], l[1]), 0, 2},
		{"first line of another program", join([]byte(`{"seq":1}`+"\n"), l[1]), 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			events, size, err := scanJournal(bytes.NewReader(tt.data), "cells/x/events.jsonl")
			if tt.line > 0 {
				var damage *CorruptError
				assert.Assert(t, errors.As(err, &damage) && damage.Line == tt.line,
					"error = %v, want damage in line %d", err, tt.line)
				return
			}
			assert.Assert(t, err == nil && len(events) == tt.events,
				"%d events, error %v, want %d", len(events), err, tt.events)
			want := len(join(l[:tt.events]...))
			assert.Check(t, size == int64(want), "size %d, want %d", size, want)
		})
	}
}

func FuzzScanJournal(f *testing.F) {
	l := lines(f, 3)
	f.Add(join(l...))
	f.Add(join(l[0], l[1][:12]))
	f.Add([]byte("{}\n{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		events, size, err := scanJournal(bytes.NewReader(data), "j")
		if err != nil {
			return
		}
		assert.Assert(t, size <= int64(len(data)), "%d bytes of %d", size, len(data))
		again, sameSize, err := scanJournal(bytes.NewReader(data[:size]), "j")
		assert.Assert(t, err == nil && sameSize == size && len(again) == len(events),
			"what was kept reads as %d events of %d bytes (%v), not %d of %d", len(again), sameSize, err, len(events), size)
	})
}

func TestJournalGoesOnAfterATornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	l := lines(t, 2)
	assert.NilError(t, os.WriteFile(path, join(l[0], l[1][:30]), 0o644))
	j, events, err := openJournal(path)
	assert.Assert(t, err == nil && len(events) == 1, "%d events, %v", len(events), err)
	assert.NilError(t, j.Append("next", "", 0, map[string]int{"n": 1}))
	assert.NilError(t, j.Close())
	if err := j.Append("late", "", 0, nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("append after close: %v", err)
	}
	_, events, err = openJournal(path)
	assert.Assert(t, err == nil && len(events) == 2 && events[1].Kind == "next" && events[1].Seq == 2,
		"events %+v, %v", events, err)
}
