package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/run/harness"
	"github.com/lisa-bench/lisa-bench/run/validate"
)

func (a *app) validate(c *cobra.Command) action {
	var edition lisabench.Edition
	var box string
	c.Flags().StringVar((*string)(&edition), "edition", string(lisabench.Debian),
		"edition to validate: debian, debian-fresh, upstream, or upstream-REV (a commit or tag)")
	sandboxFlag(c, &box, "bwrap", "sandbox for the witnesses")
	runs := c.Flags().Int("repeats", validate.DefaultRuns, "runs of each witness on each build")
	output := a.jsonFlag(c, "print JSON")
	return func(c *cobra.Command, args []string) error {
		if !edition.Known() {
			return lisabench.NewUnknownError("edition", string(edition),
				[]string{string(lisabench.Debian), string(lisabench.Fresh), string(lisabench.Upstream)})
		}
		if *runs < 1 {
			return harness.Usagef("--repeats %d: must be at least 1", *runs)
		}
		bench, err := a.LoadBench()
		if err != nil {
			return err
		}
		chosen, err := validate.Choose(bench, args, edition)
		if err != nil {
			return &harness.UsageError{Err: err}
		}
		start := a.Now()
		all, err := a.Prove(c.Context(), bench, chosen, &validate.Proof{Edition: edition, Runs: *runs}, box)
		if err != nil {
			return err
		}
		err = output(validation{Schema: validationSchema, Corpus: bench.Version, Edition: edition, Runs: *runs, Results: all},
			func() error { return a.printValidation(all, a.Now().Sub(start)) })
		if failed := len(unproven(all)); err == nil && failed > 0 {
			err = fmt.Errorf("%d of %d bugs are not proven", failed, len(all))
		}
		return err
	}
}

// validationSchema is the version of what bench validate --json prints.
const validationSchema = 1

// validation is the JSON form of bench validate (docs/reference/lisa-bench.md).
type validation struct {
	Schema  int               `json:"schema"`
	Corpus  string            `json:"corpus"` // version
	Edition lisabench.Edition `json:"edition"`
	Runs    int               `json:"runs"` // of each witness on each build
	Results []validate.Result `json:"results"`
}

func (a *app) printValidation(all []validate.Result, took time.Duration) error {
	var rows [][]string
	proven, absent := 0, 0
	for _, r := range all {
		detail := r.Problem
		switch {
		case r.Absent():
			absent++
		case r.OK:
			proven++
			if r.Assertion != nil {
				detail = r.Assertion.Expr
			}
		}
		rows = append(rows, []string{r.Bug, string(r.Strategy), joinOutcomes(r.Reference), joinOutcomes(r.Buggy),
			string(r.Sanitizer), describeOthers(r.Others), r.Verdict(), shorten(detail, 70)})
	}
	if err := a.printTable([]string{"Bug", "Strategy", "Reference", "Buggy", "Sanitizer", "Other witnesses", "Verdict", "Failing assertion or reason"}, rows); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "proven: %d, absent: %d, not proven: %d; %.1f s\n", proven, absent, len(all)-proven-absent, took.Seconds())
	for _, r := range unproven(all) {
		fmt.Fprintf(a.stdout, "%s: %s\n", r.Bug, r.Problem)
	}
	return nil
}

func unproven(all []validate.Result) []validate.Result {
	return lists.Filter(all, func(r validate.Result) bool { return !r.OK })
}

// describeOthers shows a row of the matrix as "ok ×11" and "zlib-2 fails too (declared)".
func describeOthers(m *validate.Matrix) string {
	if m == nil {
		return ""
	}
	parts := []string{fmt.Sprintf("ok ×%d", m.Passed)}
	for _, d := range m.DraggedIn {
		word := map[bool]string{true: "declared", false: "not declared"}[d.Declared]
		parts = append(parts, fmt.Sprintf("%s fails too (%s)", d.Bug, word))
	}
	if n := len(m.Elsewhere); n > 0 {
		parts = append(parts, fmt.Sprintf("%d fail on both sides", n))
	}
	return strings.Join(parts, "\n")
}

// joinOutcomes shows equal outcomes as "ok ×3".
func joinOutcomes[S ~string](list []S) string {
	if len(list) == 0 {
		return ""
	}
	if !slices.ContainsFunc(list, func(s S) bool { return s != list[0] }) {
		return fmt.Sprintf("%s ×%d", list[0], len(list))
	}
	return strings.Trim(fmt.Sprintf("%v", list), "[]")
}

// shorten cuts s at a line's end or after n characters.
func shorten(s string, n int) string {
	s, _, _ = strings.Cut(s, "\n")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
