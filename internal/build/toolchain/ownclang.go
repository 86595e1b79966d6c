package toolchain

import (
	"context"
	_ "embed" // the compiler's source
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/internal/files/durable"
)

// The sources of our compiler: clang that treats each of its inputs as the first, and writes the
// readings of those that compile, or what headers declare.
var (
	//go:embed native/names.cc
	namesSource string
	//go:embed native/reading_tables.cc
	readingTables string
	//go:embed native/reading.cc
	readingSource string
	//go:embed native/header_types.cc
	headerTypes string
	//go:embed native/header_values.cc
	headerValues string
	//go:embed native/headers.cc
	headersSource string
	//go:embed native/fresh_input.cc
	freshInput string
	//go:embed native/records.cc
	recordsSource string
	//go:embed native/machine.cc
	machineSource string
	//go:embed native/units.cc
	unitsSource string
	//go:embed native/compiler.cc
	compilerSource string
)

// An ownClang is the program of our compiler, made when it is first wanted (15 s) and kept.
type ownClang struct {
	dir  string
	mu   sync.Mutex
	path string // "" until it is known to be there
}

// ownArgs returns the command line of our compiler for what clang would get, cc1, and settings of
// fresh_input.cc as KEY=VALUE.
func (c *Compiler) ownArgs(ctx context.Context, cc1 []string, settings ...string) ([]string, error) {
	c.own.mu.Lock()
	defer c.own.mu.Unlock()
	if c.own.path == "" {
		path, err := c.tools.buildCompiler(ctx, c.own.dir, c.log)
		if err != nil {
			return nil, fmt.Errorf("build the compiler of programs: %w", err)
		}
		c.own.path = path
	}
	args := append([]string{c.own.path}, cc1[1:]...)
	// To free each unit's syntax tree costs less than fresh memory for the next (docs/explanation/performance.md).
	args = slices.DeleteFunc(args, func(a string) bool { return a == "-disable-free" })
	for _, s := range settings {
		args = append(args, "-plugin-arg-fresh-input", s)
	}
	return args, nil
}

// buildCompiler links our compiler statically: of clang's start by shared libraries two thirds are
// their relocation, some 3,000 page faults. The linker takes of LLVM's archives what it needs.
func (t *Tools) buildCompiler(ctx context.Context, dir string, log *CommandLog) (string, error) {
	link := []string{"-static", "--ld-path=" + t.LLD.Path, "-Wl,--gc-sections,--strip-all",
		"-Wl,--wrap=" + readRecord, "-Wl,--defsym=" + deleteMachine + "=keepMachine"}
	for _, pattern := range []string{"libclang*.a", "libLLVM*.a"} {
		archives, err := filepath.Glob(filepath.Join(filepath.Dir(t.ClangDev.Path), "lib", pattern))
		if err != nil || len(archives) == 0 {
			return "", errors.Join(err, fmt.Errorf("there is no lib/%s beside %s", pattern, t.ClangDev.Path))
		}
		link = append(link, archives...)
	}
	return t.buildNative(ctx, t.ClangDev, dir, "compiler", "", []string{
		namesSource + readingTables + readingSource + headerTypes + headerValues + headersSource + freshInput,
		recordsSource + machineSource + unitsSource + compilerSource,
	}, []string{"-O2"}, append(link, "-lz", "-lzstd"), log)
}

// Functions of LLVM that records.cc and machine.cc take the place of.
const (
	readRecord    = "_ZN4llvm15BitstreamCursor10readRecordEjRNS_15SmallVectorImplImEEPNS_9StringRefE"
	deleteMachine = "_ZN4llvm16X86TargetMachineD0Ev"
)

// buildOnLLVM builds a program that works on LLVM's code, with the shared library.
func (t *Tools) buildOnLLVM(ctx context.Context, dir, name, source string, log *CommandLog) (string, error) {
	libs := filepath.Join(filepath.Dir(t.ClangDev.Path), "lib")
	return t.buildNative(ctx, t.ClangDev, dir, name, "", []string{source}, nil,
		[]string{"-L" + libs, "-Wl,-rpath," + libs, fmt.Sprint("-lLLVM-", llvmMajor)}, log)
}

// buildNative compiles texts from native with those headers, all at once, links them, and keeps the
// result in dir, which it makes, under that name and suffix.
func (t *Tools) buildNative(ctx context.Context, headers Program, dir, name, suffix string, texts, compile, link []string, log *CommandLog) (string, error) {
	if err := headers.Require(); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	compile = append(slices.Clone(compile), "-I"+headers.Path)
	key := digest(slices.Concat(texts, []string{t.ClangXX.Path, t.ClangXX.Version}, compile, link)...)[:16]
	return durable.Kept(dir, name+"-"+key, suffix, func(work string) (string, error) {
		objects, made := make([]string, len(texts)), filepath.Join(work, "made")
		// Two commands: one would start the compiler proper as a process of its own, which
		// outlives the driver, and with it a harness that is killed, by seconds.
		g, parallel := errgroup.WithContext(ctx)
		for i, text := range texts {
			source := filepath.Join(work, fmt.Sprintf("native%d.cc", i))
			objects[i] = source + ".o"
			g.Go(func() error {
				if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
					return err
				}
				args := slices.Concat([]string{t.ClangXX.Path, "-c", "-fno-rtti", "-O1"}, compile, []string{source, "-o", objects[i]})
				_, err := Run(parallel, Command{Log: log, Repeatable: true, Args: args})
				return err
			})
		}
		err := g.Wait()
		if err == nil {
			args := slices.Concat([]string{t.ClangXX.Path}, objects, link, []string{"-o", made})
			_, err = Run(ctx, Command{Log: log, Repeatable: true, Args: args})
		}
		return made, err
	})
}
