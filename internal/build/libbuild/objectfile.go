package libbuild

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Members returns the files of an archive in the format of GNU ar, in order, without its own tables. They
// are parts of archive, not copies. An error says where an archive is damaged.
func Members(archive []byte) ([][]byte, error) {
	const magic, header = "!<arch>\n", 60
	if !bytes.HasPrefix(archive, []byte(magic)) {
		return nil, fmt.Errorf("not an archive")
	}
	var all [][]byte
	for at := len(magic); at < len(archive); {
		if at+header > len(archive) {
			return nil, fmt.Errorf("archive: truncated at %d", at)
		}
		name := strings.TrimRight(string(archive[at:at+16]), " ")
		size, err := strconv.Atoi(strings.TrimSpace(string(archive[at+48 : at+58])))
		at += header
		if err != nil || size < 0 || size > len(archive)-at {
			return nil, fmt.Errorf("archive: member %q has no size", name)
		}
		if name != "/" && name != "//" && name != "/SYM64/" {
			all = append(all, archive[at:at+size])
		}
		at += size + size%2
	}
	return all, nil
}

// sameCode reports whether two objects have the same sections, but for those that say where the code
// stands in its source.
func sameCode(a, b []byte) bool {
	return bytes.Equal(a, b) || slices.Equal(codeOf(a), codeOf(b))
}

// codeOf returns the names and contents of an object's sections without debugging information and
// symbols' names; what is no object is its own content.
func codeOf(object []byte) (parts []string) {
	f, err := elf.NewFile(bytes.NewReader(object))
	if err != nil {
		return []string{string(object)}
	}
	defer f.Close()
	for _, s := range f.Sections {
		if strings.Contains(s.Name, ".debug") || s.Type == elf.SHT_STRTAB || s.Type == elf.SHT_SYMTAB || s.Type == elf.SHT_NULL {
			continue
		}
		if s.Type == elf.SHT_RELA {
			parts = append(parts, s.Name, fmt.Sprint(relocations(f, s)))
		} else if data, err := s.Data(); err == nil {
			parts = append(parts, s.Name, string(data))
		} else {
			parts = append(parts, s.Name, fmt.Sprint(s.Size)) // .bss
		}
	}
	return parts
}

// relocations returns a section's relocations with the names of their symbols, or sections, for
// their numbers.
func relocations(f *elf.File, s *elf.Section) (list []string) {
	data, err := s.Data()
	symbols, symbolsErr := f.Symbols()
	if err != nil || symbolsErr != nil {
		return []string{fmt.Sprint(err, symbolsErr)}
	}
	const size = 24 // Elf64_Rela
	for ; len(data) >= size; data = data[size:] {
		info, name := binary.LittleEndian.Uint64(data[8:]), ""
		if n := int(info >> 32); n > 0 && n <= len(symbols) {
			sym := symbols[n-1]
			if name = sym.Name; name == "" && int(sym.Section) < len(f.Sections) {
				name = f.Sections[sym.Section].Name
			}
		}
		list = append(list, fmt.Sprint(binary.LittleEndian.Uint64(data), uint32(info), name, binary.LittleEndian.Uint64(data[16:])))
	}
	return list
}

// Offsets in a 64-bit ELF header, section header and symbol (elf(5)).
const (
	sectionsOffset   = 0x28
	sectionHeader    = 64
	sectionSizeField = 32
	symbolBytes      = 24
	symbolSizeField  = 16
)

// fillIn returns a copy of a disguised object with other junk, probes and sizes of functions.
func fillIn(object []byte, m marks, rng *rand.Rand) ([]byte, error) {
	out := bytes.Clone(object)
	junk := binary.LittleEndian.AppendUint64(nil, m.junk)
	for at := range occurrences(out, junk) {
		binary.LittleEndian.PutUint64(out[at:], rng.Uint64())
	}
	probe := binary.LittleEndian.AppendUint32([]byte{0xc6, 0x84, 0x24}, m.probe)
	for at := range occurrences(out, probe) {
		below := nearestProbe + rng.IntN(farthestProbe-nearestProbe)
		binary.LittleEndian.PutUint32(out[at+3:], uint32(-int32(below)))
	}
	f, err := elf.NewFile(bytes.NewReader(out))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	table := f.SectionByType(elf.SHT_SYMTAB)
	if table == nil {
		return out, nil
	}
	for at := table.Offset; at+symbolBytes <= table.Offset+table.FileSize; at += symbolBytes {
		if elf.ST_TYPE(out[at+4]) == elf.STT_FUNC {
			binary.LittleEndian.PutUint64(out[at+symbolSizeField:], 1+rng.Uint64N(4096))
		}
	}
	return out, nil
}

// occurrences yields where pattern stands in data, one after the other. What was found may be overwritten.
func occurrences(data, pattern []byte) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; ; at += len(pattern) {
			i := bytes.Index(data[at:], pattern)
			if at += i; i < 0 || !yield(at) {
				return
			}
		}
	}
}

// paddingSource has sections of up to paddingBytes that nothing refers to.
func paddingSource() string {
	var b strings.Builder
	for _, kind := range []struct {
		name, flags string
		n           int
	}{{".text", `"ax",@progbits`, 12}, {".rodata", `"a",@progbits`, 4}, {".data", `"aw",@progbits`, 2}, {".bss", `"aw",@nobits`, 2}} {
		for i := range kind.n {
			fmt.Fprintf(&b, "\t.section\t%s.padding%d,%s\n\t.zero\t%d\n", kind.name, i, kind.flags, paddingBytes)
		}
	}
	return b.String() + "\t.section\t.note.GNU-stack,\"\",@progbits\n"
}

const paddingBytes = 2048

// pad returns a copy of the object of paddingSource with sections of other sizes, full of junk.
func pad(object []byte, rng *rand.Rand) ([]byte, error) {
	out := bytes.Clone(object)
	f, err := elf.NewFile(bytes.NewReader(out))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	first := binary.LittleEndian.Uint64(out[sectionsOffset:])
	for i, s := range f.Sections {
		if !strings.Contains(s.Name, ".padding") {
			continue
		}
		if s.Type == elf.SHT_PROGBITS {
			for k := range s.FileSize {
				out[s.Offset+k] = byte(rng.Uint32())
			}
		}
		size := 1 + rng.Uint64N(paddingBytes)
		binary.LittleEndian.PutUint64(out[first+uint64(i)*sectionHeader+sectionSizeField:], size)
	}
	return out, nil
}
