package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func joined(t *testing.T, dir, holder string) *Run {
	t.Helper()
	r, err := Join(dir, holder)
	assert.NilError(t, err)
	t.Cleanup(func() { r.Close() })
	return r
}

func claim(t *testing.T, r *Run, c trial.Cell) *Claim {
	t.Helper()
	claim, err := r.Claim(c, noon)
	assert.NilError(t, err)
	return claim
}

// refused fails unless err says that the cell ("" for the run) is held by holder.
func refused(t *testing.T, err error, cell, holder string) {
	t.Helper()
	var locked *LockedError
	assert.Assert(t, errors.As(err, &locked) && locked.Cell == cell && locked.Holder == holder,
		"error %v, not a LockedError of cell %q held by %q", err, cell, holder)
}

func TestJoinedRunsShareARunAndNoCell(t *testing.T) {
	dir := t.TempDir()
	a, b := joined(t, dir, "pid 1 on here"), joined(t, dir, "pid 2 on here")
	held := claim(t, a, cellA)
	_, err := b.Claim(cellA, noon)
	refused(t, err, cellA.ID(), "pid 1 on here")
	_, err = Open(dir, "pid 3 on here")
	refused(t, err, "", "pid 1 on here")

	other := cellA
	other.Trial = 2
	otherHeld := claim(t, b, other)
	assert.NilError(t, errors.Join(held.Release(noon), otherHeld.Release(noon)))
	assert.NilError(t, claim(t, b, cellA).Release(noon))
	assert.NilError(t, errors.Join(a.Close(), b.Close()))
	open(t, dir)
	_, err = Join(dir, "pid 4 on here")
	refused(t, err, "", "pid 1 on here")
}

// TestOneOfManyGetsACell lets many take the same cell at the same time, over and over.
func TestOneOfManyGetsACell(t *testing.T) {
	dir := t.TempDir()
	var mu sync.Mutex
	inside, times := 0, 0
	var all sync.WaitGroup
	for n := range 8 {
		r := joined(t, dir, fmt.Sprintf("pid %d on here", n))
		all.Go(func() {
			for range 50 {
				held, err := r.Claim(cellA, noon)
				var locked *LockedError
				if errors.As(err, &locked) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				inside++
				times++
				assert.Check(t, inside <= 1, "two hold one cell")
				mu.Unlock()
				if err := held.Beat("generating", trial.Usage{}); err != nil {
					t.Error(err)
				}
				mu.Lock()
				inside--
				mu.Unlock()
				if err := held.Release(noon); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	assert.Check(t, times != 0, "nobody ever got the cell")
}

func TestClaimSweepsItsCellOnly(t *testing.T) {
	dir := t.TempDir()
	r := joined(t, dir, "x")
	other := cellA
	other.Trial = 2
	mine, others := filepath.Join(cellDir(dir, cellA), ".tmp-1"), filepath.Join(cellDir(dir, other), ".tmp-1")
	for _, f := range []string{mine, others} {
		assert.NilError(t, errors.Join(os.MkdirAll(filepath.Dir(f), 0o755), os.WriteFile(f, nil, 0o644)))
	}
	claim(t, r, cellA)
	if _, err := os.Stat(mine); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is left: %v", mine, err)
	}
	if _, err := os.Stat(others); err != nil {
		t.Error(err)
	}
}

func TestJoinedRunKeepsTheManifest(t *testing.T) {
	dir := t.TempDir()
	a, b := joined(t, dir, "a"), joined(t, dir, "b")
	first := Manifest{Name: "n", Bench: "1", Tools: map[string]string{"clang": "19.1"}, Cells: []PlannedCell{{Cell: cellA, Key: "k"}}, Created: noon}
	for _, err := range []error{a.WriteManifest(first), b.WriteManifest(first), a.Start([]byte("name: n\n")), b.Start([]byte("name: n\n"))} {
		assert.NilError(t, err)
	}
	second := first
	second.Tools = map[string]string{"clang": "19.2"}
	second.Cells = []PlannedCell{{Cell: cellA, Key: "other"}}
	err := b.WriteManifest(second)
	var mismatch *MismatchError
	if !errors.As(err, &mismatch) || mismatch.Cell != cellA.ID() || !strings.Contains(err.Error(), `clang is "19.1" there, "19.2" here`) {
		t.Fatalf("error %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".tmp-*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
	assert.NilError(t, errors.Join(a.Close(), b.Close()))
	if err := open(t, dir).WriteManifest(second); err != nil {
		t.Errorf("who has the run alone: %v", err)
	}
}

// TestManyStartARun lets many processes make a run's first files at once.
func TestManyStartARun(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for n := range 8 {
		r := joined(t, dir, fmt.Sprint(n))
		all.Go(func() {
			m := Manifest{Name: "n", Jobs: n, Cells: []PlannedCell{{Cell: cellA, Key: "k"}}}
			if err := errors.Join(r.Start([]byte("name: n\n")), r.WriteManifest(m)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if _, err := readManifest(dir); err != nil {
		t.Error(err)
	}
}

func TestStatus(t *testing.T) {
	dir := t.TempDir()
	r := joined(t, dir, "pid 1 on here")
	m := Manifest{Name: "n"}
	cell := func(n int) trial.Cell {
		c := cellA
		c.Trial = n
		return c
	}
	for n := 1; n <= 6; n++ {
		m.Cells = append(m.Cells, PlannedCell{Cell: cell(n), Key: fmt.Sprint(n)})
	}
	assert.NilError(t, r.WriteManifest(m))
	finish := func(n int, key string) {
		held := claim(t, r, cell(n))
		c, err := r.OpenCell(cell(n), Generation{Key: "g"})
		assert.NilError(t, err)
		rec := &trial.Record{Schema: trial.RecordSchema, Key: key, Cell: cell(n), Usage: trial.Usage{Programs: 5, Wall: time.Minute}}
		assert.NilError(t, errors.Join(c.WriteRecord(rec), c.Close(), held.Release(noon.Add(10*time.Minute))))
	}
	finish(1, "1")
	finish(2, "of an older bench")
	if err := claim(t, r, cell(3)).Beat("evaluating", trial.Usage{Programs: 2}); err != nil { // held to the end
		t.Fatal(err)
	}
	assert.NilError(t, r.WriteIncomplete(trial.Incomplete{Cell: cell(4), Kind: "build", Message: "no compiler"}))
	if err := claim(t, r, cell(5)).file.Close(); err != nil { // killed
		t.Fatal(err)
	}
	s, err := ReadStatus(dir, nil)
	assert.NilError(t, err)
	var got []string
	for _, c := range s.Cells {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s%s", c.State, c.Holder, c.Stage, c.Kind)))
	}
	want := []string{"done pid 1 on here", "waiting pid 1 on here", "running pid 1 on here evaluating",
		"incomplete  build", "incomplete pid 1 on here interrupted", "waiting"}
	assert.Check(t, slices.Equal(got, want), "cells %q, want %q", got, want)
	if s.Done != 1 || s.Running != 1 || s.Incomplete != 2 || s.Waiting != 2 || s.Planned != 6 || s.Usage.Programs != 7 {
		t.Errorf("status %+v", s)
	}
	if took := s.Cells[0].Took; took != 10*time.Minute {
		t.Errorf("the cell done took %s", took)
	}
}
