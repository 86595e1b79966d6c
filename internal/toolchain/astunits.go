package toolchain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// An AST is clang's JSON syntax tree of one unit.
type AST struct {
	ID   string // of the unit
	JSON []byte // nil unless OK
	OK   bool   // false when the unit does not compile
	// Preamble is the file that stands in for the includes and the other directives at the
	// unit's start, so that macros defined there are the unit's own; "" if there is none.
	Preamble string
}

// maxAST bounds the syntax trees of one process. A C++ unit whose includes cannot be
// precompiled is 150 MB; over a precompiled preamble a unit is a few hundred kB.
const maxAST = 1 << 30

// DumpUnits parses units and returns their syntax trees; result i belongs to units[i]. dir
// must hold nothing that a program could include. Where the includes at a unit's start can
// be precompiled (lines and offsets stay those of the source), their declarations are left out of the tree unless the preamble cannot be
// built, and many units share a process. The error is for what is no program's fault.
func (c *Compiler) DumpUnits(ctx context.Context, dir string, flags Flags, units []Unit) ([]AST, error) {
	dir, err := c.check(dir, flags, units)
	if err != nil {
		return nil, err
	}
	d := &dumper{Compiler: c, dir: dir, flags: flags, units: units, trees: make([]AST, len(units))}
	for i, u := range units {
		d.trees[i].ID = u.ID
	}
	for _, g := range d.group() {
		if err := d.dumpGroup(ctx, g); err != nil {
			return nil, err
		}
	}
	return d.trees, nil
}

// A dumper is one DumpUnits call.
type dumper struct {
	*Compiler
	dir   string
	flags Flags
	units []Unit
	trees []AST // by index of units
}

// group sorts the units by preamble like a batcher. What must not share a process is a group
// of its own, with its preamble all the same if it has one.
func (d *dumper) group() []*group {
	b := batcher{Compiler: d.Compiler, units: d.units}
	groups, alone := b.group()
	for _, i := range alone {
		u := d.units[i]
		g := &group{lang: u.Lang, unit: []int{i}}
		if p, ok := splitPreamble(u.Source); ok && !strings.ContainsAny(u.Source, "\r\x00") {
			g.text = p.canonical
		}
		groups = append(groups, g)
	}
	return groups
}

func (d *dumper) dumpGroup(ctx context.Context, g *group) error {
	var p *pch
	if g.text != "" {
		var err error
		// A preamble is worth precompiling even for one unit: its own tree is large.
		if p, err = d.pch(ctx, g.lang, d.flags, g.text, pchWorth); err != nil {
			return fmt.Errorf("dump the syntax trees of %d programs: %w", len(g.unit), err)
		}
	}
	size := maxBatch
	if p == nil || p.Pragmas {
		size = 1
	}
	for _, part := range split(g.unit, size) {
		if err := d.batch(ctx, p, part); err != nil {
			return err
		}
	}
	return nil
}

// batch dumps units in one process. A process that did not end well tells nothing of any
// one unit, so each half is then dumped by itself.
func (d *dumper) batch(ctx context.Context, p *pch, units []int) error {
	lang := d.units[units[0]].Lang
	args, err := d.cc1Args(ctx, lang, d.flags)
	if err != nil {
		return err
	}
	args = append(append([]string(nil), args...), "-ast-dump=json")
	if p != nil {
		args = append(args, "-fvalidate-ast-input-files-content", "-include-pch", p.File)
	}
	work, err := os.MkdirTemp(d.dir, "ast-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	args = append(args, "-x", string(lang))
	for _, i := range units {
		u := d.units[i]
		text := u.Source
		if own, ok := splitPreamble(u.Source); p != nil && ok {
			text = own.blanked(u.Source)
		}
		if err := os.WriteFile(filepath.Join(work, u.File()), []byte(text), 0o666); err != nil {
			return err
		}
		args = append(args, u.File())
	}
	out := &limited{max: maxAST}
	_, err = d.runCompiler(ctx, Command{Args: args, Dir: work, Stdout: out})
	var failed *CommandError
	switch {
	case err != nil && !errors.As(err, &failed) && !errors.Is(err, errCompilerHangs) && !errors.Is(err, errTooLong):
		return fmt.Errorf("dump syntax trees: %w", err)
	case failed != nil && failed.DiskFull():
		return err
	}
	trees := splitTrees(out.Bytes())
	if err == nil && len(trees) == len(units) {
		for k, i := range units {
			d.trees[i].JSON, d.trees[i].OK = trees[k], true
			if p != nil {
				d.trees[i].Preamble = p.Source
			}
		}
		return nil
	}
	if len(units) == 1 {
		return nil // it does not compile, or is too large to be an honest test
	}
	half := len(units) / 2
	if err := d.batch(ctx, p, units[:half]); err != nil {
		return err
	}
	return d.batch(ctx, p, units[half:])
}

// splitTrees cuts the trees of one process apart. Clang indents its JSON, so only the
// braces of a whole tree begin a line; the next tree begins on the line where one ends.
func splitTrees(text []byte) [][]byte {
	var trees [][]byte
	for {
		end := 0
		for !bytes.HasPrefix(text[end:], []byte("}")) {
			newline := bytes.IndexByte(text[end:], '\n')
			if newline < 0 {
				return trees
			}
			end += newline + 1
		}
		trees = append(trees, text[:end+1])
		text = bytes.TrimPrefix(text[end+1:], []byte("\n"))
	}
}

var errTooLong = errors.New("output is too long")

// A limited buffer refuses what is beyond its limit.
type limited struct {
	bytes.Buffer
	max int
}

func (b *limited) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.max {
		return 0, errTooLong
	}
	return b.Buffer.Write(p)
}

// MainFile reports whether clang's name of a file is that of a unit's own source.
func (u Unit) MainFile(name string) bool {
	return filepath.Base(name) == u.File() && !filepath.IsAbs(name)
}
