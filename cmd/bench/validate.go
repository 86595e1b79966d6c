package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/subject"
	"github.com/lisa-bench/lisa-bench/internal/validate"
)

// witnessTimeout bounds a witness that does not say what it needs.
const witnessTimeout = 10 * time.Second

func (a *app) validateCommand() *cobra.Command {
	var edition, box string
	var runs int
	var asJSON bool
	c := &cobra.Command{
		Use:   "validate [LIBRARY|BUG]...",
		Short: "Prove bugs by their witnesses: 0 on the reference, failing on the buggy build",
		Long: `Builds both sides of each bug and runs its witness on them, compiled and linked
stand-alone. A bug holds if the witness passes on the reference in every run, fails
in the same way on the buggy build in every run, and is quiet under ASan and UBSan on
the reference. Without arguments, validates every bug of the edition.`,
		Example: "  bench validate\n  bench validate zlib cjson-3 --json",
		RunE: func(c *cobra.Command, args []string) error {
			ed := lisabench.Edition(edition)
			if !slices.Contains(lisabench.Editions, ed) {
				return usageError{lisabench.NewUnknownError("edition", edition, []string{string(lisabench.Debian), string(lisabench.Upstream)})}
			}
			if err := checkSandbox(box); err != nil {
				return err
			}
			if runs < 1 {
				return usageError{fmt.Errorf("--runs %d: a witness must be run at least once", runs)}
			}
			bench, err := lisabench.Load(lisabench.Embedded())
			if err != nil {
				return err
			}
			chosen, err := choose(bench, args, ed)
			if err != nil {
				return err
			}
			return a.validateBugs(c.Context(), bench, chosen, ed, box, runs, asJSON)
		},
	}
	c.Flags().StringVar(&edition, "edition", string(lisabench.Debian), "edition to validate: debian or upstream")
	c.Flags().StringVar(&box, "sandbox", "bwrap", "where witnesses run: bwrap, docker or none")
	c.Flags().IntVar(&runs, "runs", validate.DefaultRuns, "runs of each witness on each build")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// A choice is a library with the bugs to validate.
type choice struct {
	library *lisabench.Library
	bugs    []*lisabench.Bug
}

// choose resolves names of libraries and bugs; none means everything the edition has.
func choose(bench *lisabench.Bench, names []string, ed lisabench.Edition) ([]choice, error) {
	wanted := map[string]bool{}
	var known []string
	for _, l := range bench.Libraries {
		known = append(known, l.Name)
		for _, b := range l.Bugs {
			known = append(known, b.ID)
		}
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, lisabench.NewUnknownError("library or bug", n, known)
		}
		wanted[n] = true
	}
	var chosen []choice
	for _, l := range bench.Libraries {
		c := choice{library: l}
		for _, b := range l.Bugs {
			if len(names) == 0 || wanted[l.Name] || wanted[b.ID] {
				c.bugs = append(c.bugs, b)
			}
		}
		switch {
		case len(c.bugs) == 0:
		case l.Has(ed):
			chosen = append(chosen, c)
		case len(names) > 0:
			return nil, usageError{fmt.Errorf("library %s has no %s edition", l.Name, ed)}
		}
	}
	return chosen, nil
}

func (a *app) validateBugs(ctx context.Context, bench *lisabench.Bench, chosen []choice, ed lisabench.Edition, box string, runs int, asJSON bool) (err error) {
	cache, err := a.cache()
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp(cache, "validate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if err := os.Chmod(scratch, 0o755); err != nil { // the sandbox's user reads from it
		return err
	}
	shop, err := a.workshop(ctx, bench, workplace{sandbox: box, scratch: scratch, jobs: 1, limits: subject.TestLimits(witnessTimeout)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shop.Close()) }()
	start := a.now()
	var all []validate.Result
	for _, c := range chosen {
		results, err := a.validateLibrary(ctx, shop, c, ed, runs)
		if err != nil {
			return err
		}
		all = append(all, results...)
	}
	if asJSON {
		if err := a.printJSON(all); err != nil {
			return err
		}
	} else if err := a.printValidation(all, a.now().Sub(start)); err != nil {
		return err
	}
	if slices.ContainsFunc(all, func(r validate.Result) bool { return !r.OK }) {
		return errSilent
	}
	return nil
}

func (a *app) validateLibrary(ctx context.Context, shop *subject.Workshop, c choice, ed lisabench.Edition, runs int) ([]validate.Result, error) {
	lib, err := shop.Open(ctx, c.library.Name, ed)
	if err != nil {
		return nil, err
	}
	v := validate.Validator{Library: c.library, Edition: ed, Builds: lib, Runner: lib.Engine, Runs: runs}
	results := make([]validate.Result, len(c.bugs))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU())
	for i, bug := range c.bugs {
		g.Go(func() (err error) {
			results[i], err = v.Bug(ctx, bug)
			return err
		})
	}
	return results, g.Wait()
}

func (a *app) printValidation(all []validate.Result, took time.Duration) error {
	var rows [][]string
	proven, absent := 0, 0
	for _, r := range all {
		verdict, detail := "proven", ""
		switch {
		case r.Absent():
			verdict, detail = "absent", r.Problem
			absent++
		case r.OK:
			proven++
			if r.Assertion != nil {
				detail = r.Assertion.Expr
			}
		default:
			verdict, detail = "FAILED", r.Problem
		}
		rows = append(rows, []string{r.Bug, string(r.Strategy), joinOutcomes(r.Reference), joinOutcomes(r.Buggy),
			string(r.Sanitizer), verdict, shorten(detail, 70)})
	}
	if err := a.printTable([]string{"Bug", "Strategy", "Reference", "Buggy", "Sanitizer", "Verdict", "Failing assertion or reason"}, rows); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%d bugs proven, %d absent, %d failed in %.1f s\n", proven, absent, len(all)-proven-absent, took.Seconds())
	for _, r := range all {
		if !r.OK {
			fmt.Fprintf(a.stdout, "%s: %s\n", r.Bug, r.Problem)
		}
	}
	return nil
}

// joinOutcomes shows equal outcomes as "ok ×3".
func joinOutcomes[S ~string](list []S) string {
	if len(list) == 0 {
		return ""
	}
	if !slices.ContainsFunc(list, func(s S) bool { return s != list[0] }) {
		return fmt.Sprintf("%s ×%d", list[0], len(list))
	}
	var words []string
	for _, s := range list {
		words = append(words, string(s))
	}
	return strings.Join(words, ", ")
}

// shorten cuts s at a line's end or after n characters.
func shorten(s string, n int) string {
	s, _, _ = strings.Cut(s, "\n")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
