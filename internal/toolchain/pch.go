package toolchain

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A pch is a precompiled preamble.
type pch struct {
	Source string // path of the preamble's text
	File   string // path of what clang made of it
}

// preambles keeps precompiled preambles in a directory that several processes may share, by their text, the compiler's
// arguments, and the names, sizes and times of the files in the include directories. Changes of a system's header are
// noticed by clang, which then refuses the file.
type preambles struct {
	dir string

	mu    sync.Mutex
	known map[string]*knownPreamble
}

// A knownPreamble makes sure that one process precompiles a preamble once at a time.
type knownPreamble struct {
	mu    sync.Mutex
	asked int  // units that wanted it so far
	made  *pch // nil until it is known to be there
	unfit bool // it does not compile, or prints warnings, which the plain way prints with every program
}

func (p *preambles) get(key string) *knownPreamble {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known[key] == nil {
		p.known[key] = &knownPreamble{}
	}
	return p.known[key]
}

// pchWorth is from how many units on a preamble is precompiled, which takes as long as one unit compiled alone.
const pchWorth = 3

// errNotPrecompiled means that units are better compiled alone.
var errNotPrecompiled = errors.New("the preamble is not precompiled")

// pch returns the precompiled preamble for n more units, building it if that pays; nil means that the units are better
// compiled alone.
func (c *Compiler) pch(ctx context.Context, lang trial.Language, flags Flags, text string, n int) (*pch, error) {
	cc1, err := c.cc1Args(ctx, lang, flags)
	if err != nil {
		return nil, err
	}
	state, err := stateOf(flags.dirs())
	if err != nil {
		return nil, err
	}
	key := digest(slices.Concat([]string{text, string(lang), c.tools.Clang.Version, state}, cc1)...)
	k := c.preambles.get(key)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.asked += n
	if k.unfit || k.made != nil && isFile(k.made.File) {
		return k.made, nil
	}
	source := filepath.Join(c.preambles.dir, key+".h")
	file, err := durable.Kept(c.preambles.dir, key, ".pch", func(work string) (string, error) {
		if k.asked < pchWorth {
			return "", errNotPrecompiled
		}
		made, err := c.buildPCH(ctx, lang, flags, cc1, source, text, work)
		k.unfit = errors.Is(err, errNotPrecompiled)
		return made, err
	})
	switch {
	case errors.Is(err, errNotPrecompiled):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("precompile includes: %w", err)
	}
	if old, err := os.ReadFile(source); err != nil || string(old) != text { // damaged: clang would refuse the other file
		if err := durable.WriteFile(source, []byte(text)); err != nil {
			return nil, err
		}
	}
	k.made = &pch{Source: source, File: file}
	return k.made, nil
}

// buildPCH compiles a preamble in a working directory.
func (c *Compiler) buildPCH(ctx context.Context, lang trial.Language, flags Flags, cc1 []string, source, text, work string) (string, error) {
	if err := durable.WriteFile(source, []byte(text)); err != nil {
		return "", err
	}
	made := filepath.Join(work, "pch")
	args := append(slices.Clone(cc1), "-emit-pch", "-fvalidate-ast-input-files-content", "-o", made)
	if lang == trial.CXX {
		args = append(args, "-fpch-instantiate-templates")
	}
	args = append(args, "-x", string(lang)+"-header", source)
	box, err := c.box(flags, work, source)
	if err != nil {
		return "", err
	}
	out, err := c.runCompiler(ctx, Command{Args: args, Env: batchEnv, Dir: work, Box: box})
	var failed *CommandError
	if errors.As(err, &failed) || errors.Is(err, errCompilerHangs) || err == nil && len(out.Stderr) > 0 {
		return "", errNotPrecompiled // if the machine is at fault, compiling alone will tell
	}
	return made, err
}

// stateOf returns a digest of the paths, sizes and times of all files below dirs. A file that appears there can hide
// a header.
func stateOf(dirs []string) (string, error) {
	var state strings.Builder
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // the compiler ignores it as well
			}
			if err != nil {
				return err
			}
			info, err := os.Stat(path) // of what a link leads to
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err == nil && info.Mode().IsRegular() {
				fmt.Fprintf(&state, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
			}
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return digest(state.String()), nil
}
