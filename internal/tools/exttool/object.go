package exttool

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An object is a relocatable file that a tool has compiled, as assembly that makes the same file again.
// In that form it is part of a program's text, so that a built driver is compiled, linked with any
// build, kept and compared as every program is.
type object struct {
	text    string
	defined map[string]bool // global symbols
}

// readObject reads an object for x86-64. The symbol main is called driverMain in its text.
func readObject(data []byte) (o object, err error) {
	file, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return o, errors.New("it is no object file (ELF): leave what cc -c or ld -r makes")
	}
	defer file.Close()
	if file.Type != elf.ET_REL || file.Machine != elf.EM_X86_64 {
		return o, fmt.Errorf("it is %s for %s: leave the object that it is linked from (cc -c -fPIC; several become one with ld -r), which can be linked with every build", kindOf(file.Type), file.Machine)
	}
	a := &assembly{file: file}
	if a.symbols, err = file.Symbols(); err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return o, fmt.Errorf("its symbols: %w", err)
	}
	a.relocated = map[int][]*elf.Section{}
	for _, s := range file.Sections {
		switch {
		case s.Flags&elf.SHF_COMPRESSED != 0 && loaded(s) || s.Type == elf.SHT_REL:
			return o, fmt.Errorf("section %s is of a kind that objects for x86-64 do not have", s.Name)
		case s.Type == elf.SHT_RELA:
			a.relocated[int(s.Info)] = append(a.relocated[int(s.Info)], s)
		}
	}
	if err := a.groups(); err != nil {
		return o, err
	}
	o.defined = map[string]bool{}
	a.declare(o.defined)
	for i, s := range file.Sections {
		if loaded(s) {
			if err := a.section(i, s); err != nil {
				return o, fmt.Errorf("section %s: %w", s.Name, err)
			}
		}
	}
	if o.text = a.String(); len(o.text) > maxSourceBytes {
		return o, errTooLong
	}
	return o, nil
}

func kindOf(t elf.Type) string {
	switch t {
	case elf.ET_REL:
		return "an object"
	case elf.ET_EXEC, elf.ET_DYN:
		return "an executable or a shared object"
	}
	return t.String()
}

// loaded reports whether a section is part of the program: not what is for debuggers and linkers.
func loaded(s *elf.Section) bool {
	return s.Flags&elf.SHF_ALLOC != 0 && s.Name != ".note.gnu.property"
}

// An assembly is the text of an object.
type assembly struct {
	strings.Builder
	file      *elf.File
	symbols   []elf.Symbol           // from number 1 on
	comdat    map[int]string         // signature by section
	relocated map[int][]*elf.Section // sections of relocations by the section that they are for
}

// errTooLong keeps an object from becoming a program larger than any may be.
var errTooLong = fmt.Errorf("its code and data make more than the %d bytes that a program may have", maxSourceBytes)

// groups finds which sections belong to a group of which a program keeps one.
func (a *assembly) groups() error {
	a.comdat = map[int]string{}
	for _, s := range a.file.Sections {
		if s.Type != elf.SHT_GROUP {
			continue
		}
		if s.Size > maxSourceBytes {
			return errTooLong
		}
		words, err := s.Data()
		if err != nil || len(words)%4 != 0 || s.Info == 0 || int(s.Info) > len(a.symbols) {
			return errors.New("a section group is damaged")
		}
		for at := 4; at < len(words); at += 4 {
			a.comdat[int(binary.LittleEndian.Uint32(words[at:]))] = a.name(int(s.Info))
		}
	}
	return nil
}

// name is a symbol's name in the text.
func (a *assembly) name(n int) string {
	if name := a.symbols[n-1].Name; name != "main" {
		return name
	}
	return driverMain
}

// label is that of a section's begin.
func label(section int) string { return fmt.Sprintf(".Llisa_bench_%d", section) }

// place is what a symbol stands for in an expression: of a local one it is its place.
func (a *assembly) place(n int) (string, error) {
	if n == 0 {
		return "0", nil
	}
	if n > len(a.symbols) {
		return "", fmt.Errorf("there is no symbol %d", n)
	}
	s := a.symbols[n-1]
	if elf.ST_BIND(s.Info) != elf.STB_LOCAL {
		return fmt.Sprintf("%q", a.name(n)), nil
	}
	switch {
	case s.Section == elf.SHN_ABS:
		return fmt.Sprint(s.Value), nil
	case int(s.Section) >= len(a.file.Sections) || !loaded(a.file.Sections[s.Section]):
		return "", fmt.Errorf("symbol %q is in no section that is loaded", s.Name)
	}
	return fmt.Sprintf("%s+%d", label(int(s.Section)), s.Value), nil
}

// declare writes the global symbols with all that the linker and others know of them.
func (a *assembly) declare(defined map[string]bool) {
	for i, s := range a.symbols {
		bind := elf.ST_BIND(s.Info)
		if bind == elf.STB_LOCAL || s.Name == "" {
			continue
		}
		name := fmt.Sprintf("%q", a.name(i+1))
		directive := ".globl"
		if bind == elf.STB_WEAK {
			directive = ".weak"
		}
		fmt.Fprintf(a, "%s %s\n", directive, name)
		switch elf.ST_VISIBILITY(s.Other) {
		case elf.STV_HIDDEN, elf.STV_INTERNAL:
			fmt.Fprintf(a, ".hidden %s\n", name)
		case elf.STV_PROTECTED:
			fmt.Fprintf(a, ".protected %s\n", name)
		}
		if kind := symbolKinds[elf.ST_TYPE(s.Info)]; kind != "" {
			fmt.Fprintf(a, ".type %s,@%s\n", name, kind)
		}
		switch {
		case s.Section == elf.SHN_UNDEF:
			continue
		case s.Section == elf.SHN_COMMON:
			fmt.Fprintf(a, ".comm %s,%d,%d\n", name, s.Size, max(s.Value, 1))
		case s.Section == elf.SHN_ABS:
			fmt.Fprintf(a, ".set %s,%d\n", name, s.Value)
		case int(s.Section) < len(a.file.Sections) && loaded(a.file.Sections[s.Section]):
			fmt.Fprintf(a, ".set %s,%s+%d\n.size %[1]s,%[4]d\n", name, label(int(s.Section)), s.Value, s.Size)
		default:
			continue
		}
		defined[s.Name] = true
	}
}

var symbolKinds = map[elf.SymType]string{
	elf.STT_FUNC: "function", elf.STT_OBJECT: "object", elf.STT_TLS: "tls_object", elf.STT_GNU_IFUNC: "gnu_indirect_function", elf.STT_COMMON: "common",
}

// section writes one section: its bytes, and what the linker is to fill in.
func (a *assembly) section(i int, s *elf.Section) error {
	flags, kind := "a", "progbits"
	for _, f := range []struct {
		is   elf.SectionFlag
		mark string
	}{{elf.SHF_WRITE, "w"}, {elf.SHF_EXECINSTR, "x"}, {elf.SHF_TLS, "T"}} {
		if s.Flags&f.is != 0 {
			flags += f.mark
		}
	}
	switch s.Type {
	case elf.SHT_PROGBITS, elf.SHT_NOTE:
	case elf.SHT_NOBITS:
		kind = "nobits"
	case elf.SHT_INIT_ARRAY:
		kind = "init_array"
	case elf.SHT_FINI_ARRAY:
		kind = "fini_array"
	case elf.SHT_PREINIT_ARRAY:
		kind = "preinit_array"
	case 0x70000001: // SHT_X86_64_UNWIND
		kind = "unwind"
	default:
		return fmt.Errorf("of type %s, which a driver cannot have", s.Type)
	}
	group := ""
	if signature := a.comdat[i]; signature != "" {
		flags, group = flags+"G", fmt.Sprintf(",%q,comdat", signature)
	}
	fmt.Fprintf(a, ".section %q,%q,@%s%s,unique,%d\n.balign %d\n%s:\n", s.Name, flags, kind, group, i, max(s.Addralign, 1), label(i))
	if s.Type == elf.SHT_NOBITS {
		fmt.Fprintf(a, ".zero %d\n", s.Size)
		return nil
	}
	if s.Size > maxSourceBytes || a.Len() > maxSourceBytes {
		return errTooLong
	}
	data, err := s.Data()
	if err != nil {
		return err
	}
	whole := len(data) / 8 * 8
	for at := 0; at < whole; at += 8 {
		fmt.Fprintf(a, ".quad 0x%x\n", binary.LittleEndian.Uint64(data[at:]))
	}
	for _, b := range data[whole:] {
		fmt.Fprintf(a, ".byte %d\n", b)
	}
	return a.relocations(i)
}

// relocations writes those of a section.
func (a *assembly) relocations(section int) error {
	for _, s := range a.relocated[section] {
		if s.Size > maxSourceBytes {
			return errTooLong
		}
		data, err := s.Data()
		if err != nil {
			return err
		}
		var list []elf.Rela64
		for ; len(data) >= 24; data = data[24:] {
			word := func(at int) uint64 { return binary.LittleEndian.Uint64(data[at:]) }
			list = append(list, elf.Rela64{Off: word(0), Info: word(8), Addend: int64(word(16))})
		}
		slices.SortStableFunc(list, func(x, y elf.Rela64) int { return cmp.Compare(x.Off, y.Off) })
		for _, r := range list {
			to, err := a.place(int(elf.R_SYM64(r.Info)))
			if err != nil {
				return err
			}
			kind := elf.R_X86_64(elf.R_TYPE64(r.Info))
			if !strings.HasPrefix(kind.String(), "R_X86_64_") {
				return fmt.Errorf("relocation of an unknown type %d", kind)
			}
			fmt.Fprintf(a, ".reloc %s+%d,%s,%s%+d\n", label(section), r.Off, kind, to, r.Addend)
		}
	}
	return nil
}
