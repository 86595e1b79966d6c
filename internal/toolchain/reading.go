package toolchain

import (
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/bounded"
	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// readingSuffix is what the plugin appends to an input's name for its reading.
const readingSuffix = ".cprog"

func readingPath(dir string, u Unit) string { return filepath.Join(dir, u.File()+readingSuffix) }

// maxReading is the most that one reading may have, in bytes. The plugin gives up earlier.
const maxReading = 64 << 20

// readingOf returns what the plugin wrote of a unit; nil if it is too large.
func readingOf(dir string, u Unit) ([]byte, error) {
	text, err := bounded.ReadFile(readingPath(dir, u), maxReading)
	var refused *bounded.Error
	if errors.As(err, &refused) {
		return nil, nil
	}
	return text, err
}

// decoding decodes a reading, once; nil is that of a unit that is too large to be read.
func decoding(text []byte) func() (*cprog.Program, error) {
	return sync.OnceValues(func() (*cprog.Program, error) {
		if text == nil {
			return &cprog.Program{Unreadable: true}, nil
		}
		return cprog.Decode(text)
	})
}

// maxReadings bounds the readings that a compiler remembers, in bytes. A program in C is 50 kB.
const maxReadings = 64 << 20

// readings remembers the readings of programs that were compiled over a precompiled preamble, by that and their text:
// what they include is in the preamble's name. It begins anew when it is full.
type readings struct {
	mu    sync.Mutex
	known map[string][]byte
	size  int
}

func (r *readings) add(key string, text []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known[key] != nil {
		return
	}
	if r.size += len(text); r.known == nil || r.size > maxReadings {
		r.known, r.size = map[string][]byte{}, len(text)
	}
	r.known[key] = text
}

// get returns a reading, nil for one that is not remembered.
func (r *readings) get(key string) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.known[key]
}

func readingKey(p *pch, u Unit) string { return digest(p.File, string(u.Lang), u.Source) }

// recall settles the units whose readings are known, if these are all that is wanted, and returns
// the others.
func (b *batcher) recall(p *pch, units []int) (open []int) {
	if !b.read {
		return units
	}
	for _, i := range units {
		text := b.readings.get(readingKey(p, b.units[i]))
		if text == nil {
			open = append(open, i)
			continue
		}
		b.results[i] = Compiled{ID: b.units[i].ID, OK: true, reading: decoding(text)}
	}
	return open
}

// keep takes the readings of the units of a batch that compile.
func (b *batcher) keep(p *pch, units []int) error {
	for _, i := range units {
		u := b.units[i]
		if !b.results[i].OK {
			continue
		}
		text, err := readingOf(b.dir, u)
		if err != nil {
			return err
		}
		b.results[i].reading = decoding(text)
		if text == nil {
			continue
		}
		b.readings.add(readingKey(p, u), text)
	}
	for _, i := range units {
		if err := os.RemoveAll(readingPath(b.dir, b.units[i])); err != nil {
			return err
		}
	}
	return nil
}
