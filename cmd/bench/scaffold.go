package main

import (
	"embed"
	"errors"
	"fmt"
	"maps"
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

func (a *app) bugCommand() *cobra.Command {
	return group(&cobra.Command{Use: "bug", Short: "Start a bug of your own"}, &cobra.Command{
		Use:   "init DIR LIBRARY ID",
		Short: "Write the files of a bug to start from",
		Long: `Writes DIR/LIBRARY/bugs/ID.yaml, which says how the bug comes back, and its witness, a program
that passes without the bug and fails with it. Comments say how to go on. Existing files are
not overwritten. A bug is of one of these defect classes:

  ` + strings.Join(lisabench.Defects, "\n  "),
		Example: "  bench bug init mine zlib zlib-99 && bench validate zlib-99 --bench-dir mine",
		Args:    exactArgs("DIR", "LIBRARY", "ID"),
		RunE: func(_ *cobra.Command, args []string) error {
			ext := trial.C.Ext()
			if bench, err := a.LoadBench(); err != nil {
				return err
			} else if l, err := bench.Library(args[1]); err == nil {
				ext = l.Language.Ext()
			}
			base := filepath.Join(args[0], args[1], "bugs", args[2])
			words := strings.NewReplacer("DIR", args[0], "LIBRARY", args[1], "IDEXT", args[2]+ext, "ID", args[2],
				"DEFECTS", strings.Join(lisabench.Defects, ", "))
			return a.scaffold(words, map[string]string{"bug.yaml": base + ".yaml", "bug.c": base + ext})
		},
	})
}

func (a *app) libraryCommand() *cobra.Command {
	return group(&cobra.Command{Use: "library", Short: "Start a library of your own"}, &cobra.Command{
		Use:   "init DIR LIBRARY",
		Short: "Write the file of a library to start from",
		Long: `Writes DIR/LIBRARY/library.yaml: where the source comes from, what is compiled, and which
headers are public. Comments say how to go on. An existing file is not overwritten.`,
		Example: "  bench library init mine utf8proc && bench validate utf8proc --bench-dir mine",
		Args:    exactArgs("DIR", "LIBRARY"),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.scaffold(strings.NewReplacer("DIR", args[0], "LIBRARY", args[1]),
				map[string]string{"library.yaml": filepath.Join(args[0], args[1], "library.yaml")})
		},
	})
}

// scaffold writes files, each from the scaffold that is its key, with its placeholders replaced.
func (a *app) scaffold(words *strings.Replacer, files map[string]string) error {
	for _, from := range slices.Sorted(maps.Keys(files)) {
		to := files[from]
		text, err := scaffolds.ReadFile("scaffold/" + from)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return &harness.UsageError{Err: err}
		}
		f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return &harness.UsageError{Err: err}
		}
		_, err = f.WriteString(words.Replace(string(text)))
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
		fmt.Fprintln(a.stdout, to)
	}
	return nil
}
