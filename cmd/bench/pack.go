package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/results/submission"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) packCommand() *cobra.Command {
	var out string
	var checked bool
	c := &cobra.Command{
		Use:   "pack RUN",
		Short: "Pack a run into one file for others",
		Long: `Packs the experiment, the manifest, and the suite, transcript and record of each cell, or
the reason why it has none, as a .tar.gz file (docs/howto/submissions.md). Logs, locks and
scratch files stay behind. The same run always gives the same bytes. A file that contains an
API key is refused.`,
		Example: "  bench pack results/runs/quickstart\n  bench pack /tmp/try --out my-tool.tar.gz",
		Args:    exactArgs("RUN"),
		RunE:    func(c *cobra.Command, args []string) error { return a.pack(args[0], out, checked) },
	}
	c.Flags().StringVar(&out, "out", "", "`FILE` to write; its name is that of the run in a leaderboard (default NAME"+submission.Extension+")")
	c.Flags().BoolVar(&checked, "keys-checked", false, "pack text that looks like an API key; only if you have checked that it is none")
	return c
}

func (a *app) pack(dir, out string, checked bool) error {
	data, err := results.Load(dir)
	if err != nil {
		return &harness.UsageError{Err: err}
	}
	out = cmp.Or(out, data.Manifest.Name+submission.Extension)
	if _, err := os.Lstat(out); err == nil {
		return harness.Usagef("%s already exists: remove it, or choose another file with --out", out)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	keys, err := submission.Keys(data.Experiment, llm.DefaultKeyEnv, a.Getenv)
	if err != nil {
		return &harness.UsageError{Err: err}
	}
	files, err := packTo(out, dir, keys, checked)
	var key *submission.KeyError
	if errors.As(err, &key) {
		return &harness.UsageError{Err: err}
	}
	if err != nil {
		return err
	}
	complete := 0
	for _, c := range data.Cells {
		if c.Record != nil {
			complete++
		}
	}
	fmt.Fprintf(a.stdout, "%s: %d of %d cells complete, %d files\n", out, complete, len(data.Cells), files)
	return nil
}

// packTo writes the file whole or not at all.
func packTo(out, dir string, keys []string, checked bool) (files int, err error) {
	to, err := os.CreateTemp(filepath.Dir(out), ".tmp-pack-")
	if err != nil {
		return 0, err
	}
	files, err = submission.Pack(to, dir, keys, checked)
	if err = errors.Join(err, to.Chmod(0o644), to.Sync(), to.Close()); err != nil {
		return 0, errors.Join(err, os.Remove(to.Name()))
	}
	return files, os.Rename(to.Name(), out)
}
