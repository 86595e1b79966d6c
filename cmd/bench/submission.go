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
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

func (a *app) submissionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "submission pack|verify",
		Short: "Pack a run into one file, or verify such a file",
		Long: `A submission is one file with all that somebody else needs to check a run: suites,
transcripts, records, reasons, and the SHA-256 of each. docs/howto/submissions.md describes it;
bench leaderboard ranks a directory of them.`,
		Args: noSuchCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.packCommand(), a.verifyCommand())
	return c
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
		Long: `Packs the experiment, the manifest, and of each cell its suite, transcript and record, or
the reason why it has none. The same run gives the same bytes. What only tells where the
run was made (host name, home, run and cache directory) is left out or replaced by a word;
journals, logs and scratch files stay behind. A file that holds an API key is refused.`,
		Example: "  bench submission pack results/runs/quickstart\n  bench submission pack /tmp/try --name my-tool --out my-tool.tar.gz",
		Args:    exactArgs("RUN"),
		RunE:    func(c *cobra.Command, args []string) error { return a.pack(args[0], f) },
	}
	c.Flags().StringVar(&f.out, "out", "", "file to write (default NAME"+submission.Extension+")")
	c.Flags().StringVar(&f.name, "name", "", "name of the submission in tables (default: the experiment's)")
	c.Flags().BoolVar(&f.unfinished, "unfinished", false, "pack a run that is not finished; no leaderboard ranks it")
	c.Flags().BoolVar(&f.keysChecked, "keys-checked", false, "pack text that looks like an API key: you have looked at it, and it is none")
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
		return harness.Usagef("%s is there already: remove it, or name another file with --out", out)
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
		fmt.Fprintf(a.Stderr, "bench: %d files name directories of this machine and were packed as they are, the first is %s\n", len(named), named[0])
	}
	complete := 0
	for _, c := range data.Cells {
		if c.Record != nil {
			complete++
		}
	}
	fmt.Fprintf(a.stdout, "%s: %s, %d of %d cells complete, %d files, SHA-256 %s\n", out, h.Name, complete, len(data.Cells), len(h.Files), sum)
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
