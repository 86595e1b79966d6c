package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/report/published"
	"github.com/lisa-bench/lisa-bench/report/render"
	"github.com/lisa-bench/lisa-bench/results/paper"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

// paperFormats write the paper's document as one text.
var paperFormats = map[string]printer{
	"text": render.Text, "markdown": render.Markdown, "json": render.JSON, "html": render.HTML,
	"latex": render.LaTeX,
	"csv":   func(w io.Writer, d *doc.Document) error { return printOnly(d, published.Data, w) }, // one row for each number
}

func (a *app) paper(c *cobra.Command) action {
	chosen := formatFlags(c, paperFormats, "text")
	table := c.Flags().String("table", "", "show only this `TABLE` of the paper, by its label")
	required := c.Flags().StringSlice("require", nil, "`CLAIM` that must hold (repeatable)")
	return func(_ *cobra.Command, args []string) error {
		p, err := onlyTable(paper.Published(), *table)
		if err != nil {
			return err
		}
		var claims []string
		for _, c := range p.Claims {
			claims = append(claims, c.ID)
		}
		if err := lisabench.CheckKnown("claim", claims, *required...); err != nil {
			return err
		}
		if len(args) == 0 {
			return a.paperAlone(p, *required, chosen())
		}
		return a.paperBeside(p, args[0], *required, chosen())
	}
}

// onlyTable returns the paper with one table; the whole paper if table is empty.
func onlyTable(p *paper.Paper, table string) (*paper.Paper, error) {
	if table == "" {
		return p, nil
	}
	if only := p.Only(table); only != nil {
		return only, nil
	}
	var known []string
	for _, t := range p.Tables {
		known = append(known, strings.TrimPrefix(cmp.Or(t.Place.Label, t.ID), "tab:"))
	}
	return nil, lisabench.NewUnknownError("table", table, known)
}

func (a *app) paperAlone(p *paper.Paper, required []string, write printer) error {
	if err := write(a.stdout, published.Alone(p)); err != nil {
		return err
	}
	var failed []string
	for _, id := range required {
		check := p.Claim(id).Check(p)
		if check.Mark == paper.Differs || check.Mark == paper.DoesNotHold {
			failed = append(failed, fmt.Sprintf("%s (%s)", id, check.Mark))
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("the paper's own cells do not bear out: %s", strings.Join(failed, ", "))
	}
	return nil
}

func (a *app) paperBeside(p *paper.Paper, dir string, required []string, write printer) error {
	bench, err := a.LoadBench()
	if err != nil {
		return err
	}
	run, err := measured.Read(dir, bench, harness.Stages)
	if err != nil {
		return err
	}
	beside, claims := published.Beside(p, filepath.Base(filepath.Clean(dir)), run, required)
	if err := write(a.stdout, beside); err != nil {
		return err
	}
	return requireClaims(claims, required)
}

// requireClaims is nil if all required claims stand. A contradiction weighs more than a gap.
func requireClaims(claims []paper.ClaimComparison, required []string) error {
	var failed, open []string
	for _, c := range claims {
		switch {
		case !slices.Contains(required, c.Claim.ID):
		case c.Verdict.Failed():
			failed = append(failed, c.Claim.ID)
		case c.Verdict.Open():
			open = append(open, fmt.Sprintf("%s (%s: %s)", c.Claim.ID, c.Verdict, c.Reason))
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("the run contradicts: %s", strings.Join(failed, ", "))
	}
	if len(open) > 0 {
		return unfinishedf("the run does not decide: %s", strings.Join(open, ", "))
	}
	return nil
}
