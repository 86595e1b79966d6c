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
	"github.com/lisa-bench/lisa-bench/report/published"
	"github.com/lisa-bench/lisa-bench/report/render"
	"github.com/lisa-bench/lisa-bench/results/paper"
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
		document, refuted := published.Alone(p), "the paper's own cells do not bear out"
		var failed, open []string // of the required claims
		if len(args) == 0 {
			for _, id := range *required {
				if mark := p.Claim(id).Check(p).Mark; mark == paper.Differs || mark == paper.DoesNotHold {
					failed = append(failed, fmt.Sprintf("%s (%s)", id, mark))
				}
			}
		} else {
			run, err := a.readRun(args[0])
			if err != nil {
				return err
			}
			var compared []paper.ClaimComparison
			document, compared = published.Beside(p, filepath.Base(filepath.Clean(args[0])), run, *required)
			refuted = "the run contradicts"
			for _, c := range compared {
				switch {
				case !slices.Contains(*required, c.Claim.ID):
				case c.Verdict.Failed():
					failed = append(failed, c.Claim.ID)
				case c.Verdict.Open():
					open = append(open, fmt.Sprintf("%s (%s: %s)", c.Claim.ID, c.Verdict, c.Reason))
				}
			}
		}
		err = chosen()(a.stdout, document)
		switch {
		case err != nil:
			return err
		case len(failed) > 0: // a contradiction weighs more than a gap
			return fmt.Errorf("%s: %s", refuted, strings.Join(failed, ", "))
		case len(open) > 0:
			return unfinishedf("the run does not decide: %s", strings.Join(open, ", "))
		}
		return nil
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
