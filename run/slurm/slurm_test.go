package slurm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/internal/durable"
)

func request(run string, n int) Request {
	r := Request{
		Name: "tiny", Run: run, Experiment: run + "/experiment.yaml", Dir: "/home/me", Bench: "/opt/bench --cache /shared/cache",
		Setup: "module load clang", CPUs: 2, MemoryMiB: 6144, PerTask: 1, Retries: 5, PrepareTime: time.Hour,
	}
	for i := range n {
		r.Cells = append(r.Cells, Cell{ID: fmt.Sprintf("randoop.default.cJSON.debian.%d", i+1), Limit: 90*time.Minute + time.Second})
	}
	return r
}

func TestScripts(t *testing.T) {
	r := request("/shared/it's a run", 3)
	r.MaxRunning, r.PerTask = 7, 2
	scripts, err := r.scripts(1001)
	assert.NilError(t, err)
	var names []string
	for _, s := range scripts {
		names = append(names, s.after+":"+s.name)
		golden.Assert(t, string(s.text), s.name)
		if out, err := exec.Command("bash", "-n", golden.Path(s.name)).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", s.name, err, out)
		}
	}
	if want := []string{":prepare.sh", "afterok:cells-1.sh", "afterany:report.sh"}; !slices.Equal(names, want) {
		t.Errorf("scripts %q, want %q", names, want)
	}
}

func TestArrays(t *testing.T) {
	limits := func(minutes ...int) (cells []Cell) {
		for i, m := range minutes {
			cells = append(cells, Cell{ID: fmt.Sprint(i), Limit: time.Duration(m) * time.Minute})
		}
		return cells
	}
	for _, c := range []struct {
		name    string
		cells   []Cell
		perTask int
		max     int
		want    []string // cells, last task, limit
	}{
		{"one array", limits(10, 10, 10), 1, 3, []string{"0 1 2: 0-2 10m0s"}},
		{"one more than an array takes", limits(10, 10, 10, 10), 1, 3, []string{"0 1 2: 0-2 10m0s", "3: 0-0 10m0s"}},
		{"by time limit, the longest first", limits(10, 60, 10), 1, 9, []string{"1: 0-0 1h0m0s", "0 2: 0-1 10m0s"}},
		{"several in a task", limits(10, 10, 10, 10, 10), 2, 2, []string{"0 1 2 3: 0-1 20m0s", "4: 0-0 10m0s"}},
		{"never too short for the signal before the end", limits(0), 1, 9, []string{"0: 0-0 5m0s"}},
	} {
		var got []string
		for _, p := range (Request{Cells: c.cells, PerTask: c.perTask}).arrays(c.max) {
			var ids []string
			for _, cell := range p.Cells {
				ids = append(ids, cell.ID)
			}
			got = append(got, fmt.Sprintf("%s: 0-%d %s", strings.Join(ids, " "), p.LastTask, p.Limit))
		}
		assert.Check(t, slices.Equal(got, c.want), "%s: %q, want %q", c.name, got, c.want)
	}
}

// fake puts commands in place of Slurm's, each a body in sh. They note their arguments in the
// file calls.
func fake(t *testing.T, bodies map[string]string) (c Client, calls func() string) {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{"scontrol": "echo 'MaxArraySize            = 1001'; echo 'MaxJobCount             = 10000'"}
	for name, body := range bodies {
		all[name] = body
	}
	log := filepath.Join(dir, "calls")
	for name, body := range all {
		text := fmt.Sprintf("#!/bin/sh\necho \"%s $*\" >>%s\n%s\n", name, log, body)
		assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
	}
	return Client{Env: []string{"PATH=" + dir + ":/usr/bin:/bin"}}, func() string {
		text, err := os.ReadFile(log)
		assert.NilError(t, err)
		return string(text)
	}
}

// counting is an sbatch that takes everything.
const counting = `n=$(grep -c ^sbatch "$(dirname "$0")/calls"); echo $((n + 100))`

func TestSubmit(t *testing.T) {
	c, calls := fake(t, map[string]string{"sbatch": counting})
	run := t.TempDir()
	r := request(run, 1002)
	r.Options = []string{"--partition=long"}
	jobs, err := c.Submit(t.Context(), r)
	assert.NilError(t, err)
	for _, want := range []string{
		"sbatch --parsable --partition=long prepare.sh\n",
		"sbatch --parsable --partition=long --dependency=afterok:101 cells-1.sh\n",
		"sbatch --parsable --partition=long --dependency=afterok:101 cells-2.sh\n",
		"sbatch --parsable --partition=long --dependency=afterany:102:103 report.sh\n",
	} {
		assert.Check(t, strings.Contains(calls(), want), "no %q in\n%s", want, calls())
	}
	stored, err := ReadJobs(run)
	if err != nil || !slices.Equal(stored.IDs, []string{"101", "102", "103", "104"}) || !slices.Equal(stored.IDs, jobs.IDs) {
		t.Errorf("stored %v, %v; returned %v", stored, err, jobs)
	}
}

func TestRefusals(t *testing.T) {
	for _, tc := range []struct {
		name   string
		bodies map[string]string
		cells  int
		want   []string
		called string
	}{
		{"no partition", map[string]string{
			"sbatch": "echo 'sbatch: error: invalid partition specified: nope' >&2; exit 1"}, 1,
			[]string{"does not take prepare.sh: sbatch: invalid partition specified: nope", "nothing is left"}, ""},
		{"the array is refused", map[string]string{
			"sbatch": `case "$*" in *cells*) echo 'sbatch: error: Job violates accounting/QOS policy' >&2; exit 1;; esac; echo 7`, "scancel": ""}, 1,
			[]string{"does not take cells-1.sh", "QOS policy"}, "scancel 7\n"},
		{"the controller is away", map[string]string{
			"scontrol": "echo 'slurm_load_ctl_conf error: Unable to contact slurm controller (connect failure)' >&2; exit 1"}, 1,
			[]string{"Unable to contact slurm controller", "scontrol ping"}, ""},
		{"no arrays", map[string]string{"scontrol": "echo 'MaxArraySize = 0'"}, 1, []string{"switched off"}, ""},
		{"words in place of an id", map[string]string{"sbatch": "echo hello", "scancel": ""}, 1, []string{`"hello" is no job id`}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, calls := fake(t, tc.bodies)
			_, err := c.Submit(t.Context(), request(t.TempDir(), tc.cells))
			assert.Assert(t, err != nil, "accepted")
			for _, w := range tc.want {
				assert.Check(t, strings.Contains(err.Error(), w), "no %q in: %v", w, err)
			}
			assert.Check(t, strings.Count(err.Error(), "\n") <= 20, "more than a screen: %v", err)
			assert.Check(t, strings.Contains(calls(), tc.called), "no %q in\n%s", tc.called, calls())
		})
	}
}

func TestNoSlurmHere(t *testing.T) {
	_, err := Client{Env: []string{"PATH=" + t.TempDir()}}.Submit(t.Context(), request(t.TempDir(), 1))
	assert.Check(t, err != nil && strings.Contains(err.Error(), "slurm-client"), "error %v", err)
}

func TestQueued(t *testing.T) {
	run := t.TempDir()
	c, _ := fake(t, map[string]string{"squeue": `case "$*" in *=8\ *) echo 8_1;; *=7\ *) ;; *) echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1;; esac`})
	if err := c.Queued(t.Context(), run); err != nil {
		t.Errorf("never submitted: %v", err)
	}
	assert.NilError(t, os.MkdirAll(dir(run), 0o755))
	assert.NilError(t, durable.WriteJSON(jobsFile(run), Jobs{IDs: []string{"6", "7"}}))
	if err := c.Queued(t.Context(), run); err != nil {
		t.Errorf("ended: %v", err)
	}
	assert.NilError(t, durable.WriteJSON(jobsFile(run), Jobs{IDs: []string{"6", "7", "8"}}))
	if err := c.Queued(t.Context(), run); err == nil || !strings.Contains(err.Error(), "queue (8)") {
		t.Errorf("error %v", err)
	}
}
