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
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

//go:embed templates
var files embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"quote":   Quote,
	"minutes": func(d time.Duration) int64 { return int64((d + time.Minute - 1) / time.Minute) }, // what Slurm counts in
}).ParseFS(files, "templates/*"))

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
		var text bytes.Buffer
		err = errors.Join(err, templates.ExecuteTemplate(&text, kind+".sh.tmpl", data))
		out = append(out, script{name: name + ".sh", text: text.Bytes(), list: list, after: after})
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

// Quote makes one word of s for a POSIX shell.
func Quote(s string) string { return toolchain.ShellLine("", nil, []string{s}) }

// Jobs are the ids of what was submitted last for a run.
type Jobs struct {
	Scripts string   `json:"scripts"` // directory of the batch scripts and their output
	IDs     []string `json:"ids"`     // in the order of submission
}

func (j Jobs) String() string {
	return fmt.Sprintf("jobs %s (squeue -j %[1]s; scancel %s); output in %s",
		strings.Join(j.IDs, ","), strings.Join(j.IDs, " "), j.Scripts)
}

// dir is where a run's submissions are kept, and jobsFile where the last one is.
func dir(run string) string      { return filepath.Join(run, "slurm") }
func jobsFile(run string) string { return filepath.Join(dir(run), "jobs.json") }

// ReadJobs returns what was submitted last for a run; nil if nothing was.
func ReadJobs(run string) (*Jobs, error) {
	data, err := os.ReadFile(jobsFile(run))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var jobs Jobs
	if err := cmp.Or(err, json.Unmarshal(data, &jobs)); err != nil {
		return nil, fmt.Errorf("read %s: %w", jobsFile(run), err)
	}
	return &jobs, nil
}

// patience is for one command of Slurm's: sbatch itself tries again while its controller is
// busy.
const patience = 5 * time.Minute

// A Client calls Slurm's commands.
type Client struct {
	Env []string // whole environment of the commands, which sbatch passes on to the jobs
}

// hints are what to do about words that Slurm refuses something with (the error messages of slurm_errno.c).
var hints = []struct{ words, hint string }{
	{"partition", "name a partition of sinfo with --partition"},
	{"ime limit", "the partition allows less: give tasks less time with --evaluation or --time; a task that is cut off goes on where it was"},
	{"contact slurm controller", "slurmctld does not answer: see scontrol ping"},
	{"onfiguration is not available", "no node has that much: see --cpus, --mem and sinfo -o '%n %c %m'"},
	{"Memory specification", "no node has that much: see --cpus, --mem and sinfo -o '%n %c %m'"},
	{"ccount", "name your account with --sbatch=--account=NAME"},
}

// call runs one of Slurm's commands. The error is what it said on one line, and what to do about it on the next.
func (c Client) call(ctx context.Context, dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("no answer within %s: see scontrol ping", patience))
	defer cancel()
	out, err := toolchain.Run(ctx, toolchain.Command{Args: args, Dir: dir, Env: c.Env})
	var missing *toolchain.MissingError
	var failed *toolchain.CommandError
	switch {
	case errors.As(err, &missing):
		err = fmt.Errorf("%s is not installed: on a cluster, submit from a login node; on Debian, install the packages slurm-client and munge", args[0])
	case errors.As(err, &failed):
		said := strings.ReplaceAll(string(failed.Stderr), args[0]+": error: ", "") // sbatch begins each line with its name twice over
		said = fmt.Sprintf("%s: %.500s", args[0], strings.Join(strings.Fields(said), " "))
		for _, h := range hints {
			if strings.Contains(said, h.words) {
				said += "\n" + h.hint
				break
			}
		}
		err = errors.New(said)
	}
	return strings.TrimSpace(string(out.Stdout)), err
}

// Queued returns the jobs of an earlier submission of the run that are not at their end.
func (c Client) Queued(ctx context.Context, run string) error {
	jobs, err := ReadJobs(run)
	if err != nil || jobs == nil {
		return err
	}
	var queued []string
	for _, id := range jobs.IDs {
		out, err := c.call(ctx, "", "squeue", "--noheader", "--jobs="+id, "--format=%i")
		switch {
		case err != nil && strings.Contains(err.Error(), "Invalid job id"): // Slurm has forgotten it
		case err != nil:
			return err
		case out != "":
			queued = append(queued, id)
		}
	}
	if len(queued) > 0 {
		return fmt.Errorf("%s: jobs of an earlier submission are still in Slurm's queue (%s): wait for them, or stop them with scancel %[2]s",
			run, strings.Join(queued, " "))
	}
	return nil
}

// Submit writes the scripts of a request and hands them to Slurm, unless it is a dry run, which has no jobs.
func (c Client) Submit(ctx context.Context, r Request) (jobs Jobs, err error) {
	maxArray := 1001 // where slurm.conf(5) says nothing
	if !r.DryRun {
		if maxArray, err = c.maxArray(ctx); err != nil {
			return jobs, err
		}
	}
	scripts, err := r.scripts(maxArray)
	if err != nil {
		return jobs, err
	}
	before, err := filepath.Glob(filepath.Join(dir(r.Run), "[0-9][0-9][0-9]"))
	if err != nil {
		return jobs, err
	}
	jobs.Scripts = filepath.Join(dir(r.Run), fmt.Sprintf("%03d", len(before)+1))
	err = os.MkdirAll(jobs.Scripts, 0o755)
	for _, s := range scripts {
		file := filepath.Join(jobs.Scripts, s.name)
		err = errors.Join(err, os.WriteFile(file, s.text, 0o755))
		if s.list != nil {
			err = errors.Join(err, os.WriteFile(strings.TrimSuffix(file, ".sh")+".txt", s.list, 0o644))
		}
	}
	if err != nil || r.DryRun {
		return jobs, err
	}
	for _, s := range scripts {
		if err := c.submit(ctx, r, s, &jobs); err != nil {
			if len(jobs.IDs) > 0 {
				if _, left := c.call(context.WithoutCancel(ctx), "", append([]string{"scancel"}, jobs.IDs...)...); left != nil {
					return jobs, fmt.Errorf("%w\nin the queue are %s: %w", err, strings.Join(jobs.IDs, " "), left)
				}
			}
			return jobs, fmt.Errorf("%w\nnothing is left in the queue; the script is %s", err, filepath.Join(jobs.Scripts, s.name))
		}
	}
	return jobs, nil
}

// submit submits one script after those it depends on.
func (c Client) submit(ctx context.Context, r Request, s script, jobs *Jobs) error {
	args := append([]string{"sbatch", "--parsable"}, r.Options...)
	switch s.after {
	case "afterok":
		args = append(args, "--dependency=afterok:"+jobs.IDs[0])
	case "afterany":
		arrays := jobs.IDs
		if r.PrepareTime > 0 {
			arrays = arrays[1:]
		}
		args = append(args, "--dependency=afterany:"+strings.Join(arrays, ":"))
	}
	out, err := c.call(ctx, jobs.Scripts, append(args, s.name)...)
	if err != nil {
		return fmt.Errorf("Slurm does not take %s: %w", s.name, err)
	}
	id, _, _ := strings.Cut(out, ";") // "id;cluster" where there are several clusters
	if _, err := strconv.Atoi(id); err != nil {
		return fmt.Errorf("sbatch: %q is no job id", out)
	}
	jobs.IDs = append(jobs.IDs, id)
	return durable.WriteJSON(jobsFile(r.Run), jobs)
}

var maxArraySize = regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*([1-9]\d*)`)

// maxArray is how many tasks an array may have: their indexes are less than MaxArraySize (slurm.conf(5)), and ours begin with 0.
func (c Client) maxArray(ctx context.Context) (int, error) {
	out, err := c.call(ctx, "", "scontrol", "show", "config")
	if err != nil {
		return 0, err
	}
	m := maxArraySize.FindStringSubmatch(out)
	if m == nil {
		return 0, errors.New("scontrol show config: MaxArraySize is 0 or missing: job arrays are switched off here")
	}
	return strconv.Atoi(m[1])
}
