package toolchain

import (
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/durable"
)

//go:embed native/*.cc
var native embed.FS

// pluginParts are the files of clang's plugin, one text in this order.
var pluginParts = []string{"names.cc", "reading_tables.cc", "reading.cc", "header_types.cc", "header_values.cc", "headers.cc",
	"pieces.cc", "mutants.cc", "plugin.cc"}

// pluginName is the name by which clang knows the plugin.
const pluginName = "lisabench"

// nativeSource joins files of native.
func nativeSource(names ...string) string {
	var text strings.Builder
	for _, name := range names {
		part, err := native.ReadFile("native/" + name)
		if err != nil {
			panic(err) // it is embedded
		}
		text.Write(part)
	}
	return text.String()
}

// buildPlugin makes the plugin in dir, once for a machine.
func (t *Tools) buildPlugin(ctx context.Context, dir string, log *CommandLog) (string, error) {
	path, err := t.buildNative(ctx, dir, "plugin", ".so", nativeSource(pluginParts...), []string{"-fPIC"}, []string{"-shared"}, log)
	if err != nil {
		return "", fmt.Errorf("build clang's plugin: %w", err)
	}
	return path, nil
}

// A plugin is where a Compiler has its plugin, made when it is first wanted.
type plugin struct {
	dir  string
	mu   sync.Mutex
	path string // "" until it is known to be there
}

// pluginArgs are the arguments of clang -cc1 that load the plugin, with its settings as KEY=VALUE.
func (c *Compiler) pluginArgs(ctx context.Context, settings ...string) ([]string, error) {
	c.plugin.mu.Lock()
	defer c.plugin.mu.Unlock()
	if c.plugin.path == "" {
		path, err := c.tools.buildPlugin(ctx, c.plugin.dir, c.log)
		if err != nil {
			return nil, err
		}
		c.plugin.path = path
	}
	args := []string{"-load", c.plugin.path}
	for _, s := range settings {
		args = append(args, "-plugin-arg-"+pluginName, s)
	}
	return args, nil
}

// buildNative compiles and links a source of native, and keeps the result in dir, which it makes, under that name
// and suffix.
func (t *Tools) buildNative(ctx context.Context, dir, name, suffix, source string, compile, link []string, log *CommandLog) (string, error) {
	if err := t.ClangDev.Require(); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	compile = slices.Concat([]string{"-fno-rtti", "-O1", "-I" + t.ClangDev.Path}, compile)
	key := digest(slices.Concat([]string{source, t.ClangXX.Path, t.ClangXX.Version}, compile, link)...)[:16]
	return durable.Kept(dir, name+"-"+key, suffix, func(work string) (string, error) {
		text, object, made := filepath.Join(work, name+".cc"), filepath.Join(work, name+".o"), filepath.Join(work, "made")
		if err := os.WriteFile(text, []byte(source), 0o666); err != nil {
			return "", err
		}
		// Two commands: one would start the compiler proper as a process of its own, which outlives the driver, and
		// with it a harness that is killed, by seconds.
		for _, args := range [][]string{
			slices.Concat([]string{t.ClangXX.Path, "-c"}, compile, []string{text, "-o", object}),
			slices.Concat([]string{t.ClangXX.Path, object}, link, []string{"-o", made}),
		} {
			if _, err := Run(ctx, Command{Args: args, Log: log, Repeatable: true}); err != nil {
				return "", err
			}
		}
		return made, nil
	})
}
