package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/report"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/report/render"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

// A printer writes a document in one format.
type printer func(io.Writer, *doc.Document) error

// printers are the formats of every report.
var printers = map[string]printer{
	"text":     render.Text,
	"markdown": render.Markdown,
	"json":     render.JSON,
	"html":     render.HTML,
}

func (a *app) report(c *cobra.Command) action {
	chosen := formatFlags(c, printers, "")
	only := c.Flags().String("only", "", "print the table `NAME` as CSV, or the figure NAME as SVG")
	c.MarkFlagsMutuallyExclusive("format", "json", "only")
	return func(_ *cobra.Command, args []string) error {
		bench, err := a.LoadBench()
		if err != nil {
			return err
		}
		doc, err := buildReport(args[0], bench)
		if err != nil {
			return err
		}
		if *only != "" {
			return printOnly(doc, *only, a.stdout)
		}
		if print := chosen(); print != nil {
			return print(a.stdout, doc)
		}
		dir := filepath.Join(args[0], "report")
		fmt.Fprintf(a.Stderr, "report: %s\n", filepath.Join(dir, "index.html"))
		return render.Write(doc, dir, a.warn)
	}
}

// show prints the answer of a report and the next commands. With full it prints the other sections first, so that the
// answer stays in sight.
func (a *app) show(d *doc.Document, full bool, next ...string) error {
	if full {
		rest := *d
		rest.Sections = slices.DeleteFunc(slices.Clone(d.Sections), func(s doc.Section) bool { return s.ID == "answer" })
		if err := render.Text(a.stdout, &rest); err != nil {
			return err
		}
		fmt.Fprintln(a.stdout)
	}
	if err := render.Headline(a.stdout, d, a.width, a.colour); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "\nNext:\n  %s\n", strings.Join(next, "\n  "))
	return nil
}

// printOnly prints one table or figure of a report.
func printOnly(doc *doc.Document, id string, w io.Writer) error {
	data, err := render.Only(doc, id)
	if err != nil {
		return err
	}
	if data == nil {
		return lisabench.NewUnknownError("table or figure", id, doc.Names())
	}
	_, err = w.Write(data)
	return err
}

// buildReport makes the report of a run directory.
func buildReport(dir string, bench *lisabench.Bench) (*doc.Document, error) {
	run, err := measured.Read(dir, bench, harness.Stages)
	if err != nil {
		return nil, err
	}
	return report.Build(run), nil
}
