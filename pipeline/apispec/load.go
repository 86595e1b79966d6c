package apispec

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Load runs clang over the public headers of t and extracts their API. clang is the
// compiler's path.
func Load(ctx context.Context, clang string, t trial.Target) (*Spec, error) {
	headers, err := findHeaders(t)
	if err != nil {
		return nil, fmt.Errorf("library %s: %w", t.Library, err)
	}
	var source strings.Builder
	for _, h := range t.Headers {
		fmt.Fprintf(&source, "#include <%s>\n", h)
	}
	args := []string{clang, "-x", "c", "-std=gnu17"}
	if t.Language == trial.CXX {
		args = []string{clang, "-x", "c++", "-std=gnu++17"}
	}
	for _, dir := range t.IncludeDirs {
		args = append(args, "-I", dir)
	}
	for _, d := range t.Defines {
		args = append(args, "-D"+d)
	}
	run := func(stdout io.Writer, extra ...string) error {
		_, err := toolchain.Run(ctx, toolchain.Command{
			Args:   append(append(args[:len(args):len(args)], extra...), "-"),
			Stdin:  strings.NewReader(source.String()),
			Stdout: stdout,
		})
		return err
	}
	var macros bytes.Buffer
	if err := run(&macros, "-E", "-dD"); err != nil {
		return nil, fmt.Errorf("library %s: list macros: %w", t.Library, err)
	}
	ast, w := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.CloseWithError(run(w, "-fsyntax-only", "-Xclang", "-ast-dump=json"))
	}()
	spec, err := extract(headerSource{AST: ast, Lang: t.Language, Macros: &macros, Headers: headers})
	if _, dumpErr := io.Copy(io.Discard, ast); dumpErr != nil { // how clang ended says more
		err = dumpErr
	}
	<-done
	if err != nil {
		return nil, fmt.Errorf("library %s: API of %s: %w", t.Library, strings.Join(t.Headers, ", "), err)
	}
	return spec, nil
}

// findHeaders returns the path under which clang will open each public header.
func findHeaders(t trial.Target) ([]string, error) {
	var paths []string
next:
	for _, h := range t.Headers {
		for _, dir := range t.IncludeDirs {
			path := filepath.Join(dir, h)
			if _, err := os.Stat(path); err == nil {
				paths = append(paths, path)
				continue next
			}
		}
		return nil, fmt.Errorf("public header %s is in none of %s", h, strings.Join(t.IncludeDirs, ", "))
	}
	return paths, nil
}
