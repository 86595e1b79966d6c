package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/run/harness"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

func (a *app) submissionCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "submission pack|verify",
		Short: "Pack a run into one file for others, or verify such a file",
		Long: `A submission is one file with everything that others need to check a run: suites,
transcripts, records, reasons for incomplete cells, and the SHA-256 of each file
(docs/howto/submissions.md). bench leaderboard ranks a directory of submissions.`,
	}, a.packCommand(), a.verifyCommand())
}

// packFlags are the flags of bench submission pack.
type packFlags struct {
	out, name               string
	unfinished, keysChecked bool
}

func (a *app) packCommand() *cobra.Command {
	var f packFlags
	c := &cobra.Command{
		Use:   "pack RUN",
		Short: "Pack a finished run into one file",
		Long: `Packs the experiment, the manifest, and the suite, transcript and record of each cell, or
the reason why it has none. The same run always gives the same bytes. Names of the host and
of directories are left out or replaced; journals, logs and scratch files are not packed. A
file that contains an API key is refused.`,
		Example: "  bench submission pack results/runs/quickstart\n  bench submission pack /tmp/try --name my-tool --out my-tool.tar.gz",
		Args:    exactArgs("RUN"),
		RunE:    func(c *cobra.Command, args []string) error { return a.pack(args[0], f) },
	}
	c.Flags().StringVar(&f.out, "out", "", "`FILE` to write (default NAME"+submission.Extension+")")
	c.Flags().StringVar(&f.name, "name", "", "`NAME` of the submission in tables (default: the experiment's)")
	c.Flags().BoolVar(&f.unfinished, "unfinished", false, "pack a run that is not finished; leaderboards do not rank it")
	c.Flags().BoolVar(&f.keysChecked, "keys-checked", false, "pack text that looks like an API key; only if you have checked that it is none")
	return c
}

func (a *app) pack(dir string, f packFlags) error {
	data, err := loadRun(dir)
	if err != nil {
		return err
	}
	options, err := a.PackOptions(data)
	if err != nil {
		return err
	}
	options.Unfinished, options.KeysChecked = f.unfinished, f.keysChecked
	options.Name = cmp.Or(f.name, options.Name)
	if err := submission.CheckName(options.Name); err != nil {
		return harness.Usagef("%w: give another with --name", err)
	}
	out := cmp.Or(f.out, options.Name+submission.Extension)
	if _, err := os.Lstat(out); err == nil {
		return harness.Usagef("%s already exists: remove it, or choose another file with --out", out)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	h, named, sum, err := submission.PackFile(out, data, options)
	var unfinished *submission.UnfinishedError
	var key *submission.KeyError
	if errors.As(err, &unfinished) || errors.As(err, &key) {
		return &harness.UsageError{Err: err}
	}
	if err != nil {
		return err
	}
	if len(named) > 0 {
		fmt.Fprintf(a.Stderr, "bench: %d files contain directory names of this machine and were packed unchanged; the first is %s\n", len(named), named[0])
	}
	complete := 0
	for _, c := range data.Cells {
		if c.Record != nil {
			complete++
		}
	}
	fmt.Fprintf(a.stdout, "%s: %s, %d of %d cells complete, %s, SHA-256 %s\n", out, h.Name, complete, len(data.Cells), trial.Count(len(h.Files), "file"), sum)
	return nil
}

// loadRun reads a run directory that a user has named.
func loadRun(dir string) (*results.Data, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	data, err := results.Load(abs)
	if err != nil {
		return nil, &harness.UsageError{Err: err}
	}
	return data, nil
}
