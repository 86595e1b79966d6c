// Package slurm hands the cells of a run to Slurm: it writes batch scripts into the run
// directory and submits them with sbatch. It consumes the cells to work on with their time
// limits, and what a task may use. It produces a job that prepares, job arrays of one task for
// each cell, and a job that reports, each depending on the one before.
//
// It schedules nothing by itself. Slurm queues, places, ends and queues again; a task is
// `bench run --cell`, which goes on where the one before it was ended.
//
// It refuses what Slurm refuses, in Slurm's words, and cancels what it had submitted by then.
package slurm

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"text/template"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

//go:embed templates
var templates embed.FS

// A Cell is one cell to work on.
type Cell struct {
	ID    string
	Limit time.Duration // generation and evaluation together, as far as one session may take
}

// A Request is what to submit.
type Request struct {
	Name       string // of the jobs: the experiment's
	Run        string // run directory, absolute, at the same place on every node
	Experiment string // file, absolute
	Dir        string // working directory of bench, absolute: the experiment may name files from there
	Bench      string // shell words that start bench, with its global flags
	Setup      string // shell lines at the start of every job
	Cells      []Cell
	CPUs       int // of a task, at least 1
	MemoryMiB  int // of a task; 0 leaves it to Slurm
	PerTask    int // cells of a task, one after the other; at least 1
	MaxRunning int // tasks at once; 0 leaves it to Slurm
	Retries    int // how often a task that was ended is queued again
	// PrepareTime is the time limit of the job that builds; 0 leaves the job out, because it
	// is done already.
	PrepareTime time.Duration
	Options     []string // of every sbatch, e.g. --partition=long
	DryRun      bool     // write scripts and submit nothing
}

// minLimit leaves time to start, and for the signal a minute before the end.
const minLimit = 5 * time.Minute

// A script is one batch script, ready to be submitted.
type script struct {
	name  string // its file
	text  []byte
	list  []byte // lines of the file that an array reads its cells from
	after string // what its dependency is called: "", afterok, afterany
}

// An array is a part of the cells that fits one job array: a request of its own.
type array struct {
	Request
	Label    string // cells-1, …
	List     string // file with a cell in each line
	LastTask int
	Limit    time.Duration // of a task
}

// arrays divides the cells: those of one time limit together, because short jobs find a place
// sooner, and no more tasks in one array than maxSize. The longest start first; otherwise the order is kept.
func (r Request) arrays(maxSize int) (parts []array) {
	limits := map[time.Duration][]Cell{}
	for _, c := range r.Cells {
		limit := max(c.Limit, minLimit)
		limits[limit] = append(limits[limit], c)
	}
	for _, limit := range slices.Backward(slices.Sorted(maps.Keys(limits))) {
		for chunk := range slices.Chunk(limits[limit], maxSize*r.PerTask) {
			a := array{Request: r, Label: fmt.Sprintf("cells-%d", len(parts)+1)}
			a.Cells, a.List = chunk, a.Label+".txt"
			a.LastTask = (len(chunk) - 1) / r.PerTask
			a.Limit = limit * time.Duration(min(r.PerTask, len(chunk)))
			parts = append(parts, a)
		}
	}
	return parts
}

// scripts renders all of a request, in the order of submission.
func (r Request) scripts(maxArray int) (out []script, err error) {
	add := func(kind, name, after string, data any, list []byte) {
		text, renderErr := render(kind, data)
		err = errors.Join(err, renderErr)
		out = append(out, script{name: name + ".sh", text: text, list: list, after: after})
	}
	after := ""
	if r.PrepareTime > 0 {
		add("prepare", "prepare", "", r, nil)
		after = "afterok"
	}
	for _, a := range r.arrays(maxArray) {
		var list bytes.Buffer
		for _, c := range a.Cells {
			fmt.Fprintln(&list, c.ID)
		}
		add("cells", a.Label, after, a, list.Bytes())
	}
	add("report", "report", "afterany", r, nil)
	return out, err
}

func render(kind string, data any) ([]byte, error) {
	t, err := template.New(kind+".sh.tmpl").
		Funcs(template.FuncMap{"quote": Quote, "minutes": minutes}).
		ParseFS(templates, "templates/"+kind+".sh.tmpl")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, data)
	return b.Bytes(), err
}

// minutes are what Slurm counts time limits in.
func minutes(d time.Duration) int64 { return int64((d + time.Minute - 1) / time.Minute) }

// Quote makes one word of s for a POSIX shell.
func Quote(s string) string { return toolchain.ShellLine("", nil, []string{s}) }

// dir is where a run's submissions are kept.
func dir(run string) string { return filepath.Join(run, "slurm") }
