package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/report/render"
)

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
		if err := render.Write(doc, filepath.Dir(path)); err != nil {
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
