package toolchain

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A ShuffledLink is the link of a library under test whose functions and data lie in an order that
// Seed draws.
type ShuffledLink struct {
	Lang    trial.Language
	Objects []string
	SONAME  string
	Out     string
	Libs    []string // e.g. -lm
	Seed    uint32   // of the order within each output section
}

// LinkShuffled links a library. Constructors keep the order of the objects.
func (l *Linker) LinkShuffled(ctx context.Context, o ShuffledLink) error {
	dirs, err := l.libraryDirs(ctx)
	if err != nil {
		return err
	}
	args := []string{l.tools.LLD.Path, "--threads=1", "-shared", "--hash-style=gnu", "--eh-frame-hdr", "--strip-all", "-soname", o.SONAME, "-o", o.Out}
	for _, kind := range []string{".text*", ".rodata*", ".data*", ".bss*"} {
		args = append(args, fmt.Sprintf("--shuffle-sections=%s=%d", kind, o.Seed))
	}
	args = append(args, dirs...)
	args = append(append(args, l.begin), o.Objects...)
	for _, lib := range o.Libs {
		if lib != "-pthread" { // the driver's; glibc has it in itself
			args = append(args, lib)
		}
	}
	if o.Lang == trial.CXX {
		args = append(args, "-lstdc++", "-lm")
	}
	return l.run(ctx, append(args, "-lgcc", "--as-needed", "-lgcc_s", "--no-as-needed", "-lc", l.end))
}

// Combine links objects into one, without their debugging information.
func (l *Linker) Combine(ctx context.Context, objects []string, out string) error {
	return l.run(ctx, slices.Concat([]string{l.tools.LLD.Path, "--threads=1", "-r", "--strip-debug", "-o", out}, objects))
}

// libraryDirs are the directories in which the driver looks for libraries, as options.
func (l *Linker) libraryDirs(ctx context.Context) ([]string, error) {
	l.mu.Lock()
	known := l.dirs
	l.mu.Unlock()
	if known != nil {
		return known, nil
	}
	for _, name := range []string{"libgcc.a", "libstdc++.so", "libgcc_s.so", "libc.so", "libc.so.6", "libm.so", "libz.so"} {
		path, err := l.tools.libraryFile(ctx, name)
		var missing *MissingError
		switch {
		case errors.As(err, &missing): // the link tells who needs it
		case err != nil:
			return nil, err
		default:
			known = append(known, "-L"+filepath.Dir(path))
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dirs = known
	return known, nil
}

// Assemble makes an object of assembly text.
func (t *Tools) Assemble(ctx context.Context, source, out string) error {
	_, err := Run(ctx, Command{Args: []string{t.Clang.Path, "-c", "-x", "assembler", "-Wno-everything", source, "-o", out}, Repeatable: true})
	return err
}
