package libbuild

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// replaySource is the main program that replays a corpus; its first comment has the protocol.
//
//go:embed replay/main.c
var replaySource string

// A FuzzBuild is one official harness, unmodified, built for one tree of its library.
type FuzzBuild struct {
	Target string
	Dir    string // absolute; holds the files below, all immutable
	// Executable is the harness linked with libFuzzer, ASan and the Fuzzer variant's archive.
	Executable string
	// Replay is the harness and a main that replays inputs, compiled plainly into a bare
	// shared object: it takes the library from whichever variant is loaded before it.
	Replay   string
	Commands string // log of whole command lines, a shell script that can be replayed
}

// FuzzTarget builds a harness for r's tree, from the cache or now; r.Variant is ignored.
// The harness must be there: a target with Missing set is refused.
func (b *Builder) FuzzTarget(ctx context.Context, r Request, t trial.FuzzTarget) (*FuzzBuild, error) {
	fail := func(err error) (*FuzzBuild, error) {
		return nil, fmt.Errorf("library %s: fuzz target %s: %w", r.Library.Name, t.Name, err)
	}
	if t.Missing != "" {
		return fail(errors.New(t.Missing))
	}
	r.Variant = Fuzzer
	lib, err := b.Build(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("fuzz target %s: %w", t.Name, err) // it names the library itself
	}
	source, err := durable.FileSum(t.Source)
	if err != nil {
		return fail(err)
	}
	// The library's key covers its tree, and with it every header that a harness there can
	// include; so it does not matter where the tree lies.
	place, err := filepath.Rel(r.Tree.Dir, t.Source)
	if err != nil || !filepath.IsLocal(place) {
		place = t.Source
	}
	key := hashOf(schema, lib.Key, t.Name, place, source, t.IncludeDir, t.Defines, replaySource)
	build := fuzzBuildIn(filepath.Join(b.cache, "fuzz", r.Library.Name+"-"+t.Name+"-"+key[:16]), t.Name)
	err = b.once(build.Dir, func(tmp string) error {
		b.log.Info("building fuzz target", "library", r.Library.Name, "target", t.Name, "dir", build.Dir)
		return b.makeFuzzTarget(ctx, r, t, lib, fuzzBuildIn(tmp, t.Name))
	})
	if err != nil {
		return fail(err)
	}
	return build, nil
}

func fuzzBuildIn(dir, target string) *FuzzBuild {
	return &FuzzBuild{
		Target:     target,
		Dir:        dir,
		Executable: filepath.Join(dir, target),
		Replay:     filepath.Join(dir, target+"-replay.so"),
		Commands:   filepath.Join(dir, "commands.sh"),
	}
}

// makeFuzzTarget compiles the harness twice and links both forms.
func (b *Builder) makeFuzzTarget(ctx context.Context, r Request, t trial.FuzzTarget, lib *Build, out *FuzzBuild) error {
	recipe := r.Library.RecipeFor(r.Edition)
	logFile, err := os.Create(out.Commands)
	if err != nil {
		return err
	}
	defer logFile.Close()
	log := toolchain.NewCommandLog(logFile)
	tree, err := b.prepare(ctx, r, recipe, log)
	if err != nil {
		return err
	}
	flags := harnessFlags(r, recipe, t, lib)
	main := filepath.Join(out.Dir, "replay.c")
	if err := os.WriteFile(main, []byte(replaySource), 0o644); err != nil {
		return err
	}
	fuzz, plain, replay := filepath.Join(out.Dir, "fuzz.o"), filepath.Join(out.Dir, "plain.o"), filepath.Join(out.Dir, "replay.o")
	compiler := b.compilerFor(t.Source)
	linker, symbolic := compiler, "-Wl,-Bsymbolic"
	if isCXX(t.Source) || r.Library.Language == trial.CXX {
		// As toolchain.Linker.LinkShared: what a header defines for both is there once.
		linker, symbolic = b.tools.ClangXX.Path, "-Wl,-Bsymbolic-functions"
	}
	commands := [][]string{
		slices.Concat([]string{compiler, "-c"}, Fuzzer.compileFlags(), flags, []string{"-o", fuzz, t.Source}),
		slices.Concat([]string{linker, "-fsanitize=fuzzer,address", "-o", out.Executable, fuzz, lib.StaticLib}, lib.LinkLibs),
		slices.Concat([]string{compiler, "-c"}, Plain.compileFlags(), flags, []string{"-o", plain, t.Source}),
		slices.Concat([]string{b.tools.Clang.Path, "-c"}, Plain.compileFlags(), []string{"-o", replay, main}),
		// The library's symbols stay undefined. The harness's own functions win over the library's, as in an executable.
		{linker, "-shared", symbolic, "-o", out.Replay, plain, replay},
	}
	for _, args := range commands {
		if _, err := toolchain.Run(ctx, toolchain.Command{Args: args, Dir: tree, Log: log}); err != nil {
			return err
		}
	}
	for _, object := range []string{fuzz, plain, replay} {
		if err := os.Remove(object); err != nil {
			return err
		}
	}
	return errors.Join(log.Err(), logFile.Sync())
}

// harnessFlags lets the harness see the library as its own sources do.
func harnessFlags(r Request, recipe lisabench.Recipe, t trial.FuzzTarget, lib *Build) []string {
	var flags []string
	if isCXX(t.Source) == (r.Library.Language == trial.CXX) {
		flags = append(flags, recipe.CFlags...) // such as the language standard
	}
	for _, d := range slices.Concat([]string{lib.IncludeDir, "."}, recipe.Includes, t.IncludeDir) {
		flags = append(flags, "-I"+d)
	}
	for _, d := range slices.Concat(recipe.Defines, t.Defines) {
		flags = append(flags, "-D"+d)
	}
	return flags
}

// compilerFor returns the driver for a harness, which may be C++ whatever its library is.
func (b *Builder) compilerFor(source string) string {
	if isCXX(source) {
		return b.tools.ClangXX.Path
	}
	return b.tools.Clang.Path
}
