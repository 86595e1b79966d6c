package toolchain

import (
	"context"
	_ "embed" // the program's sources
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// The source of the program that puts watches into a translation unit is in three files: what of one module another
// has, two versions of a function, and the unit with all its versions.
var (
	//go:embed native/watch_modules.cc
	watchModules string
	//go:embed native/watch_functions.cc
	watchFunctions string
	//go:embed native/watch.cc
	watchUnit string

	watchSource = watchModules + watchFunctions + watchUnit
)

// WatchVersion changes with what a Watcher puts into the same unit.
var WatchVersion = digest(watchSource)[:16]

// A Watcher compiles units that count where changed versions of them would do something else.
type Watcher struct {
	tools   *Tools
	program string
	log     *CommandLog
}

// NewWatcher keeps its program in dir, which it makes; the first one for a machine takes 10 s. log may be nil.
func (t *Tools) NewWatcher(ctx context.Context, dir string, log *CommandLog) (*Watcher, error) {
	program, err := t.buildOnLLVM(ctx, dir, "watch", watchSource, log)
	if err != nil {
		return nil, fmt.Errorf("build the program that puts watches in: %w", err)
	}
	return &Watcher{tools: t, program: program, log: log}, nil
}

// A WatchedVersion is a changed version of a unit.
type WatchedVersion struct {
	Dir    string // working directory of its compilation
	Symbol string // of its counter
}

// Compile compiles a unit into the object file out, with a counter for each version: it stays 0 in a process in
// which that version would have done the same (native/watch_modules.cc). The arguments args are the unit's compile command with its
// input and without output options, and dir is its working directory, work an empty one for files. why[k] says why
// versions[k] cannot be watched; it is "" if it is.
func (w *Watcher) Compile(ctx context.Context, dir string, args []string, versions []WatchedVersion, work, out string) (why []string, err error) {
	bitcode := func(dir, name string) (string, error) {
		path := filepath.Join(work, name+".bc")
		_, err := Run(ctx, Command{Dir: dir, Log: w.log, Repeatable: true, Args: slices.Concat(args, []string{"-w", "-Xclang", "-disable-llvm-passes",
			"-Xclang", "-disable-lifetime-markers", "-fno-discard-value-names", "-emit-llvm", "-o", path})})
		return path, err
	}
	unit, err := bitcode(dir, "unit")
	if err != nil {
		return nil, err
	}
	watched := filepath.Join(work, "watched.bc")
	watch := []string{w.program, watched, unit}
	for _, v := range versions {
		version, err := bitcode(v.Dir, v.Symbol)
		if err != nil {
			return nil, err
		}
		watch = append(watch, v.Symbol, version)
	}
	var said strings.Builder
	if _, err := Run(ctx, Command{Args: watch, Log: w.log, Stdout: &said}); err != nil {
		return nil, err
	}
	why = strings.Split(strings.TrimSuffix(said.String(), "\n"), "\n")
	if len(why) != len(versions) {
		return nil, fmt.Errorf("of %d versions watches were put in for %d", len(versions), len(why))
	}
	last := len(args) - 1 // the input
	_, err = Run(ctx, Command{Dir: dir, Log: w.log, Repeatable: true, Args: slices.Concat(args[:last], []string{"-w", "-x", "ir", watched, "-o", out})})
	return why, err
}
