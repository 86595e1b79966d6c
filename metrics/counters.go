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
	err = errors.Join(binary.Write(w, binary.LittleEndian, counters), w.Close())
	return packed.Bytes(), err
}

// unpack returns the n counters of a build that were packed.
func unpack(packed []byte, n int) ([]uint64, error) {
	if len(packed) == 0 {
		return nil, nil
	}
	counters := make([]uint64, n)
	r := flate.NewReader(bytes.NewReader(packed))
	if err := binary.Read(r, binary.LittleEndian, counters); err != nil && n > 0 {
		return nil, fmt.Errorf("stored counters: %w", err)
	}
	if left, err := io.Copy(io.Discard, r); left > 0 || err != nil {
		return nil, errors.New("stored counters: not those of this build")
	}
	return counters, nil
}
