package results

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// reusedFile is in a cell that was copied, and names the run that it is of.
const reusedFile = "reused.json"

type reused struct {
	From string `json:"from"`
}

// Adopt copies a cell that a run beside this one has completed: one whose record has that key, and whose
// model was answered by the same endpoint or directory. It returns the directory of that run, or "" if there is none, or
// if this run has begun the cell. What depends on a clock is taken only from the
// same machine, and nothing from directories of other users.
func (r *Run) Adopt(c trial.Cell, g Generation, recordKey, answers string, host Host) (from string, err error) {
	to := cellDir(r.Dir, c)
	if _, err := os.Stat(filepath.Join(to, "events.jsonl")); err == nil {
		return "", nil
	}
	own, err := filepath.Abs(r.Dir)
	if err != nil {
		return "", err
	}
	runs, err := os.ReadDir(filepath.Dir(own))
	if err != nil {
		return "", err
	}
	for _, e := range runs {
		run := filepath.Join(filepath.Dir(own), e.Name())
		if run == own || !adoptable(run, c, g, recordKey, answers, host) {
			continue
		}
		if err := r.copyCell(cellDir(run, c), to); err == nil || IsDisk(err) {
			return run, err
		}
	}
	return "", nil // one that cannot be copied is made anew
}

// adoptable reports whether a run has the cell.
func adoptable(run string, c trial.Cell, g Generation, recordKey, answers string, host Host) bool {
	var stat unix.Stat_t
	if unix.Stat(run, &stat) != nil || int(stat.Uid) != os.Geteuid() {
		return false
	}
	m, err := readManifest(run)
	if err != nil || g.Budget.Timed() && (m.Host.Name != host.Name || m.Host.CPU != host.CPU) {
		return false
	}
	rec, err := (&Run{Dir: run}).Record(c, recordKey)
	return err == nil && rec.Answers == answers
}

// copyCell copies a cell's directory, whole or not at all.
func (r *Run) copyCell(from, to string) error {
	tmp, err := os.MkdirTemp(r.Dir, ".tmp-adopt-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	whole := filepath.Join(tmp, "cell")
	if err := os.CopyFS(whole, os.DirFS(from)); err != nil {
		return err
	}
	run := filepath.Base(filepath.Dir(filepath.Dir(from)))
	if err := durable.WriteJSON(filepath.Join(whole, reusedFile), reused{run}); err != nil {
		return err
	}
	if err := syncTree(whole); err != nil {
		return err
	}
	if err := os.RemoveAll(to); err != nil { // no more than a note why it is incomplete
		return err
	}
	return os.Rename(whole, to)
}
