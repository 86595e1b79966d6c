package testrun

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ianlancetaylor/demangle"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Extras are what a hand-written suite's programs are compiled and linked with beside the library.
type Extras struct {
	Includes []string // directories that are searched after the library's headers and the system's
	Defines  []string // as toolchain.Flags
	Std      []string // as toolchain.Flags
	Helpers  []string // files in C and C++ whose functions are linked where a program needs them
}

// Flags are those of a program for a directory of public headers.
func (x Extras) Flags(headers string) toolchain.Flags {
	return toolchain.Flags{IncludeDirs: []string{headers}, AfterDirs: x.Includes, Defines: x.Defines, Std: x.Std}
}

// helpers are a suite's helpers, compiled for one set of headers and flags.
type helpers struct {
	archive string   // "" if there are none
	left    []string // why others are not in it
}

// helpers compiles the suite's helpers, unless that was done before. One that does not compile is left out, and so is one
// that defines what the library does: a program would then test that copy.
func (e *Engine) helpers(ctx context.Context, b *libbuild.Build) (*helpers, error) {
	if len(e.cfg.Helpers) == 0 {
		return &helpers{}, nil
	}
	flags := e.flags(b)
	key := fmt.Sprint(b.HeadersHash, flags.Sanitize)
	e.mu.Lock()
	if e.compiled == nil {
		e.compiled = map[string]func() (*helpers, error){}
	}
	if e.compiled[key] == nil {
		e.compiled[key] = sync.OnceValues(func() (*helpers, error) { return e.compileHelpers(ctx, b, flags) })
	}
	compile := e.compiled[key]
	e.mu.Unlock()
	return compile()
}

func (e *Engine) compileHelpers(ctx context.Context, b *libbuild.Build, flags toolchain.Flags) (*helpers, error) {
	var units []toolchain.Unit
	for i, file := range e.cfg.Helpers {
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		lang := trial.C
		if filepath.Ext(file) != ".c" {
			lang = trial.CXX
		}
		units = append(units, toolchain.Unit{ID: fmt.Sprintf("helper%03d", i), Lang: lang, Source: string(src)})
	}
	known, err := e.librarySymbols(b)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(e.cfg.Dir, "helpers-")
	if err != nil {
		return nil, err
	}
	compiled, err := e.cfg.Compiler.Compile(ctx, dir, flags, units)
	if err != nil {
		return nil, err
	}
	h, objects := &helpers{}, []string(nil)
	for i, c := range compiled {
		name := filepath.Base(e.cfg.Helpers[i])
		if !c.OK {
			diagnostic := strings.ReplaceAll(c.Diagnostics, units[i].File(), name)
			h.left = append(h.left, name+" does not compile: "+firstLine(diagnostic))
			continue
		}
		strong, _, _, err := toolchain.Symbols(c.Object)
		if err != nil {
			return nil, err
		}
		if at := slices.IndexFunc(strong, func(s string) bool { return known[s] }); at >= 0 {
			h.left = append(h.left, fmt.Sprintf("%s is not linked: it defines %s, which is the library's", name, demangle.Filter(strong[at])))
			continue
		}
		objects = append(objects, c.Object)
	}
	if len(objects) == 0 {
		return h, nil
	}
	h.archive = filepath.Join(dir, "helpers.a")
	return h, e.cfg.Tools.Archive(ctx, objects, h.archive, nil)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// framework returns that from which a program needs symbols, or nil.
func (e *Engine) framework(undefined []string) *toolchain.Framework {
	for _, f := range e.cfg.Linker.Frameworks() {
		if slices.ContainsFunc(undefined, func(s string) bool { return strings.HasPrefix(s, f.Marker) }) {
			return &f
		}
	}
	return nil
}

// notInstalled is what a program whose framework is missing is told; "" for another one.
func (e *Engine) notInstalled(diagnostic string, needs *toolchain.Framework) string {
	for _, f := range e.cfg.Linker.Frameworks() {
		if len(f.Libs) == 0 && (needs != nil && needs.Name == f.Name || strings.Contains(diagnostic, "'"+f.Header+"' file not found")) {
			return fmt.Sprintf("%s is not installed: apt-get install %s\n", f.Name, f.Package)
		}
	}
	return ""
}

// loadError matches what the dynamic linker says of a program.
var loadError = regexp.MustCompile(`/proc/self/fd/\d+: undefined symbol: (\w+)`)

// unlinked are the words about a program that cannot be loaded with a library: names as in its source.
func unlinked(text string, b *libbuild.Build, left []string) string {
	text = loadError.ReplaceAllStringFunc(text, func(s string) string {
		symbol := loadError.FindStringSubmatch(s)[1]
		return fmt.Sprintf("undefined symbol: %s: neither the program nor %s defines it", demangle.Filter(symbol), filepath.Base(b.SharedLib))
	})
	return strings.Join(append([]string{text}, left...), "\n")
}
