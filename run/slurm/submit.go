package slurm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

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

// limits are those of slurm.conf(5).
type limits struct{ maxArray, maxJobs int }

var configLine = regexp.MustCompile(`(?m)^(MaxArraySize|MaxJobCount)\s*=\s*(\d+)`)

func (c Client) limits(ctx context.Context) (limits, error) {
	out, err := c.call(ctx, "", "scontrol", "show", "config")
	var command *toolchain.CommandError
	if errors.As(err, &command) {
		err = fmt.Errorf("%w\nslurmctld does not answer: see scontrol ping", words(err))
	}
	if err != nil {
		return limits{}, err
	}
	return parseLimits(out)
}

// parseLimits reads `scontrol show config`. The indexes of an array are less than
// MaxArraySize, and ours begin with 0.
func parseLimits(config string) (l limits, err error) {
	for _, m := range configLine.FindAllStringSubmatch(config, -1) {
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
		return l, errors.New("scontrol show config: MaxArraySize is 0 or missing: job arrays are switched off here")
	}
	return l, nil
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
