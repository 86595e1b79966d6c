package touched

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// A section is what a function or a variable is compiled to.
type section struct {
	name    string // of the object, of the section, and a number among those of the same names
	kind    kind
	size    uint64
	content []byte   // its bytes, symbols and relocations: equal in sections that do the same
	defines []string // symbols
	refs    []string // what it refers to: the names of sections, or "=" and a symbol of any object
}

// A kind says who can notice that a section differs.
type kind int

const (
	data kind = iota // who refers to it
	code             // who executes it
	load             // everybody: the dynamic linker runs it, or what it refers to
)

// A library is the objects of one build.
type library struct {
	sections map[string]*section
	defined  map[string][]*section // by "=" and the symbol that other objects can refer to
	exported map[string]bool       // symbols that tests can refer to
	objects  map[string]int        // of each source file's name
}

// open reads the archive of a build.
func open(archive string) (*library, error) {
	text, err := os.ReadFile(archive)
	if err != nil {
		return nil, err
	}
	members, err := members(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", archive, err)
	}
	lib := &library{map[string]*section{}, map[string][]*section{}, map[string]bool{}, map[string]int{}}
	for i, m := range members {
		if err := lib.add(m); err != nil {
			return nil, fmt.Errorf("%s: member %d: %w", archive, i, err)
		}
	}
	return lib, nil
}

// members returns the files of an archive in the format of GNU ar, without its own tables.
func members(archive []byte) (all [][]byte, err error) {
	const magic, header = "!<arch>\n", 60
	left, ok := bytes.CutPrefix(archive, []byte(magic))
	if !ok {
		return nil, errors.New("not an archive")
	}
	for len(left) > 0 {
		if len(left) < header {
			return nil, errors.New("the archive is cut off")
		}
		name := strings.TrimRight(string(left[:16]), " ")
		size, err := strconv.Atoi(strings.TrimSpace(string(left[48:58])))
		left = left[header:]
		if err != nil || size < 0 || size > len(left) {
			return nil, fmt.Errorf("member %q of the archive has no size", name)
		}
		if name != "/" && name != "//" && name != "/SYM64/" {
			all = append(all, left[:size])
		}
		left = left[min(size+size%2, len(left)):]
	}
	return all, nil
}

// An object is one member of an archive.
type object struct {
	*elf.File
	symbols  []elf.Symbol // by their numbers
	sections []*section   // by their numbers; nil of what is not in memory, or is merged by the linker
}

// add adds the sections of an object to the library.
func (lib *library) add(member []byte) error {
	f, err := elf.NewFile(bytes.NewReader(member))
	if err != nil {
		return err
	}
	if f.Type != elf.ET_REL || f.Machine != elf.EM_X86_64 {
		return fmt.Errorf("%v for %v, not an object for x86-64", f.Type, f.Machine)
	}
	o := &object{File: f, symbols: make([]elf.Symbol, 1), sections: make([]*section, len(f.Sections))}
	symbols, err := f.Symbols()
	if err != nil {
		return err
	}
	o.symbols = append(o.symbols, symbols...)
	source := ""
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) == elf.STT_FILE {
			source = s.Name
			break
		}
	}
	lib.objects[source]++
	for i, s := range f.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Flags&elf.SHF_MERGE != 0 || s.Type == elf.SHT_NOTE || s.Name == ".eh_frame" {
			continue // how the stack is unwound through a function follows from its code and its exception table
		}
		if o.sections[i], err = lib.section(fmt.Sprintf("%s#%d", source, lib.objects[source]), s); err != nil {
			return err
		}
	}
	for _, s := range symbols {
		if err := lib.define(o, s); err != nil {
			return err
		}
	}
	for _, s := range f.Sections {
		if s.Type == elf.SHT_RELA && o.sections[s.Info] != nil {
			if err := o.relocate(o.sections[s.Info], s); err != nil {
				return err
			}
		}
	}
	return nil
}

// section adds a section without its symbols and relocations.
func (lib *library) section(object string, s *elf.Section) (*section, error) {
	new := &section{size: s.Size, content: fmt.Appendf(nil, "%v %v %d %d\n", s.Type, s.Flags&^elf.SHF_GROUP, s.Addralign, s.Size)}
	for n := 1; new.name == "" || lib.sections[new.name] != nil; n++ {
		new.name = fmt.Sprintf("%s %s#%d", object, s.Name, n)
	}
	lib.sections[new.name] = new
	if s.Flags&elf.SHF_EXECINSTR != 0 {
		new.kind = code
	}
	if function, ok := strings.CutPrefix(s.Name, ".gcc_except_table."); ok { // is a part of it
		new.kind, new.defines = code, []string{function}
	}
	for _, prefix := range []string{".init", ".fini", ".preinit", ".ctors", ".dtors"} {
		if strings.HasPrefix(s.Name, prefix) {
			new.kind = load
		}
	}
	if s.Type == elf.SHT_NOBITS {
		return new, nil
	}
	bytes, err := s.Data()
	new.content = append(new.content, bytes...)
	return new, err
}

// define gives a symbol to its section and to the library.
func (lib *library) define(o *object, s elf.Symbol) error {
	kind, visibility := elf.ST_TYPE(s.Info), elf.ST_VISIBILITY(s.Other)
	local := elf.ST_BIND(s.Info) == elf.STB_LOCAL || strings.HasPrefix(s.Name, ".L")
	switch {
	case s.Section == elf.SHN_UNDEF || kind == elf.STT_SECTION || kind == elf.STT_FILE:
		return nil
	case int(s.Section) >= len(o.sections) || o.sections[s.Section] == nil:
		if local {
			return nil
		}
		return fmt.Errorf("symbol %s is in no section that can be compared", s.Name)
	}
	in := o.sections[s.Section]
	if kind == elf.STT_GNU_IFUNC {
		in.kind = load
	}
	if strings.HasPrefix(s.Name, ".L") {
		return nil
	}
	in.defines = append(in.defines, s.Name)
	in.content = fmt.Appendf(in.content, "\n%s %d %d %d %d", s.Name, s.Info, s.Other, s.Value, s.Size)
	if !local {
		lib.defined["="+s.Name] = append(lib.defined["="+s.Name], in)
		if visibility == elf.STV_DEFAULT || visibility == elf.STV_PROTECTED {
			lib.exported[s.Name] = true
		}
	}
	return nil
}

// relocate adds to a section what its relocations refer to.
func (o *object) relocate(in *section, rela *elf.Section) error {
	text, err := rela.Data()
	if err != nil {
		return err
	}
	const size = 24 // of an Elf64_Rela
	for ; len(text) >= size; text = text[size:] {
		info, addend := binary.LittleEndian.Uint64(text[8:]), int64(binary.LittleEndian.Uint64(text[16:]))
		offset, kind, symbol := binary.LittleEndian.Uint64(text), elf.R_X86_64(uint32(info)), int(info>>32)
		if symbol >= len(o.symbols) {
			return fmt.Errorf("relocation of symbol %d of %d", symbol, len(o.symbols))
		}
		s := o.symbols[symbol]
		target, ref := "", ""
		switch {
		case elf.ST_BIND(s.Info) != elf.STB_LOCAL || s.Section == elf.SHN_UNDEF:
			ref = "=" + s.Name
			target = fmt.Sprintf("%s%+d", ref, addend)
		case int(s.Section) < len(o.sections) && o.sections[s.Section] != nil:
			ref = o.sections[s.Section].name
			target = fmt.Sprintf("%s%+d", ref, int64(s.Value)+addend)
		case int(s.Section) < len(o.Sections):
			if target, err = literal(o.Sections[s.Section], int64(s.Value)+addend, kind); err != nil {
				return err
			}
		}
		in.content = fmt.Appendf(in.content, "\n@%d %v %s", offset, kind, target)
		if ref != "" && ref != in.name {
			in.refs = append(in.refs, ref)
		}
	}
	return nil
}

// literal is what a reference into a section of strings or constants may mean. The linker merges those, so that a
// content is meant and not a place. An operand that is relative to the next instruction has an addend of -4, or down
// to -8 if a constant follows it in the instruction: all that may be meant is compared.
func literal(s *elf.Section, at int64, kind elf.R_X86_64) (string, error) {
	text, err := s.Data()
	if err != nil {
		return "", err
	}
	from, to, size, end := at, at, int64(s.Entsize), int64(len(text))
	if kind != elf.R_X86_64_64 {
		from, to = at+4, at+8
	}
	switch {
	case from < 0 || to >= end || size == 0:
		from = 0
	case s.Flags&elf.SHF_STRINGS == 0:
		from, end = from-from%size, min(to-to%size+size, end)
	case size == 1:
		end = to + int64(bytes.IndexByte(text[to:], 0)) + 1
	}
	return fmt.Sprintf("%d in %q", at-from, text[from:end]), nil
}
