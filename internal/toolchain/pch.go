package toolchain

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A pch is a precompiled preamble. Several processes may share the directory that it is in, where it is named by its
// text and the compiler's arguments. A header that has changed is noticed by clang, which then refuses the file: it is
// made anew.
type pch struct {
	source string // path of the preamble's text
	file   string // path of what clang made of it; "" until it is known to be there

	mu    sync.Mutex // held by the one that makes it
	asked int        // units that wanted it so far
	unfit bool       // it does not compile, or prints warnings, which the plain way prints with every program
}

// pchWorth is from how many units on a preamble is precompiled, which takes as long as one unit compiled alone.
const pchWorth = 3

// errUnfit means that units are better compiled alone.
var errUnfit = errors.New("the preamble cannot be precompiled")

// pch returns the precompiled preamble for n more units, building it if that pays; nil means that the units are better
// compiled alone.
func (c *Compiler) pch(ctx context.Context, lang trial.Language, flags Flags, text string, n int) (*pch, error) {
	cc1, err := c.cc1Args(ctx, lang, flags)
	if err != nil {
		return nil, err
	}
	key := digest(slices.Concat([]string{text, string(lang), c.tools.Clang.Version}, cc1)...)
	c.mu.Lock()
	p := c.pchs[key]
	if p == nil {
		p = &pch{source: filepath.Join(c.pchDir, key+".h")}
		c.pchs[key] = p
	}
	c.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	if isFile(p.file) {
		return p, nil
	}
	if p.asked += n; p.unfit {
		return nil, nil
	}
	p.file, err = durable.Kept(c.pchDir, key, ".pch", func(work string) (string, error) {
		if p.asked < pchWorth {
			return "", errUnfit
		}
		return c.buildPCH(ctx, lang, flags, cc1, p.source, text, work)
	})
	switch {
	case errors.Is(err, errUnfit):
		p.unfit = p.asked >= pchWorth
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("precompile includes: %w", err)
	case isFile(p.source):
		return p, nil
	}
	return p, durable.WriteFile(p.source, []byte(text))
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
	out, err := c.runCompiler(ctx, Command{Args: args, Dir: work, Box: box})
	var failed *CommandError
	if errors.As(err, &failed) || err == nil && len(out.Stderr) > 0 {
		return "", errUnfit // if the machine is at fault, compiling alone will tell
	}
	return made, err
}
