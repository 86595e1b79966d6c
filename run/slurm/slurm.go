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

// Jobs are the ids of what was submitted last for a run.
type Jobs struct {
	Scripts string   `json:"scripts"` // directory of the batch scripts and their output
	Prepare string   `json:"prepare,omitempty"`
	Cells   []string `json:"cells"` // job arrays
	Report  string   `json:"report,omitempty"`
}

// ids returns all of them, in the order of submission.
func (j Jobs) ids() []string {
	return slices.DeleteFunc(slices.Concat([]string{j.Prepare}, j.Cells, []string{j.Report}), func(s string) bool { return s == "" })
}

func (j Jobs) String() string {
	return fmt.Sprintf("jobs %s (squeue -j %[1]s; scancel %s); output in %s",
		strings.Join(j.ids(), ","), strings.Join(j.ids(), " "), j.Scripts)
}

// patience is for one command of Slurm's: sbatch itself tries again while its controller is
// busy.
const patience = 5 * time.Minute

// A Client calls Slurm's commands.
type Client struct {
	Env []string // whole environment of the commands, which sbatch passes on to the jobs
}

// call runs one of Slurm's commands.
func (c Client) call(ctx context.Context, dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("no answer within %s: see scontrol ping", patience))
	defer cancel()
	out, err := toolchain.Run(ctx, toolchain.Command{Args: args, Dir: dir, Env: c.Env})
	var missing *toolchain.MissingError
	if errors.As(err, &missing) {
		return "", fmt.Errorf("%s is not installed: on a cluster, submit from a login node; on Debian, install the packages slurm-client and munge", args[0])
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
	for _, id := range jobs.ids() {
		// A job that Slurm has forgotten is an error for squeue, and none for us.
		out, err := c.call(ctx, "", "squeue", "--noheader", "--jobs="+id, "--format=%i")
		var command *toolchain.CommandError
		if errors.As(err, &command) && strings.Contains(string(command.Stderr), "Invalid job id") {
			continue
		}
		if err != nil {
			return words(err)
		}
		if out != "" {
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
	limits := limits{maxArray: 1001} // MaxArraySize where slurm.conf(5) says nothing
	if !r.DryRun {
		if limits, err = c.limits(ctx); err != nil {
			return jobs, err
		}
	}
	if tasks := (len(r.Cells)+r.PerTask-1)/r.PerTask + 2; limits.maxJobs > 0 && tasks > limits.maxJobs {
		return jobs, fmt.Errorf("Slurm does not take %d tasks, its MaxJobCount is %d: give a task several cells: --per-task %d",
			tasks, limits.maxJobs, len(r.Cells)/max(1, limits.maxJobs-2)+1)
	}
	var scripts []script
	if jobs.Scripts, scripts, err = write(r, limits.maxArray); err != nil || r.DryRun {
		return jobs, err
	}
	for _, s := range scripts {
		id, err := c.sbatch(ctx, jobs, s, r.Options)
		if err != nil {
			if cerr := c.cancel(ctx, jobs); cerr != nil {
				err = fmt.Errorf("%w\nbut these are: %s: %w", err, strings.Join(jobs.ids(), " "), cerr)
			}
			return jobs, err
		}
		switch {
		case s.list != nil:
			jobs.Cells = append(jobs.Cells, id)
		case s.after == "":
			jobs.Prepare = id
		default:
			jobs.Report = id
		}
		if err := writeJobs(r.Run, jobs); err != nil {
			return jobs, errors.Join(err, c.cancel(ctx, jobs))
		}
	}
	return jobs, nil
}

// sbatch submits one script after those it depends on.
func (c Client) sbatch(ctx context.Context, before Jobs, s script, options []string) (id string, err error) {
	args := append([]string{"sbatch", "--parsable"}, options...)
	switch s.after {
	case "afterok":
		args = append(args, "--dependency=afterok:"+before.Prepare)
	case "afterany":
		args = append(args, "--dependency=afterany:"+strings.Join(before.Cells, ":"))
	}
	out, err := c.call(ctx, before.Scripts, append(args, s.name)...)
	if err != nil {
		return "", rejected(filepath.Join(before.Scripts, s.name), err)
	}
	id, _, _ = strings.Cut(out, ";") // "id;cluster" where there are several clusters
	if _, err := strconv.Atoi(id); err != nil {
		return "", fmt.Errorf("sbatch: %q is no job id", out)
	}
	return id, nil
}

// hints are what to do about words that sbatch refuses a job with (the error messages of slurm_errno.c).
var hints = []struct{ words, hint string }{
	{"partition", "name a partition of sinfo with --partition"},
	{"ime limit", "the partition allows less: give tasks less time with --evaluation or --time; a task that is cut off goes on where it was"},
	{"contact slurm controller", "slurmctld does not answer: see scontrol ping"},
	{"onfiguration is not available", "no node has that much: see --cpus, --mem and sinfo -o '%n %c %m'"},
	{"Memory specification", "no node has that much: see --cpus, --mem and sinfo -o '%n %c %m'"},
	{"ccount", "name your account with --sbatch=--account=NAME"},
}

// rejected explains why sbatch failed.
func rejected(script string, err error) error {
	var command *toolchain.CommandError
	if !errors.As(err, &command) {
		return err
	}
	text := fmt.Sprintf("Slurm does not take %s: %v", filepath.Base(script), words(err))
	for _, h := range hints {
		if strings.Contains(text, h.words) {
			text += "\n" + h.hint
			break
		}
	}
	return fmt.Errorf("%s\nnothing is left in the queue; the script is %s", text, script)
}

// words reduces an error to what the command said of it, on one line.
func words(err error) error {
	var command *toolchain.CommandError
	if !errors.As(err, &command) {
		return err
	}
	// sbatch begins each line with its name twice over.
	said := strings.ReplaceAll(string(command.Stderr), "sbatch: error: ", "")
	said = strings.Join(strings.Fields(said), " ")
	if len(said) > 500 {
		said = said[:500] + "…"
	}
	return fmt.Errorf("%s: %s", command.Args[0], said)
}

// cancel takes jobs out of the queue.
func (c Client) cancel(ctx context.Context, jobs Jobs) error {
	if len(jobs.ids()) == 0 {
		return nil
	}
	_, err := c.call(context.WithoutCancel(ctx), "", append([]string{"scancel"}, jobs.ids()...)...)
	return err
}

// limits are those of slurm.conf(5). The indexes of an array are less than MaxArraySize, and ours begin with 0.
type limits struct{ maxArray, maxJobs int }

var configLine = regexp.MustCompile(`(?m)^(MaxArraySize|MaxJobCount)\s*=\s*(\d+)`)

func (c Client) limits(ctx context.Context) (l limits, err error) {
	out, err := c.call(ctx, "", "scontrol", "show", "config")
	var command *toolchain.CommandError
	if errors.As(err, &command) {
		err = fmt.Errorf("%w\nslurmctld does not answer: see scontrol ping", words(err))
	}
	if err != nil {
		return l, err
	}
	for _, m := range configLine.FindAllStringSubmatch(out, -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			return l, fmt.Errorf("scontrol show config: %s: %w", m[1], err)
		}
		if m[1] == "MaxArraySize" {
			l.maxArray = n
		} else {
			l.maxJobs = n
		}
	}
	if l.maxArray < 1 {
		err = errors.New("scontrol show config: MaxArraySize is 0 or missing: job arrays are switched off here")
	}
	return l, err
}

// write writes the scripts of a request into a new directory of its run, for arrays of at most maxArray tasks.
func write(r Request, maxArray int) (d string, scripts []script, err error) {
	if scripts, err = r.scripts(maxArray); err != nil {
		return "", nil, err
	}
	if err := os.MkdirAll(dir(r.Run), 0o755); err != nil {
		return "", nil, err
	}
	for n := 1; d == ""; n++ {
		next := filepath.Join(dir(r.Run), fmt.Sprintf("%03d", n))
		switch err := os.Mkdir(next, 0o755); {
		case err == nil:
			d = next
		case !errors.Is(err, fs.ErrExist):
			return "", nil, err
		}
	}
	for _, s := range scripts {
		err = errors.Join(err, os.WriteFile(filepath.Join(d, s.name), s.text, 0o755))
		if s.list != nil {
			err = errors.Join(err, os.WriteFile(filepath.Join(d, strings.TrimSuffix(s.name, ".sh")+".txt"), s.list, 0o644))
		}
	}
	return d, scripts, err
}

func writeJobs(run string, jobs Jobs) error {
	return durable.WriteJSON(filepath.Join(dir(run), "jobs.json"), jobs)
}

// ReadJobs returns what was submitted last for a run; nil if nothing was.
func ReadJobs(run string) (*Jobs, error) {
	path := filepath.Join(dir(run), "jobs.json")
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var jobs Jobs
	if err := json.Unmarshal(data, &jobs); err != nil {
		return nil, fmt.Errorf("decode %s: %w", path, err)
	}
	return &jobs, nil
}
