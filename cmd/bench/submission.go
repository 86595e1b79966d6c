package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/harness"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

func (a *app) submissionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "submission pack|verify",
		Short: "Pack a run into one file, and verify such a file from anybody",
		Long: `A submission is one file with all that somebody else needs to check a run: suites,
transcripts, records, reasons, and the SHA-256 of each. docs/submissions.md describes it;
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
		Short: "Make one file of a finished run",
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
	options, err := a.packOptions(data, f)
	if err != nil {
		return err
	}
	out := cmp.Or(f.out, options.Name+submission.Extension)
	if _, err := os.Lstat(out); err == nil {
		return harness.Usagef("%s is there already: remove it, or name another file with --out", out)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	h, named, sum, err := packTo(out, data, options)
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

// packOptions says what to call the submission, and what must not be in it.
func (a *app) packOptions(data *results.Data, f packFlags) (submission.Options, error) {
	o := submission.Options{Name: cmp.Or(f.name, data.Manifest.Name), Unfinished: f.unfinished, KeysChecked: f.keysChecked}
	if err := submission.CheckName(o.Name); err != nil {
		return o, harness.Usagef("%w: give another with --name", err)
	}
	var exp experiments.Experiment
	if err := yaml.Unmarshal(data.Experiment, &exp); err != nil {
		return o, fmt.Errorf("%s: %w", filepath.Join(data.Dir, "experiment.yaml"), err)
	}
	keys := []string{llm.DefaultKeyEnv}
	here := func(dir, word string) {
		if filepath.IsAbs(dir) && dir != "/" {
			o.Here = append(o.Here, submission.Place{Dir: filepath.Clean(dir), Word: word})
		}
	}
	here(data.Dir, "RUN")
	here(a.Getenv("HOME"), "~")
	if cache, err := a.CachePath(); err == nil {
		here(cache, "CACHE")
	}
	if exp.LLM != nil {
		here(exp.LLM.Dir, "ANSWERS")
		keys = append(keys, exp.LLM.APIKeyEnv)
	}
	const shortest = 8 // what is shorter is no key, and may be anywhere
	for _, name := range keys {
		if key := strings.TrimSpace(a.Getenv(name)); len(key) >= shortest {
			o.Keys = append(o.Keys, key)
		}
	}
	return o, nil
}

// packTo writes the archive, whole or not at all, and returns its SHA-256.
func packTo(out string, data *results.Data, o submission.Options) (h *submission.Header, named []string, sum string, err error) {
	to, err := os.CreateTemp(filepath.Dir(out), ".tmp-submission-")
	if err != nil {
		return nil, nil, "", err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(to.Name()))
		}
	}()
	hash := sha256.New()
	h, named, err = submission.Pack(io.MultiWriter(to, hash), data, o)
	if err = errors.Join(err, to.Chmod(0o644), to.Sync(), to.Close()); err != nil {
		return nil, nil, "", err
	}
	return h, named, hex.EncodeToString(hash.Sum(nil)), os.Rename(to.Name(), out)
}
