package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/harness"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/report"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

// verifyFlags are the flags of bench submission verify.
type verifyFlags struct {
	noExec, jsonOut, receipt bool
	sandbox                  string
	jobs                     int
}

func (a *app) verifyCommand() *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use:   "verify FILE",
		Short: "Check a submission: hashes, then everything that needs no model anew",
		Long: `Unpacks FILE, checks every hash, makes suites again where that needs no model (from the
transcript, or from the seed), measures every suite anew with this machine's builds, and
says figure by figure what holds.

Exit codes: 0 every figure holds; 1 a figure does not, or the file was changed after
packing; 2 FILE is no submission that this bench can verify; 3 nothing is refuted, but
some figures could not be decided here.`,
		Args: exactArgs("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := harness.CheckSandbox(f.sandbox); err != nil {
				return err
			}
			return a.verify(c.Context(), args[0], f)
		},
	}
	c.Flags().BoolVar(&f.noExec, "no-exec", false, "check hashes and consistency only; run nothing")
	c.Flags().BoolVar(&f.jsonOut, "json", false, "print JSON, with every figure of every cell")
	c.Flags().BoolVar(&f.receipt, "receipt", false, "if everything holds, note it in FILE"+receiptSuffix+" for bench leaderboard")
	c.Flags().StringVar(&f.sandbox, "sandbox", "bwrap", "where the programs run, whatever the submission says: bwrap, docker or none")
	c.Flags().IntVar(&f.jobs, "jobs", 0, "cells worked on at once (default: one for each CPU)")
	return c
}

// refutedError ends a verification in which figures differ.
type refutedError struct{ figures, of int }

func (e refutedError) Error() string {
	return fmt.Sprintf("%d of %d figures do not hold", e.figures, e.of)
}

// unverifiedError ends one that could not decide some figures.
type unverifiedError struct{ figures, of int }

func (e unverifiedError) Error() string {
	return fmt.Sprintf("%d of %d figures could not be decided here", e.figures, e.of)
}

func (a *app) verify(ctx context.Context, file string, f verifyFlags) (err error) {
	dir, err := os.MkdirTemp("", "bench-verify-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.Chmod(dir, 0o755); err != nil { // test programs may run as another user
		return err
	}
	unpacked := filepath.Join(dir, "submission")
	if err := os.Mkdir(unpacked, 0o755); err != nil {
		return err
	}
	sum, err := toolchain.FileSum(file)
	if err != nil {
		return &harness.UsageError{Err: err}
	}
	h, err := submission.UnpackFile(file, submission.DefaultLimits, unpacked, nil)
	if err != nil {
		return unreadable(err)
	}
	contents, err := submission.Open(unpacked)
	if err != nil {
		return unreadable(fmt.Errorf("%s: %w", file, err))
	}
	bench, err := a.LoadBench()
	if err != nil {
		return err
	}
	v := &verifier{
		app: a, flags: f, file: file, bench: bench, contents: contents, hashes: h.Hashes(), dir: dir,
		result: submission.Verification{Name: h.Name, SHA256: sum, Bench: harness.Version(), Corpus: contents.Manifest.Corpus, Files: len(h.Files)},
	}
	if err := v.run(ctx); err != nil {
		return err
	}
	return v.finish()
}

// unreadable sorts an error of reading a submission: one that was changed is refuted, one that
// is none was named by mistake.
func unreadable(err error) error {
	var invalid *submission.InvalidError
	var missing *os.PathError
	if errors.As(err, &invalid) || errors.As(err, &missing) {
		return &harness.UsageError{Err: err}
	}
	return err
}

// finish prints what was found and says how it ended.
func (v *verifier) finish() error {
	all := 0
	for _, verdict := range []submission.Verdict{submission.Holds, submission.Differs, submission.Undecided} {
		all += v.result.Count(verdict)
	}
	var err error
	if v.flags.jsonOut {
		err = v.printJSON(v.result)
	} else {
		err = report.Verification(&v.result).Text(v.stdout)
	}
	if err != nil {
		return err
	}
	if n := v.result.Count(submission.Differs); n > 0 {
		return refutedError{n, all}
	}
	if n := v.result.Count(submission.Undecided); n > 0 {
		return unverifiedError{n, all}
	}
	if v.flags.receipt && v.result.Executed {
		return v.writeReceipt(all)
	}
	return nil
}

// receiptSuffix ends the name of the file that notes a verification beside the submission.
const receiptSuffix = ".verified.json"

// A receipt notes for the leaderboard that somebody here has verified a file.
type receipt struct {
	SHA256  string `json:"sha256"` // of the submission
	Bench   string `json:"bench"`
	Corpus  string `json:"corpus"`
	Figures int    `json:"figures"` // all of which hold
}

func (v *verifier) writeReceipt(figures int) error {
	text, err := json.MarshalIndent(receipt{v.result.SHA256, v.result.Bench, v.result.Corpus, figures}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(v.file+receiptSuffix, append(text, '\n'), 0o644)
}

// verified reports whether there is a receipt for a submission with that SHA-256.
func verified(file, sum string) bool {
	var r receipt
	text, err := os.ReadFile(file + receiptSuffix)
	return err == nil && json.Unmarshal(text, &r) == nil && r.SHA256 == sum
}

// sameCorpus refuses a submission for another version of the benchmark: its bugs and libraries
// may be other ones.
func sameCorpus(c *submission.Contents, bench *lisabench.Bench) error {
	m := c.Manifest
	if m.Corpus != bench.Version {
		return fmt.Errorf("made with version %s of the benchmark, and this bench has %s: %s", cmp.Or(m.Corpus, "(unknown)"), bench.Version,
			"use the same version, and the same --bench-dir if it has libraries from outside")
	}
	for _, c := range c.Plan.Cells {
		lib, err := bench.Library(c.Library)
		if err != nil {
			return err
		}
		pin := lib.Pin(lisabench.Edition(c.Edition))
		if have := m.Sources[c.Library+" "+c.Edition]; have != pin {
			return fmt.Errorf("the source of %s (%s) is %s there and %s here", c.Library, c.Edition, cmp.Or(have, "unknown"), pin)
		}
		for _, id := range c.Bugs {
			if _, err := lib.Bug(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// otherPrograms says which programs that count coverage or assertions are of another version
// here than in the manifest, "" if none.
func otherPrograms(was, here map[string]string) string {
	for _, name := range []string{"clang", "llvm-cov", "llvm-profdata", "z3"} {
		if was[name] != here[name] {
			return fmt.Sprintf("%s is %q there and %q here", name, cmp.Or(was[name], "missing"), cmp.Or(here[name], "missing"))
		}
	}
	return ""
}

// ours are the tools whose suites follow from the transcript, and those that need only the
// seed. Nothing else is made again: what a submission's own tool would do on this machine
// is not known.
var (
	fromTranscript = []string{"citywalk", "lisa", "lisa-api", "vanilla"}
	fromSeed       = []string{"randoop"}
)

// pathParams are parameters that name files outside of the run.
var pathParams = []string{"seeds", "contracts"}

// remakes says from what a cell's suite can be made again, or why it cannot.
func remakes(c *checked, hasTranscript bool) (from, whyNot string) {
	tool := c.Cell.Tool
	for _, name := range pathParams {
		if c.plan.Params[name] != nil {
			return "", fmt.Sprintf("its parameter %s names files that are not in the submission", name)
		}
	}
	switch {
	case slices.Contains(fromTranscript, tool) && hasTranscript:
		return "its transcript", ""
	case slices.Contains(fromTranscript, tool):
		return "", "it has no transcript"
	case slices.Contains(fromSeed, tool):
		return "its seed", ""
	}
	return "", "the tool is not run again: only the suite that it left is measured"
}
