package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

// scaffolds are the files that a new bug or library starts from.
//
//go:embed scaffold
var scaffolds embed.FS

func (a *app) bugInit(*cobra.Command) action {
	return func(_ *cobra.Command, args []string) error {
		dir, library, id, ext := args[0], args[1], args[2], trial.C.Ext()
		if bench, err := a.LoadBench(); err != nil {
			return err
		} else if l, err := bench.Library(library); err == nil {
			ext = l.Language.Ext()
		}
		base := filepath.Join(dir, library, "bugs", id)
		words := strings.NewReplacer("DIR", dir, "LIBRARY", library, "IDEXT", id+ext, "ID", id,
			"DEFECTS", strings.Join(lisabench.Defects, ", "))
		return a.scaffold(scaffolds, words, draft{"scaffold/bug.c", base + ext}, draft{"scaffold/bug.yaml", base + ".yaml"})
	}
}

func (a *app) libraryInit(*cobra.Command) action {
	return func(_ *cobra.Command, args []string) error {
		return a.scaffold(scaffolds, strings.NewReplacer("DIR", args[0], "LIBRARY", args[1]),
			draft{"scaffold/library.yaml", filepath.Join(args[0], args[1], "library.yaml")})
	}
}

// A draft is a file to write, and the one with placeholders that it is made from.
type draft struct{ from, to string }

// scaffold writes files that are not there yet. Of those of a tool, all but the experiment can be executed.
func (a *app) scaffold(files fs.FS, words *strings.Replacer, drafts ...draft) error {
	for _, d := range drafts {
		text, err := fs.ReadFile(files, d.from)
		if err != nil {
			return err
		}
		mode := os.FileMode(0o755)
		if slices.Contains([]string{".yaml", ".c", ".cpp"}, filepath.Ext(d.to)) {
			mode = 0o644
		}
		var f *os.File
		if err = os.MkdirAll(filepath.Dir(d.to), 0o755); err == nil {
			f, err = os.OpenFile(d.to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		}
		if errors.Is(err, fs.ErrExist) {
			return harness.Usagef("%s already exists: choose another directory, or move it away", d.to)
		}
		if err != nil {
			return &harness.UsageError{Err: err}
		}
		_, err = f.WriteString(words.Replace(string(text)))
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
		fmt.Fprintln(a.stdout, d.to)
	}
	return nil
}
