package touched

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
)

// An atom is a section of an object that is in memory when the library is: a function or a variable.
type atom struct {
	name    string // of the file, of the section, and a number among those of the same names
	exec    bool
	loads   bool     // holds what the dynamic linker calls when it loads or unloads the library
	defines []string // symbols, sorted as in the object
	content []byte   // all that distinguishes it from another, its targets by name
	refs    []string // targets: names of atoms, or "=" and a symbol of another object
}

// A global is a symbol that other objects can refer to.
type global struct {
	place    string // atom and offset
	kind     elf.SymType
	binding  elf.SymBind
	exported bool
	atom     *atom
}

// A library is the objects of one build.
type library struct {
	atoms   map[string]*atom
	globals map[string]global
}

// open reads the archive of a build.
func open(archive string) (*library, error) {
	data, err := os.ReadFile(archive)
	if err != nil {
		return nil, err
	}
	members, err := libbuild.Members(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", archive, err)
	}
	lib := &library{atoms: map[string]*atom{}, globals: map[string]global{}}
	files := map[string]int{}
	for i, member := range members {
		if err := lib.add(member, files); err != nil {
			return nil, fmt.Errorf("%s: member %d: %w", archive, i, err)
		}
	}
	return lib, nil
}

// An object is one member at work.
type object struct {
	*elf.File
	lib     *library
	symbols []elf.Symbol // by index of the symbol table
	data    [][]byte     // by section; nil of those that are not in memory
	atoms   []*atom      // by section
}

// add takes an object apart. files counts the files of the same name.
func (lib *library) add(member []byte, files map[string]int) error {
	f, err := elf.NewFile(bytes.NewReader(member))
	if err != nil {
		return err
	}
	if f.Type != elf.ET_REL || f.Machine != elf.EM_X86_64 {
		return fmt.Errorf("%v for %v, not an object for x86-64", f.Type, f.Machine)
	}
	symbols, err := f.Symbols()
	if err != nil {
		return err
	}
	o := &object{File: f, lib: lib, symbols: append([]elf.Symbol{{}}, symbols...),
		data: make([][]byte, len(f.Sections)), atoms: make([]*atom, len(f.Sections))}
	file := ""
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) == elf.STT_FILE {
			file = s.Name
			break
		}
	}
	files[file]++
	if err := o.sections(fmt.Sprintf("%s#%d", file, files[file])); err != nil {
		return err
	}
	o.define()
	for i, s := range f.Sections {
		if s.Type != elf.SHT_RELA || int(s.Info) >= len(o.atoms) {
			continue
		}
		target := o.atoms[s.Info]
		if f.Sections[s.Info].Type == unwindType || f.Sections[s.Info].Name == ".eh_frame" {
			err = o.unwinding(s)
		} else if target != nil {
			err = o.relocate(s, target)
		}
		if err != nil {
			return fmt.Errorf("section %d: %w", i, err)
		}
	}
	return nil
}

// unwindType is SHT_X86_64_UNWIND, the type of .eh_frame.
const unwindType = 0x70000001

// sections makes an atom of each section that is in memory.
func (o *object) sections(file string) error {
	same := map[string]int{}
	for i, s := range o.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Type == unwindType || s.Name == ".eh_frame" || s.Type == elf.SHT_NOTE {
			continue
		}
		if s.Type != elf.SHT_NOBITS {
			data, err := s.Data()
			if err != nil {
				return err
			}
			o.data[i] = data
		}
		same[s.Name]++
		if s.Flags&elf.SHF_MERGE != 0 { // has no identity: who refers to it refers to a content
			continue
		}
		a := &atom{name: fmt.Sprintf("%s %s#%d", file, s.Name, same[s.Name]), exec: s.Flags&elf.SHF_EXECINSTR != 0}
		switch s.Type {
		case elf.SHT_INIT_ARRAY, elf.SHT_FINI_ARRAY, elf.SHT_PREINIT_ARRAY:
			a.loads = true
		}
		a.loads = a.loads || strings.HasPrefix(s.Name, ".ctors") || strings.HasPrefix(s.Name, ".dtors") ||
			strings.HasPrefix(s.Name, ".init") || strings.HasPrefix(s.Name, ".fini")
		a.content = fmt.Appendf(nil, "%v %v %d %d\n", s.Type, s.Flags&^elf.SHF_GROUP, s.Addralign, s.Size)
		a.content = append(a.content, o.data[i]...)
		o.atoms[i] = a
		o.lib.atoms[a.name] = a
	}
	return nil
}

// define gives the atoms and the library their symbols.
func (o *object) define() {
	for _, s := range o.symbols {
		kind, binding := elf.ST_TYPE(s.Info), elf.ST_BIND(s.Info)
		if kind == elf.STT_SECTION || kind == elf.STT_FILE || s.Section == elf.SHN_UNDEF || s.Name == "" {
			continue
		}
		var at *atom
		place := fmt.Sprintf("%v %d", s.Section, s.Value)
		if int(s.Section) < len(o.atoms) && o.atoms[s.Section] != nil {
			at = o.atoms[s.Section]
			place = fmt.Sprintf("%s %d", at.name, s.Value)
			if !strings.HasPrefix(s.Name, ".L") {
				at.defines = append(at.defines, s.Name)
				at.content = fmt.Appendf(at.content, "\n%s %d %d %d %d", s.Name, s.Info, s.Other, s.Value, s.Size)
			}
			if kind == elf.STT_GNU_IFUNC {
				at.loads = true
			}
		}
		if binding == elf.STB_LOCAL {
			continue
		}
		if _, known := o.lib.globals[s.Name]; known && binding == elf.STB_WEAK {
			continue // the linker keeps the first
		}
		vis := elf.ST_VISIBILITY(s.Other)
		o.lib.globals[s.Name] = global{place: place, kind: kind, binding: binding, atom: at,
			exported: vis == elf.STV_DEFAULT || vis == elf.STV_PROTECTED}
	}
}

// relaSize is the size of an Elf64_Rela.
const relaSize = 24

// A relocation is one of a section, as it is in the object.
type relocation struct {
	offset uint64
	kind   elf.R_X86_64
	symbol uint32
	addend int64
}

func (o *object) relocations(s *elf.Section) ([]relocation, error) {
	data, err := s.Data()
	if err != nil {
		return nil, err
	}
	var list []relocation
	for ; len(data) >= relaSize; data = data[relaSize:] {
		info := binary.LittleEndian.Uint64(data[8:])
		r := relocation{binary.LittleEndian.Uint64(data), elf.R_X86_64(uint32(info)), uint32(info >> 32), int64(binary.LittleEndian.Uint64(data[16:]))}
		if int(r.symbol) >= len(o.symbols) {
			return nil, fmt.Errorf("relocation of symbol %d of %d", r.symbol, len(o.symbols))
		}
		list = append(list, r)
	}
	return list, nil
}

// relocate adds the relocations of a section to its atom.
func (o *object) relocate(s *elf.Section, a *atom) error {
	list, err := o.relocations(s)
	if err != nil {
		return err
	}
	for _, r := range list {
		text, ref := o.target(r)
		a.content = fmt.Appendf(a.content, "\n@%d %v %s", r.offset, r.kind, text)
		if ref != "" {
			a.refs = append(a.refs, ref)
		}
	}
	return nil
}

// target describes what a relocation refers to, and returns the atom or symbol; "" for a content.
func (o *object) target(r relocation) (text, ref string) {
	s := o.symbols[r.symbol]
	if elf.ST_BIND(s.Info) != elf.STB_LOCAL || s.Section == elf.SHN_UNDEF {
		ref = "=" + s.Name
		return fmt.Sprintf("%s%+d", ref, r.addend), ref
	}
	if int(s.Section) >= len(o.atoms) {
		return fmt.Sprintf("%v %d%+d", s.Section, s.Value, r.addend), ""
	}
	if a := o.atoms[s.Section]; a != nil {
		return fmt.Sprintf("%s %d", a.name, int64(s.Value)+r.addend), a.name
	}
	return o.merged(r, s), ""
}

// merged is the content that a reference to a section of strings or constants has. An operand
// relative to the next instruction has an addend of -4, or less if a constant of up to 4 bytes
// follows it. All that can be meant is compared.
func (o *object) merged(r relocation, s elf.Symbol) string {
	section, data := o.Sections[s.Section], o.data[s.Section]
	from := int64(s.Value) + r.addend
	to := from
	switch r.kind {
	case elf.R_X86_64_PC32, elf.R_X86_64_PLT32, elf.R_X86_64_GOTPCREL, elf.R_X86_64_GOTPCRELX, elf.R_X86_64_REX_GOTPCRELX:
		from, to = from+4, to+8
		if elf.ST_TYPE(s.Info) != elf.STT_SECTION && r.addend == -4 {
			to = from // a symbol, and nothing that follows
		}
	}
	if from < 0 || to >= int64(len(data)) || section.Entsize == 0 {
		return fmt.Sprintf("%d in %q", from, data)
	}
	if section.Flags&elf.SHF_STRINGS != 0 {
		return fmt.Sprintf("%d %d %q", section.Entsize, to-from, stringsAt(data, int(from), int(to), int(section.Entsize)))
	}
	size := int64(section.Entsize)
	start, end := from/size*size, (to/size+1)*size
	return fmt.Sprintf("%d %d %q", from-start, to-from, data[start:min(end, int64(len(data)))])
}

// stringsAt returns the strings of elements of the given size from the one at from to the one at to.
func stringsAt(data []byte, from, to, size int) []byte {
	for end := from; ; end += size {
		if end+size > len(data) {
			return data[from:]
		}
		if end >= to && bytes.Count(data[end:end+size], []byte{0}) == size {
			return data[from : end+size]
		}
	}
}
