package touched

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// unwinding adds to each function how the stack is unwound through it. That is its entry of .eh_frame with
// the entry that it shares with others (Linux Standard Base Core, chapter "Exception Frames"). The
// table of its exception handlers is an atom of its own, to which the entry refers.
func (o *object) unwinding(rela *elf.Section) error {
	data, err := o.Sections[rela.Info].Data()
	if err != nil {
		return err
	}
	relocations, err := o.relocations(rela)
	if err != nil {
		return err
	}
	slices.SortFunc(relocations, func(a, b relocation) int { return cmp.Compare(a.offset, b.offset) })
	first := func(at int) int { // relocation from that offset on
		i, _ := slices.BinarySearchFunc(relocations, at, func(r relocation, at int) int { return cmp.Compare(r.offset, uint64(at)) })
		return i
	}
	within := func(from, to int) []relocation { return relocations[first(from):first(to)] }
	describe := func(from, to int, list []relocation) (text []byte, refs []string) {
		text = fmt.Appendf(nil, "\nunwind %q", bytes.TrimRight(data[from:to], "\x00")) // the last one is padded
		for _, r := range list {
			t, ref := o.target(r)
			text = fmt.Appendf(text, " @%d %v %s", int(r.offset)-from, r.kind, t)
			if ref != "" {
				refs = append(refs, ref)
			}
		}
		return text, refs
	}
	for at := 0; at+4 <= len(data); {
		size := int(binary.LittleEndian.Uint32(data[at:]))
		if size == 0 { // the end, or padding
			at += 4
			continue
		}
		from, to := at+4, at+4+size
		if size < 4 || to > len(data) {
			return errors.New(".eh_frame has an entry of a wrong size")
		}
		common := int(binary.LittleEndian.Uint32(data[from:]))
		at = to
		if common == 0 {
			continue // shared by others
		}
		start := from - common + 4
		if start < 4 || start > from {
			return errors.New(".eh_frame has an entry without a common one")
		}
		end := start + int(binary.LittleEndian.Uint32(data[start-4:]))
		list := within(from+4, to)
		if end < start || end > len(data) || len(list) == 0 || int(list[0].offset) != from+4 {
			return errors.New(".eh_frame has an entry without a function")
		}
		s := o.symbols[list[0].symbol]
		if int(s.Section) >= len(o.atoms) || o.atoms[s.Section] == nil {
			return fmt.Errorf(".eh_frame has an entry for what is no function: section %v", s.Section)
		}
		a := o.atoms[s.Section]
		shared, refs := describe(start, end, within(start, end))
		own, more := describe(from+4, to, list)
		a.content = append(append(a.content, shared...), own...)
		for _, ref := range append(refs, more...) {
			if ref != a.name {
				a.refs = append(a.refs, ref)
			}
		}
	}
	return nil
}
