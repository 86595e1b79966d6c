package touched

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
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

// open reads the archive of a build, in the format of GNU ar.
func open(archive string) (*library, error) {
	const magic, header = "!<arch>\n", 60
	text, err := os.ReadFile(archive)
	if err != nil {
		return nil, err
	}
	lib := &library{map[string]*section{}, map[string][]*section{}, map[string]bool{}, map[string]int{}}
	left, ok := bytes.CutPrefix(text, []byte(magic))
	for ok && len(left) > 0 {
		size := -1
		if len(left) >= header {
			size, err = strconv.Atoi(strings.TrimSpace(string(left[48:58])))
		}
		if ok = err == nil && size >= 0 && header+size <= len(left); !ok {
			break
		}
		if !bytes.HasPrefix(left, []byte("/ ")) && !bytes.HasPrefix(left, []byte("//")) { // ar's own tables
			if err := lib.add(left[header : header+size]); err != nil {
				return nil, fmt.Errorf("%s: %w", archive, err)
			}
		}
		left = left[min(header+size+size%2, len(left)):]
	}
	if !ok {
		return nil, fmt.Errorf("%s is not an archive, or cut off", archive)
	}
	return lib, nil
}

// An object is one member of an archive.
type object struct {
	*elf.File
	symbols  []elf.Symbol // by their numbers
	sections []*section   // by their numbers; nil of what is not in memory, or is merged by the linker
}

// in returns the section of a symbol, or nil.
func (o *object) in(s elf.Symbol) *section {
	if s.Section == elf.SHN_UNDEF || int(s.Section) >= len(o.sections) {
		return nil
	}
	return o.sections[s.Section]
}

// add adds the sections of an object to the library.
func (lib *library) add(member []byte) error {
	f, err := elf.NewFile(bytes.NewReader(member))
	if err != nil {
		return err
	}
	symbols, err := f.Symbols()
	if err != nil {
		return err
	}
	o := &object{File: f, symbols: append(make([]elf.Symbol, 1), symbols...), sections: make([]*section, len(f.Sections))}
	source := ""
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) == elf.STT_FILE && source == "" {
			source = s.Name
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
		lib.define(o, s)
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
func (lib *library) define(o *object, s elf.Symbol) {
	in, kind := o.in(s), elf.ST_TYPE(s.Info)
	if in == nil || kind == elf.STT_SECTION || kind == elf.STT_FILE {
		return
	}
	if kind == elf.STT_GNU_IFUNC {
		in.kind = load
	}
	if strings.HasPrefix(s.Name, ".L") {
		return
	}
	in.defines = append(in.defines, s.Name)
	in.content = fmt.Appendf(in.content, "\n%s %d %d %d %d", s.Name, s.Info, s.Other, s.Value, s.Size)
	if elf.ST_BIND(s.Info) != elf.STB_LOCAL {
		lib.defined["="+s.Name] = append(lib.defined["="+s.Name], in)
		if v := elf.ST_VISIBILITY(s.Other); v == elf.STV_DEFAULT || v == elf.STV_PROTECTED {
			lib.exported[s.Name] = true
		}
	}
}

// relocate adds to a section what its relocations refer to.
func (o *object) relocate(in *section, rela *elf.Section) error {
	text, err := rela.Data()
	if err != nil {
		return err
	}
	var r elf.Rela64
	for all := bytes.NewReader(text); binary.Read(all, binary.LittleEndian, &r) == nil; {
		kind, number := elf.R_X86_64(elf.R_TYPE64(r.Info)), int(elf.R_SYM64(r.Info))
		if number >= len(o.symbols) {
			return fmt.Errorf("relocation of symbol %d of %d", number, len(o.symbols))
		}
		s := o.symbols[number]
		target, ref := "", ""
		switch of := o.in(s); {
		case elf.ST_BIND(s.Info) != elf.STB_LOCAL || s.Section == elf.SHN_UNDEF:
			ref = "=" + s.Name
			target = fmt.Sprintf("%s%+d", ref, r.Addend)
		case of != nil:
			ref = of.name
			target = fmt.Sprintf("%s%+d", ref, int64(s.Value)+r.Addend)
		case int(s.Section) < len(o.Sections):
			if target, err = literal(o.Sections[s.Section], int64(s.Value)+r.Addend, kind); err != nil {
				return err
			}
		}
		in.content = fmt.Appendf(in.content, "\n@%d %v %s", r.Off, kind, target)
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
