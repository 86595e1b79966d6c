package toolchain

import (
	"context"
	_ "embed" // the plugin's source
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// freshInput is the source of the plugin that makes a compiler process treat each of its
// inputs as the first.
//
//go:embed native/fresh_input.cc
var freshInput string

// A plugin is the compiled plugin, made when it is first wanted (5 s) and kept.
type plugin struct {
	dir  string
	mu   sync.Mutex
	path string // "" until it is known to be there
}

// pluginArgs returns the arguments of clang -cc1 that load the plugin.
func (c *Compiler) pluginArgs(ctx context.Context, nonce string) ([]string, error) {
	c.plugin.mu.Lock()
	defer c.plugin.mu.Unlock()
	if c.plugin.path == "" {
		path, err := c.buildPlugin(ctx)
		if err != nil {
			return nil, fmt.Errorf("build the compiler's plugin: %w", err)
		}
		c.plugin.path = path
	}
	return []string{"-load", c.plugin.path, "-plugin-arg-fresh-input", nonce}, nil
}

func (c *Compiler) buildPlugin(ctx context.Context) (string, error) {
	if err := c.tools.ClangDev.Require(); err != nil {
		return "", err
	}
	key := digest(freshInput, c.tools.ClangXX.Path, c.tools.ClangXX.Version)[:16]
	if err := os.MkdirAll(c.plugin.dir, 0o777); err != nil {
		return "", err
	}
	return Kept(c.plugin.dir, "fresh-input-"+key, ".so", func(work string) (string, error) {
		source, object, made := filepath.Join(work, "fresh_input.cc"), filepath.Join(work, "plugin.o"), filepath.Join(work, "plugin.so")
		if err := os.WriteFile(source, []byte(freshInput), 0o666); err != nil {
			return "", err
		}
		// Two commands: one would start the compiler proper as a process of its own, which
		// outlives the driver, and with it a harness that is killed, by seconds.
		_, err := Run(ctx, Command{Log: c.log, Repeatable: true, Args: []string{c.tools.ClangXX.Path, "-c", "-fPIC", "-fno-rtti", "-O1",
			"-I" + c.tools.ClangDev.Path, source, "-o", object}})
		if err == nil {
			_, err = Run(ctx, Command{Log: c.log, Repeatable: true, Args: []string{c.tools.ClangXX.Path, "-shared", object, "-o", made}})
		}
		return made, err
	})
}
