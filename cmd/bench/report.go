package main

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/report"
	"github.com/lisa-bench/lisa-bench/internal/report/render"
	"github.com/lisa-bench/lisa-bench/internal/run/harness"
)

// terminalSections are the parts of a report that fit a terminal.
var terminalSections = []string{"answer", "overview", "success", "verifications", "coverage", "mutation", "bugs", "matrix", "steps", "incomplete"}

// printers write a report as one text.
var printers = map[string]func(io.Writer, *report.Document) error{
	"text":     render.Text,
	"markdown": render.Markdown,
	"json":     render.JSON,
	"html":     render.HTML,
}

func (a *app) reportCommand() *cobra.Command {
	var format, only string
	var watch time.Duration
	c := &cobra.Command{
		Use:   "report RUN",
		Short: "Write a run's report again from its files, also while it runs",
		Long: `Reads a run directory and makes its report/ anew: index.html (one file that opens
offline), text, Markdown, LaTeX and CSV. With --format, prints that format instead
and writes nothing. With --only, prints one table as CSV or one figure as SVG;
the page names each beside it.

With --watch, makes it again and again while anybody works on the run; the page, open
in a browser, follows by itself, and stops when the run has ended.`,
		Example: "  bench report results/runs/quickstart\n  bench report results/runs/quickstart --only overview",
		Args:    exactArgs("RUN"),
		RunE: func(c *cobra.Command, args []string) error {
			bench, err := a.LoadBench()
			if err != nil {
				return err
			}
			if watch > 0 {
				return a.watch(c.Context(), args[0], bench, watch)
			}
			doc, err := buildReport(args[0], bench)
			if err != nil {
				return err
			}
			if only != "" {
				return printOnly(doc, only, a.stdout)
			}
			if format == "" {
				dir := filepath.Join(args[0], "report")
				fmt.Fprintf(a.Stderr, "report: %s\n", filepath.Join(dir, "index.html"))
				return render.Write(doc, dir)
			}
			printer := printers[format]
			if printer == nil {
				known := []string{"text", "markdown", "json", "html"}
				return lisabench.NewUnknownError("report format", format, known)
			}
			return printer(a.stdout, doc)
		},
	}
	c.Flags().StringVar(&format, "format", "", "print text, markdown, json or html")
	c.Flags().StringVar(&only, "only", "", "print this table as CSV, or this figure as SVG")
	c.Flags().DurationVar(&watch, "watch", 0, "make the report again every so often until the run has ended")
	c.Flags().Lookup("watch").NoOptDefVal = "15s"
	c.MarkFlagsMutuallyExclusive("format", "only", "watch")
	return c
}

// printOnly prints one table or figure of a report.
func printOnly(doc *report.Document, id string, w io.Writer) error {
	file, err := render.Only(doc, id)
	if err != nil {
		return err
	}
	if file == nil {
		return lisabench.NewUnknownError("table or figure", id, doc.Names())
	}
	_, err = w.Write(file.Data)
	return err
}

// buildReport makes the report of a run directory.
func buildReport(dir string, bench *lisabench.Bench) (*report.Document, error) {
	run, err := report.Read(dir, bench, harness.Stages)
	if err != nil {
		return nil, err
	}
	return report.Build(run)
}
