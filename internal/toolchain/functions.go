package toolchain

import (
	"bytes"
	"compress/zlib"
	"crypto/md5"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Further words of the raw profile's header; see profile.go.
const (
	wordPadAfterCounters = iota + 6
	wordBitmapBytes
	wordPadAfterBitmap
	wordNamesSize
	wordCountersDelta
)

// A ProfiledFunction is a function with coverage counters.
type ProfiledFunction struct {
	// Name is the function's symbol, without the file of one that is local to it.
	Name string
	// Entry is the index of the counter of its entries, among those of the whole library; the others follow.
	Entry int
	// Counters is how many it has.
	Counters int
}

// Functions returns the functions that have counters, in the order of the profile.
func (p *RawProfile) Functions() ([]ProfiledFunction, error) {
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(p.raw[8*i:]) }
	names, err := p.names()
	if err != nil {
		return nil, err
	}
	records := rawHeaderSize + int(word(wordBinaryIDs))
	list := make([]ProfiledFunction, word(wordNumData))
	for i := range list {
		record := p.raw[records+i*rawDataSize:]
		name, known := names[binary.LittleEndian.Uint64(record)] // by its hash
		if !known {
			return nil, fmt.Errorf("raw profile: function %d has no name", i)
		}
		// The record says how far its counters are from itself, the header how far the first counter
		// is from the first record.
		at := int64(binary.LittleEndian.Uint64(record[16:])) - int64(word(wordCountersDelta)) + int64(i*rawDataSize)
		n := int64(binary.LittleEndian.Uint32(record[48:]))
		if at < 0 || at%counterBytes != 0 || n < 1 || at/counterBytes+n > int64(p.n) {
			return nil, fmt.Errorf("raw profile: function %s has %d counters at %d of %d", name, n, at, p.n)
		}
		if i := strings.LastIndexAny(name, ":;"); i >= 0 { // "file:symbol"; a symbol has neither
			name = name[i+1:]
		}
		list[i] = ProfiledFunction{name, int(at / counterBytes), int(n)}
	}
	return list, nil
}

// names returns the names of all functions by the first half of their MD5.
func (p *RawProfile) names() (map[uint64]string, error) {
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(p.raw[8*i:]) }
	var bad = errors.New("raw profile: the names of functions cannot be read")
	left := p.raw[p.counters+p.n*counterBytes:]
	for _, n := range []uint64{word(wordPadAfterCounters), word(wordBitmapBytes), word(wordPadAfterBitmap)} {
		if n > uint64(len(left)) {
			return nil, bad
		}
		left = left[n:]
	}
	if word(wordNamesSize) > uint64(len(left)) {
		return nil, bad
	}
	left = left[:word(wordNamesSize)]
	names := map[uint64]string{}
	for {
		left = bytes.TrimLeft(left, "\x00") // between the blocks of two objects
		if len(left) == 0 {
			return names, nil
		}
		// Each object has a block: its size, its compressed size or 0, and the names.
		size, a := binary.Uvarint(left)
		packed, b := binary.Uvarint(left[max(a, 0):])
		if a <= 0 || b <= 0 {
			return nil, bad
		}
		left = left[a+b:]
		stored := size
		if packed > 0 {
			stored = packed
		}
		if stored > uint64(len(left)) {
			return nil, bad
		}
		block := left[:stored]
		left = left[stored:]
		if packed > 0 {
			r, err := zlib.NewReader(bytes.NewReader(block))
			if err != nil {
				return nil, fmt.Errorf("%w: %w", bad, err)
			}
			if block, err = io.ReadAll(io.LimitReader(r, int64(size))); err != nil {
				return nil, fmt.Errorf("%w: %w", bad, err)
			}
		}
		for name := range strings.SplitSeq(string(block), "\x01") {
			sum := md5.Sum([]byte(name))
			names[binary.LittleEndian.Uint64(sum[:])] = name
		}
	}
}
