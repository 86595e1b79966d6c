package results

import (
	"errors"
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
func (r *Run) Adopt(c trial.Cell, b trial.Budget, recordKey, answers string, host Host) (from string, err error) {
	if _, err := os.Stat(filepath.Join(cellDir(r.Dir, c), journalFile)); err == nil {
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
		var stat unix.Stat_t
		if run == own || unix.Stat(run, &stat) != nil || int(stat.Uid) != os.Geteuid() {
			continue
		}
		m, err := readManifest(run)
		if err != nil || b.Timed() && (m.Host.Name != host.Name || m.Host.CPU != host.CPU) {
			continue
		}
		if rec, err := (&Run{Dir: run}).Record(c, recordKey); err != nil || rec.Answers != answers {
			continue
		}
		if err := r.copyCell(run, c); err == nil || IsDisk(err) {
			return run, err
		}
	}
	return "", nil // one that cannot be copied is made anew
}

// copyCell copies a cell's directory from another run, whole or not at all.
func (r *Run) copyCell(run string, c trial.Cell) error {
	tmp, err := os.MkdirTemp(r.Dir, durable.TempPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	whole, to := filepath.Join(tmp, "cell"), cellDir(r.Dir, c)
	err = os.CopyFS(whole, os.DirFS(cellDir(run, c)))
	if err == nil {
		err = durable.WriteJSON(filepath.Join(whole, reusedFile), reused{filepath.Base(run)})
	}
	if err == nil {
		err = errors.Join(syncTree(whole), os.RemoveAll(to)) // no more than a note why it is incomplete
	}
	if err == nil {
		err = os.Rename(whole, to)
	}
	return err
}
