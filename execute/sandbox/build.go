package sandbox

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

//go:embed runner
var runnerFiles embed.FS

// Clock is the C source of the date that programs see in the runner. A stand-alone executable sees it if it is
// linked with this.
//
//go:embed runner/clock.c
var Clock string

// runnerSources are the runner's files in the order of their names: its sources, and the
// compiler's arguments for each flavour. The sanitizers' runtime is linked by the C++ driver,
// which adds the part that C++ libraries need. The runner calls main(void) as
// main(int, char **), which -fsanitize=function would report. Symbols are bound at start
// (-z now), not by every program again on the stack that it will use.
type runnerSources struct{ names, texts []string }

// hash is what `cat * | sha256sum` says in the runner's directory. The toolchain image has it
// as a label (Dockerfile.toolchain).
func (r runnerSources) hash() string {
	sum := sha256.Sum256([]byte(strings.Join(r.texts, "")))
	return hex.EncodeToString(sum[:])
}

// flags are the compiler's arguments for a flavour's runner.
func (r runnerSources) flags(f Flavour) []string {
	return strings.Fields(r.texts[slices.Index(r.names, string(f)+".flags")])
}

// runners are the compiled runners of one executor, each checked once.
type runners struct {
	cfg   Config
	mu    sync.Mutex // one is compiled at a time
	paths map[Flavour]string
}

// locate returns the path of a flavour's runner.
func (r *runners) locate(ctx context.Context, flavour Flavour) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if path, ok := r.paths[flavour]; ok {
		return path, nil
	}
	if err := os.MkdirAll(r.cfg.Dir, 0o755); err != nil {
		return "", err
	}
	path, err := runnerFor(ctx, r.cfg.Tools, r.cfg.Dir, flavour)
	if err == nil {
		r.paths[flavour] = path
	}
	return path, err
}

// runnerFor returns the path of a flavour's runner and compiles it unless dir has it.
func runnerFor(ctx context.Context, tools *toolchain.Tools, dir string, flavour Flavour) (string, error) {
	compiler := tools.Clang
	if flavour == Sanitized {
		compiler = tools.ClangXX
	}
	src, err := sources()
	if err != nil {
		return "", err
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%s %s %s", compiler.Path, compiler.Version, src.hash()))
	prefix := fmt.Sprintf("runner-%s-%s", flavour, hex.EncodeToString(key[:8]))
	return durable.Kept(dir, prefix, "", func(work string) (string, error) {
		exe := filepath.Join(work, "runner")
		if err := src.build(ctx, append([]string{compiler.Path}, src.flags(flavour)...), work, exe); err != nil {
			return "", fmt.Errorf("compile the %s runner: %w", flavour, err)
		}
		return exe, nil
	})
}

// build writes the sources into work and compiles them to exe.
func (r runnerSources) build(ctx context.Context, args []string, work, exe string) error {
	for i, name := range r.names {
		file := filepath.Join(work, name)
		if err := os.WriteFile(file, []byte(r.texts[i]), 0o644); err != nil {
			return err
		}
		if strings.HasSuffix(name, ".c") {
			args = append(args, file)
		}
	}
	_, err := toolchain.Run(ctx, toolchain.Command{Args: append(args, "-o", exe), Env: toolchain.TempIn(work)})
	return err
}

func sources() (src runnerSources, err error) {
	entries, err := runnerFiles.ReadDir("runner")
	if err != nil {
		return src, err
	}
	for _, e := range entries { // in the order of their names
		text, err := runnerFiles.ReadFile("runner/" + e.Name())
		if err != nil {
			return src, err
		}
		src.names, src.texts = append(src.names, e.Name()), append(src.texts, string(text))
	}
	return src, nil
}
