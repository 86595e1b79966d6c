package results

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// An adoption says, in adopted.json of a cell, which run made it.
type adoption struct {
	Run string `json:"run"` // its directory
	Key string `json:"key"` // of the record there
}

// Adopt copies a cell that a run beside this one has completed: the same cell, made from the same g, and
// measured as recordKey says if one was. It returns the directory of that run, or "" if there is none, or
// if this run has begun the cell. What depends on a clock is taken only from the same machine, and nothing from
// directories of other users.
func (r *Run) Adopt(c trial.Cell, g Generation, recordKey string, host Host) (from string, err error) {
	if _, err := os.Stat(filepath.Join(cellDir(r.Dir, c), "events.jsonl")); !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	own, err := filepath.Abs(r.Dir)
	if err != nil {
		return "", err
	}
	runs, err := filepath.Glob(filepath.Join(escapeGlob(filepath.Dir(own)), "*", manifestFile))
	if err != nil {
		return "", err
	}
	best, bestKey := "", ""
	for _, manifest := range runs {
		dir := filepath.Dir(manifest)
		key, fits := adoptable(dir, c, g, host)
		if dir == own || !fits || best != "" && key != recordKey {
			continue
		}
		if best, bestKey = dir, key; key == recordKey {
			break
		}
	}
	if best == "" {
		return "", nil
	}
	return best, r.copyCell(c, best, bestKey)
}

// escapeGlob makes a directory's name stand for itself in a pattern.
func escapeGlob(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// adoptable returns the key of a cell's record in a run, and whether its suite is made from g.
func adoptable(run string, c trial.Cell, g Generation, host Host) (key string, fits bool) {
	var stat unix.Stat_t
	if unix.Stat(run, &stat) != nil || int(stat.Uid) != os.Geteuid() {
		return "", false
	}
	m, err := readManifest(run)
	if err != nil || g.Budget.Timed() && (m.Host.Name != host.Name || m.Host.CPU != host.CPU) {
		return "", false
	}
	var rec struct{ Key string }
	if readJSON(filepath.Join(cellDir(run, c), "record.json"), &rec) != nil {
		return "", false
	}
	f, err := os.Open(filepath.Join(cellDir(run, c), "events.jsonl"))
	if err != nil {
		return "", false
	}
	defer f.Close()
	events, _, err := scanJournal(f, f.Name())
	if err != nil {
		return "", false
	}
	generation := ""
	for _, e := range events {
		if e.Kind == eventCell || e.Kind == eventGrown {
			generation = e.Key
		}
	}
	return rec.Key, generation == g.Key
}

// copyCell copies a cell's directory of another run, whole or not at all.
func (r *Run) copyCell(c trial.Cell, from, key string) error {
	tmp, err := os.MkdirTemp(r.Dir, ".tmp-adopt-")
	if err != nil {
		return onDisk(r.Dir, err)
	}
	defer os.RemoveAll(tmp)
	root := cellDir(from, c)
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		to := filepath.Join(tmp, c.ID(), rel)
		switch {
		case d.IsDir():
			return mkdir(to)
		case !d.Type().IsRegular() || strings.HasPrefix(d.Name(), ".tmp-"):
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return onDisk(to, os.WriteFile(to, data, 0o644))
	})
	if err != nil {
		return err
	}
	note, err := json.Marshal(adoption{Run: from, Key: key})
	if err != nil {
		return err
	}
	whole := filepath.Join(tmp, c.ID())
	if err := os.WriteFile(filepath.Join(whole, "adopted.json"), append(note, '\n'), 0o644); err != nil {
		return onDisk(whole, err)
	}
	if err := syncTree(whole); err != nil {
		return err
	}
	to := cellDir(r.Dir, c)
	if err := os.RemoveAll(to); err != nil { // no more than a note why it is incomplete
		return onDisk(to, err)
	}
	return onDisk(to, os.Rename(whole, to))
}
