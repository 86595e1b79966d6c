package trial

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// A Seed is the single number from which every random choice of a cell is made.
type Seed uint64

// Stream returns the random stream of that name. Streams of different names are
// independent, so that drawing more from one never shifts another.
func (s Seed) Stream(name string) *rand.Rand {
	return rand.New(rand.NewChaCha8(s.digest(name)))
}

// Derive returns the seed of a named part, for parts that have streams of their own.
func (s Seed) Derive(name string) Seed {
	d := s.digest(name)
	return Seed(binary.LittleEndian.Uint64(d[:8]))
}

func (s Seed) digest(name string) [32]byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(s))
	return sha256.Sum256(append(b, name...))
}
