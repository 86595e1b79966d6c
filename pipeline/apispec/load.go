package apispec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/code/clangast"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Load runs clang over the public headers of t and extracts their API. clang is the
// compiler's path.
func Load(ctx context.Context, clang string, t trial.Target) (*Spec, error) {
	headers, err := findHeaders(t)
	if err != nil {
		return nil, fmt.Errorf("library %s: %w", t.Library, err)
	}
	c := compiler{args: Command(clang, t)}
	for _, h := range t.Headers {
		c.source += fmt.Sprintf("#include <%s>\n", h)
	}
	var macros bytes.Buffer
	if err := c.run(ctx, &macros, "", "-E", "-dD"); err != nil {
		return nil, fmt.Errorf("library %s: list macros: %w", t.Library, err)
	}
	ast, w := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.CloseWithError(c.run(ctx, w, "", "-fsyntax-only", "-Xclang", "-ast-dump=json"))
	}()
	values := func(macros []string) (map[string]int64, error) { return c.values(ctx, macros) }
	spec, err := extract(headerSource{AST: ast, Lang: t.Language, Macros: &macros, Values: values, Headers: headers})
	if _, dumpErr := io.Copy(io.Discard, ast); dumpErr != nil { // how clang ended says more
		err = dumpErr
	}
	<-done
	if err != nil {
		return nil, fmt.Errorf("library %s: API of %s: %w", t.Library, strings.Join(t.Headers, ", "), err)
	}
	return spec, nil
}

// Command returns the words that start clang for the language, directories and definitions of a target.
func Command(clang string, t trial.Target) []string {
	words := []string{clang, "-x", "c", "-std=gnu17"}
	if t.Language == trial.CXX {
		words = []string{clang, "-x", "c++", "-std=gnu++17"}
	}
	for _, dir := range t.IncludeDirs {
		words = append(words, "-I", dir)
	}
	for _, d := range t.Defines {
		words = append(words, "-D"+d)
	}
	return words
}

// A compiler is clang with a source that includes the public headers of a library.
type compiler struct {
	args   []string
	source string
}

// run runs clang on the source with more behind it.
func (c compiler) run(ctx context.Context, stdout io.Writer, more string, args ...string) error {
	_, err := toolchain.Run(ctx, toolchain.Command{
		Args: slices.Concat(c.args, args, []string{"-"}), Stdin: strings.NewReader(c.source + more), Stdout: stdout,
	})
	return err
}

// values returns the values of those macros that are integer constant expressions.
func (c compiler) values(ctx context.Context, macros []string) (map[string]int64, error) {
	const prefix = "lisa_bench_value_of_"
	enums := "#line 0\n"
	for _, m := range macros {
		enums += fmt.Sprintf("enum { %s%s = (%[2]s) };\n", prefix, m)
	}
	var dump bytes.Buffer
	err := c.run(ctx, &dump, enums, "-fsyntax-only", "-w", "-ferror-limit=0", "-fno-caret-diagnostics", "-Xclang", "-ast-dump=json", "-Xclang", "-ast-dump-filter="+prefix)
	var refused *toolchain.CommandError
	if err != nil && !errors.As(err, &refused) {
		return nil, err
	}
	found := map[string]int64{}
	err = clangast.Each(&dump, func(n *clangast.Node) {
		if v, ok := constantValue(n); ok {
			found[strings.TrimPrefix(n.Name, prefix)] = v
		}
	})
	if refused != nil { // what is no constant is an error in its line
		for _, m := range errorLine.FindAllSubmatch(refused.Stderr, -1) {
			if i, err := strconv.Atoi(string(m[1])); err == nil && i < len(macros) {
				delete(found, macros[i])
			}
		}
	}
	return found, err
}

var errorLine = regexp.MustCompile(`(?m)^<stdin>:(\d+):\d+: (?:fatal )?error:`)

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
