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
var pluginParts = []string{"names.cc", "reading.cc", "header_types.cc", "header_values.cc", "headers.cc", "mutants.cc", "plugin.cc"}

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

// buildPlugin makes the plugin in dir, which it makes, once for a machine.
func (t *Tools) buildPlugin(ctx context.Context, dir string, log *CommandLog) (string, error) {
	if err := t.ClangDev.Require(); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	source := nativeSource(pluginParts...)
	compile := []string{t.ClangXX.Path, "-c", "-fno-rtti", "-O1", "-fPIC", "-I" + t.ClangDev.Path}
	key := digest(slices.Concat([]string{source, t.ClangXX.Version}, compile)...)[:16]
	return durable.Kept(dir, "plugin-"+key, ".so", func(work string) (string, error) {
		text, object, made := filepath.Join(work, "plugin.cc"), filepath.Join(work, "plugin.o"), filepath.Join(work, "made")
		if err := os.WriteFile(text, []byte(source), 0o666); err != nil {
			return "", err
		}
		// Two commands: one would start the compiler proper as a process of its own, which outlives the driver, and
		// with it a harness that is killed, by seconds.
		for _, args := range [][]string{append(compile, text, "-o", object), {t.ClangXX.Path, object, "-shared", "-o", made}} {
			if _, err := Run(ctx, Command{Args: args, Log: log}); err != nil {
				return "", fmt.Errorf("build clang's plugin: %w", err)
			}
		}
		return made, nil
	})
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
