package sandbox

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

//go:embed runner/*.c runner/*.h
var runnerSources embed.FS

// runnerFlags are the compiler's arguments for a flavour's runner. The sanitizers' runtime
// is linked by the C++ driver, which adds the part that C++ libraries need. The runner
// calls main(void) as main(int, char **), which -fsanitize=function would report. Symbols
// are bound at start (-z now), not by every program again on the stack that it will use.
func (f Flavour) runnerFlags() []string {
	flags := []string{"-x", "c", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Wl,-z,now"}
	if f == Sanitized {
		flags = append(flags, "-DSANITIZED", "-fsanitize=address,undefined", "-fno-sanitize=function")
	}
	return flags
}

// runnerFor returns the path of a flavour's runner and compiles it unless dir has it. The
// name holds a hash of all that went into it.
func runnerFor(ctx context.Context, tools *toolchain.Tools, dir string, flavour Flavour) (string, error) {
	compiler := tools.Clang
	if flavour == Sanitized {
		compiler = tools.ClangXX
	}
	names, texts, err := sources()
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%s %s %q %q", compiler.Path, compiler.Version, flavour.runnerFlags(), texts)
	path := filepath.Join(dir, fmt.Sprintf("runner-%s-%s", flavour, hex.EncodeToString(hash.Sum(nil)[:8])))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	work, err := os.MkdirTemp(dir, ".runner-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	args := append([]string{compiler.Path}, flavour.runnerFlags()...)
	for i, name := range names {
		file := filepath.Join(work, name)
		if err := os.WriteFile(file, []byte(texts[i]), 0o644); err != nil {
			return "", err
		}
		if strings.HasSuffix(name, ".c") {
			args = append(args, file)
		}
	}
	exe := filepath.Join(work, "runner")
	if _, err := toolchain.Run(ctx, toolchain.Command{Args: append(args, "-o", exe)}); err != nil {
		return "", fmt.Errorf("compile the %s runner: %w", flavour, err)
	}
	return path, os.Rename(exe, path)
}

// sources returns the runner's files in a fixed order.
func sources() (names, texts []string, err error) {
	entries, err := runnerSources.ReadDir("runner")
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	sort.Strings(names)
	for _, name := range names {
		text, err := runnerSources.ReadFile("runner/" + name)
		if err != nil {
			return nil, nil, err
		}
		texts = append(texts, string(text))
	}
	return names, texts, nil
}
