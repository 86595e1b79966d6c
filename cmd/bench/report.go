package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

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

func (a *app) reportCommand() *cobra.Command {
	var only string
	var chosen func() printer
	var watch time.Duration
	c := &cobra.Command{
		Use:   "report RUN",
		Short: "Rebuild a run's report from its files, even while it runs",
		Long: `Rebuilds RUN/report from the files of the run: index.html (one file that opens offline),
text, Markdown, LaTeX and CSV. --format prints one format instead and writes nothing.
--only prints one table as CSV or one figure as SVG; the page shows the name beside each.

--watch rebuilds the report until the run has ended. Open the page in a browser: it
refreshes by itself.`,
		Example: "  bench report results/runs/quickstart\n  bench report results/runs/quickstart --only overview\n  bench report results/runs/quickstart --watch",
		Args:    exactArgs("RUN"),
		RunE: func(c *cobra.Command, args []string) error {
			print := chosen()
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
			if print == nil {
				dir := filepath.Join(args[0], "report")
				fmt.Fprintf(a.Stderr, "report: %s\n", filepath.Join(dir, "index.html"))
				return render.Write(doc, dir, a.warn)
			}
			return print(a.stdout, doc)
		},
	}
	chosen = formatFlags(c, printers, "")
	c.Flags().StringVar(&only, "only", "", "print the table `NAME` as CSV, or the figure NAME as SVG")
	c.Flags().DurationVar(&watch, "watch", 0, "rebuild the report at this interval until the run has ended")
	c.Flags().Lookup("watch").NoOptDefVal = "15s"
	c.MarkFlagsMutuallyExclusive("format", "json", "only", "watch")
	return c
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

// idleFor is how many times as long as it took to make a report the next one waits at least. So watching
// a run takes little of the processors that it is measured on.
const idleFor = 20

// watch makes the report of a run every so often while anybody works on it, and once more then.
func (a *app) watch(ctx context.Context, dir string, bench *lisabench.Bench, every time.Duration) error {
	path := filepath.Join(dir, "report", "index.html")
	for first := true; ; first = false {
		began := a.Now()
		live, err := a.UnderWay(dir)
		if err != nil {
			return err
		}
		doc, err := buildReport(dir, bench)
		if err != nil {
			return err
		}
		pause := max(every, idleFor*a.Now().Sub(began)).Round(time.Second)
		if live != "" {
			doc.Live, doc.Every = live, max(1, int(pause.Seconds()))
		}
		if err := render.Write(doc, filepath.Dir(path), a.warn); err != nil {
			return err
		}
		switch {
		case live == "":
			fmt.Fprintf(a.Stderr, "report: %s; nobody works on the run\n", path)
			return nil
		case first:
			fmt.Fprintf(a.Stderr, "report: %s, made again every %s until the run has ended\n", path, pause)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}
