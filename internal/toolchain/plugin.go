package toolchain

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/plugin"
)

// Plugin returns the path of our plugin of clang. It makes it in dir, which it makes too, once for a machine. log may be nil.
func (t *Tools) Plugin(ctx context.Context, dir string, log *CommandLog) (string, error) {
	if err := t.ClangDev.Require(); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	compile := []string{t.ClangXX.Path, "-c", "-fno-rtti", "-O1", "-fPIC", "-I" + t.ClangDev.Path}
	key := digest(slices.Concat([]string{plugin.Source, t.ClangXX.Version}, compile)...)[:16]
	return durable.Kept(dir, "plugin-"+key, ".so", func(work string) (string, error) {
		text, object, made := filepath.Join(work, "plugin.cc"), filepath.Join(work, "plugin.o"), filepath.Join(work, "made")
		if err := os.WriteFile(text, []byte(plugin.Source), 0o666); err != nil {
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

// A keptPlugin is where a Compiler has the plugin, made when it is first wanted.
type keptPlugin struct {
	dir  string
	mu   sync.Mutex
	path string // "" until it is known to be there
}

// pluginArgs are the arguments of clang -cc1 that load the plugin, with its settings as KEY=VALUE.
func (c *Compiler) pluginArgs(ctx context.Context, settings ...string) ([]string, error) {
	c.plugin.mu.Lock()
	defer c.plugin.mu.Unlock()
	if c.plugin.path == "" {
		path, err := c.tools.Plugin(ctx, c.plugin.dir, c.log)
		if err != nil {
			return nil, err
		}
		c.plugin.path = path
	}
	args := []string{"-load", c.plugin.path}
	for _, s := range settings {
		args = append(args, "-plugin-arg-"+plugin.Name, s)
	}
	return args, nil
}
