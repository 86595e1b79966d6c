package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/report/render"
	"github.com/lisa-bench/lisa-bench/internal/run/slurm"
	"github.com/lisa-bench/lisa-bench/results"
)

// idleFor is how many times as long as it took to make a report the next one waits at least. So watching
// a run takes little of the processors that it is measured on.
const idleFor = 20

// watch makes the report of a run every so often while anybody works on it, and once more then.
func (a *app) watch(ctx context.Context, dir string, bench *lisabench.Bench, every time.Duration) error {
	path := filepath.Join(dir, "report", "index.html")
	for first := true; ; first = false {
		began := a.Now()
		live, err := a.underWay(dir)
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

// underWay says how far a run is that somebody works on, or that a scheduler will; "" for another.
func (a *app) underWay(dir string) (string, error) {
	held, err := results.Held(dir)
	if err != nil {
		return "", err
	}
	s, err := a.readStatus(dir)
	if err != nil {
		return "", err
	}
	jobs, err := slurm.ReadJobs(dir)
	if err != nil {
		return "", err
	}
	if !held && (jobs == nil || s.Running+s.Waiting == 0) {
		return "", nil
	}
	text := fmt.Sprintf("Under way: %d of %d cells done, %d running, %d waiting", s.Done, s.Planned, s.Running, s.Waiting)
	if s.Running > 0 {
		text += ", " + s.forecast.String()
	}
	return fmt.Sprintf("%s, at %s.", text, a.Now().Format(time.TimeOnly)), nil
}
