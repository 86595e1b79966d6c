package toolchain

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// The raw profile format of LLVM 19 (compiler-rt, InstrProfData.inc): a header of sixteen
// words, binary ids, one data record per function, counters, bitmaps, names, value data.
const (
	rawMagic      = 0xff6c70726f667281 // "\xfflprofr\x81" for 64 bits, as a little-endian word
	rawVersion    = 10
	rawVersionMax = 1<<56 - 1 // the bits above say how the program was instrumented
	rawHeaderSize = 16 * 8
	rawDataSize   = 64
)

// Words of the header.
const (
	wordMagic = iota
	wordVersion
	wordBinaryIDs
	wordNumData
	wordPadBeforeCounters
	wordNumCounters
)

// A RawProfile is a parsed .profraw file of one shared object.
type RawProfile struct {
	raw      []byte
	counters int // offset of the first
	n        int
}

// ParseRawProfile parses a .profraw of version 10 with 8-byte counters, and refuses any
// other: the layout changes between versions. It keeps raw, which must not be changed.
func ParseRawProfile(raw []byte) (*RawProfile, error) {
	if len(raw) < rawHeaderSize {
		return nil, fmt.Errorf("raw profile: %d bytes are too few for a header", len(raw))
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(raw[8*i:]) }
	if word(wordMagic) != rawMagic {
		return nil, errors.New("raw profile: not one of a 64-bit little-endian machine")
	}
	if v := word(wordVersion); v != rawVersion {
		return nil, fmt.Errorf("raw profile: version %d, variant %#x; only version %d of plain clang coverage (LLVM %d) is supported",
			v&rawVersionMax, v>>56, rawVersion, llvmMajor)
	}
	// Each term is checked before it is used, so that no sum can overflow.
	left, offset := uint64(len(raw)-rawHeaderSize), uint64(rawHeaderSize)
	take := func(what string, n, size uint64) error {
		if n > left/size {
			return fmt.Errorf("raw profile: truncated: %d %s in %d bytes", n, what, left)
		}
		left -= n * size
		offset += n * size
		return nil
	}
	err := take("bytes of binary ids", word(wordBinaryIDs), 1)
	if err == nil {
		err = take("data records", word(wordNumData), rawDataSize)
	}
	if err == nil {
		err = take("bytes of padding", word(wordPadBeforeCounters), 1)
	}
	start := offset
	if err == nil {
		err = take("counters", word(wordNumCounters), counterBytes)
	}
	if err != nil {
		return nil, err
	}
	return &RawProfile{raw: raw, counters: int(start), n: int(word(wordNumCounters))}, nil
}

// Counters returns a copy of the counters.
func (p *RawProfile) Counters() []uint64 {
	c := make([]uint64, p.n)
	for i := range c {
		c[i] = binary.LittleEndian.Uint64(p.raw[p.counters+i*counterBytes:])
	}
	return c
}

// withCounters returns a .profraw that differs only in its counters.
func (p *RawProfile) withCounters(counters []uint64) ([]byte, error) {
	if len(counters) != p.n {
		return nil, fmt.Errorf("raw profile: %d counters given for %d", len(counters), p.n)
	}
	raw := bytes.Clone(p.raw)
	for i, n := range counters {
		binary.LittleEndian.PutUint64(raw[p.counters+i*counterBytes:], n)
	}
	return raw, nil
}

// templateLoader loads a library and exits, so that the library's profile runtime writes
// the profile of a process that called nothing.
const templateLoader = `#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
    if (argc != 2) return 2;
    if (dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) == NULL) { fprintf(stderr, "%s\n", dlerror()); return 1; }
    return 0;
}
`

// ProfileTemplate makes the profile of a coverage build with all counters 0, into which
// ExportCoverage fills counters that were read from memory. It compiles a small program in
// work, an empty directory, and runs it; the library's constructors run in it.
func (t *Tools) ProfileTemplate(ctx context.Context, sharedLib, work string, log *CommandLog) (*RawProfile, error) {
	source, loader := filepath.Join(work, "loader.c"), filepath.Join(work, "loader")
	profile := filepath.Join(work, "template.profraw")
	if err := os.WriteFile(source, []byte(templateLoader), 0o666); err != nil {
		return nil, err
	}
	compile := Command{Args: []string{t.Clang.Path, "-O0", source, "-o", loader}, Log: log}
	if _, err := Run(ctx, compile); err != nil {
		return nil, err
	}
	load := Command{Args: []string{loader, sharedLib}, Env: append([]string{"LLVM_PROFILE_FILE=" + profile}, defaultEnv...), Log: log}
	if _, err := Run(ctx, load); err != nil {
		return nil, fmt.Errorf("load %s: %w", sharedLib, err)
	}
	raw, err := os.ReadFile(profile)
	if err != nil {
		return nil, fmt.Errorf("%s left no profile: %w", sharedLib, err)
	}
	p, err := ParseRawProfile(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sharedLib, err)
	}
	zero, err := p.withCounters(make([]uint64, p.n))
	if err != nil {
		return nil, err
	}
	return ParseRawProfile(zero)
}

// Bytes returns the profile as a .profraw file.
func (p *RawProfile) Bytes() []byte { return p.raw }
