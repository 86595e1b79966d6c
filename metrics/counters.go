package metrics

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// pack writes counters in few bytes: most are 0.
func pack(counters []uint64) ([]byte, error) {
	if counters == nil {
		return nil, nil
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	last := 0
	var pair []byte
	for i, n := range counters {
		if n != 0 {
			pair = binary.AppendUvarint(binary.AppendUvarint(pair[:0], uint64(i-last)), n)
			if _, err := w.Write(pair); err != nil {
				return nil, err
			}
			last = i
		}
	}
	err = w.Close()
	return packed.Bytes(), err
}

// unpack returns the n counters of a build that were packed.
func unpack(packed []byte, n int) ([]uint64, error) {
	if len(packed) == 0 {
		return nil, nil
	}
	raw, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), int64(n)*2*binary.MaxVarintLen64))
	if err != nil {
		return nil, fmt.Errorf("stored counters: %w", err)
	}
	counters := make([]uint64, n)
	for at := 0; len(raw) > 0; {
		gap, a := binary.Uvarint(raw)
		count, b := binary.Uvarint(raw[max(a, 0):])
		if a <= 0 || b <= 0 || gap >= uint64(n-at) {
			return nil, errors.New("stored counters: not those of this build")
		}
		at += int(gap)
		counters[at] = count
		raw = raw[a+b:]
	}
	return counters, nil
}
