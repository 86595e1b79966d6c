package toolchain

import (
	"context"
	_ "embed" // the plugin's source
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/files/durable"
)

// The sources of the plugin, one text: it makes a compiler process treat each of its inputs as
// the first, and writes the readings of those that compile.
var (
	//go:embed native/reading_tables.cc
	readingTables string
	//go:embed native/reading.cc
	readingSource string
	//go:embed native/fresh_input.cc
	freshInput string
)

// A plugin is the compiled plugin, made when it is first wanted (8 s) and kept.
type plugin struct {
	dir  string
	mu   sync.Mutex
	path string // "" until it is known to be there
}

// pluginArgs returns the arguments of clang -cc1 that load the plugin, which takes settings as
// KEY=VALUE.
func (c *Compiler) pluginArgs(ctx context.Context, settings ...string) ([]string, error) {
	c.plugin.mu.Lock()
	defer c.plugin.mu.Unlock()
	if c.plugin.path == "" {
		path, err := c.buildPlugin(ctx)
		if err != nil {
			return nil, fmt.Errorf("build the compiler's plugin: %w", err)
		}
		c.plugin.path = path
	}
	args := []string{"-load", c.plugin.path}
	for _, s := range settings {
		args = append(args, "-plugin-arg-fresh-input", s)
	}
	return args, nil
}

func (c *Compiler) buildPlugin(ctx context.Context) (string, error) {
	return c.tools.buildNative(ctx, c.tools.ClangDev, c.plugin.dir, "fresh-input", ".so", readingTables+readingSource+freshInput,
		[]string{"-fPIC"}, []string{"-shared"}, c.log)
}

// buildNative compiles one of the sources in native with those headers, links it, and keeps the
// result in dir, which it makes, under that name and suffix.
func (t *Tools) buildNative(ctx context.Context, headers Program, dir, name, suffix, source string, compile, link []string, log *CommandLog) (string, error) {
	if err := headers.Require(); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	compile = append(slices.Clone(compile), "-I"+headers.Path)
	key := digest(slices.Concat([]string{source, t.ClangXX.Path, t.ClangXX.Version}, compile, link)...)[:16]
	return durable.Kept(dir, name+"-"+key, suffix, func(work string) (string, error) {
		text, object, made := filepath.Join(work, "native.cc"), filepath.Join(work, "native.o"), filepath.Join(work, "made")
		if err := os.WriteFile(text, []byte(source), 0o666); err != nil {
			return "", err
		}
		// Two commands: one would start the compiler proper as a process of its own, which
		// outlives the driver, and with it a harness that is killed, by seconds.
		args := slices.Concat([]string{t.ClangXX.Path, "-c", "-fno-rtti", "-O1"}, compile, []string{text, "-o", object})
		_, err := Run(ctx, Command{Log: log, Repeatable: true, Args: args})
		if err == nil {
			args = slices.Concat([]string{t.ClangXX.Path, object}, link, []string{"-o", made})
			_, err = Run(ctx, Command{Log: log, Repeatable: true, Args: args})
		}
		return made, err
	})
}
