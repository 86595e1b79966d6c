package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"gotest.tools/v3/assert"
)

// TestFaults lets one thing go wrong at a time. What the harness does about it may differ, but
// after at most one more start of the same command the report is the undisturbed one. Without
// LISA_BENCH_TORTURE_MOMENTS, which `make torture` sets, it takes a few of them, in a minute.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("builds cJSON and runs an experiment some times over")
	}
	f := newFaults(t)
	t.Run("disk of results full", func(t *testing.T) {
		defer f.row(t, "stopped, and said so; went on when there was space")
		f.lab.diskFull(t, f.undisturbed)
	})
	t.Run("results read-only", f.readOnly)
	if tortured() {
		t.Run("disk of cache full", f.cacheFull)
		t.Run("sandbox runners killed", f.runnersKilled)
		t.Run("compilers and linkers killed", f.compilersKilled)
		t.Run("clock jumps", f.clockJumps)
	}
	f.damagedRuns(t)
	f.damagedCaches(t)
	f.print()
}

// tortured says that somebody has time for every fault.
func tortured() bool { return os.Getenv("LISA_BENCH_TORTURE_MOMENTS") != "" }

// faults is an undisturbed run, and what came of disturbed ones.
type faults struct {
	lab         lab
	model       *payroll
	undisturbed string
	owed        map[string]int
	rows        [][2]string
}

func newFaults(t *testing.T) *faults {
	f := &faults{undisturbed: filepath.Join(t.TempDir(), "undisturbed")}
	f.lab, f.model = newTortureLab(t, extent{bugs: "[cjson-1, cjson-2]", programs: 12, seeds: 3})
	f.lab.run(t, f.undisturbed)
	f.owed = paid(t, f.undisturbed)
	f.model.since()
	return f
}

// row notes what came of the fault that t is about.
func (f *faults) row(t *testing.T, format string, args ...any) {
	t.Helper()
	result := fmt.Sprintf(format, args...)
	if t.Failed() {
		result = "LOST: " + result
	}
	_, name, _ := strings.Cut(t.Name(), "/")
	f.rows = append(f.rows, [2]string{strings.ReplaceAll(name, "_", " "), result})
}

// print writes the table of `make torture`.
func (f *faults) print() {
	var b strings.Builder
	lost := 0
	fmt.Fprintf(&b, "\nfaults: each followed by a report equal to the undisturbed one, unless LOST\n\n")
	for _, r := range f.rows {
		fmt.Fprintf(&b, "  %-46s %s\n", r[0], r[1])
		if strings.HasPrefix(r[1], "LOST") {
			lost++
		}
	}
	fmt.Fprintf(&b, "\nfaults: %d, %d losses\n", len(f.rows), lost)
	fmt.Print(b.String())
}

// finish runs dir to its end, compares the report, and sees that nothing was paid for that it had.
func (f *faults) finish(t *testing.T, l lab, dir string) {
	t.Helper()
	had := paid(t, dir)
	f.model.since()
	l.run(t, dir)
	sameReport(t, f.undisturbed, dir)
	for about, n := range f.model.since() {
		again := n + had[about] - f.owed[about]
		assert.Check(t, again <= 0, "asked again for %d answers to %.60s", again, about)
	}
}

// mount mounts a small disk at an empty directory until the test ends.
func mount(t *testing.T, options string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a small disk")
	}
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, options); err != nil {
		t.Skipf("no small disk: %v", err)
	}
	t.Cleanup(func() {
		assert.Check(t, unix.Unmount(disk, unix.MNT_DETACH))
	})
	return disk
}

// fill fills a disk but for some bytes and returns the file that does.
func fill(t *testing.T, disk string, spare int64) (filler string) {
	t.Helper()
	filler = filepath.Join(disk, "filler")
	err := os.WriteFile(filler, make([]byte, 512<<20), 0o644)
	assert.Assert(t, errors.Is(err, unix.ENOSPC), "the disk is not full: %v", err)
	assert.NilError(t, os.Truncate(filler, max(0, size(filler)-spare)))
	return filler
}

// diskFull fills the disk below a run and frees it again.
func (l lab) diskFull(t *testing.T, undisturbed string) {
	disk := mount(t, "size=160m")
	dir := filepath.Join(disk, "run")
	s := l.start(t, dir)
	s.await(t, "generating", func() bool { return s.occurs(t, "events.jsonl", `"kind":"program"`) > 0 })
	filler := fill(t, disk, 0)
	// Whether a journal meets the full disk first, or a compiler.
	s.expect(t, exitFailure, "no space left on device: free some space and run the same command again; everything finished is kept")
	assert.NilError(t, os.Remove(filler))
	l.run(t, dir)
	sameReport(t, undisturbed, dir)
}

// cacheFull leaves so little space in the cache that one build fits and the next does not.
func (f *faults) cacheFull(t *testing.T) {
	disk := mount(t, "size=256m")
	defer f.row(t, "stopped, and said so; went on when there was space")
	l := lab{cache: filepath.Join(disk, "cache"), experiment: f.lab.experiment}
	assert.NilError(t, os.CopyFS(filepath.Join(l.cache, "sources"), os.DirFS(filepath.Join(f.lab.cache, "sources"))))
	filler := fill(t, disk, 400<<10)
	dir := filepath.Join(t.TempDir(), "run")
	s := l.start(t, dir)
	s.expect(t, exitFailure, "no space left on device", l.cache)
	assert.NilError(t, os.Remove(filler))
	f.finish(t, l, dir)
}

// readOnly makes the results directory of a killed run read-only.
func (f *faults) readOnly(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a directory read-only")
	}
	dir := filepath.Join(t.TempDir(), "run")
	f.killedAt(t, dir, generatingWithModel)
	if err := unix.Mount(dir, dir, "", unix.MS_BIND, ""); err != nil {
		t.Skipf("no bind mount: %v", err)
	}
	err := unix.Mount("", dir, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, "")
	if err == nil {
		f.lab.start(t, dir).expect(t, exitFailure, "read-only file system: make the results directory writable, or name another one")
	}
	assert.NilError(t, errors.Join(err, unix.Unmount(dir, 0)))
	f.finish(t, f.lab, dir)
	f.row(t, "refused, and said so; went on when it was writable")
}

// killedAt leaves a run that was killed at a stage.
func (f *faults) killedAt(t *testing.T, dir string, at stage) {
	t.Helper()
	w := f.lab.watch(dir)
	s := f.lab.start(t, dir)
	s.await(t, at.String(), func() bool { return w.stage() >= at })
	_ = s.cmd.Process.Kill()
	<-s.exited
}

// runnersKilled kills sandbox runners while their programs run.
func (f *faults) runnersKilled(t *testing.T) {
	dir, n := filepath.Join(t.TempDir(), "run"), 0
	again := ""
	defer func() { f.row(t, "%d killed; replaced, their programs run again%s", n, again) }()
	s := f.lab.start(t, dir, "--jobs", "1")
	n = s.preyOn(t, 400*time.Millisecond, func(s *session) []process {
		var prey []process
		for _, p := range processes(t)[s.cmd.Process.Pid] {
			if strings.HasPrefix(p.name, "bwrap") || strings.HasPrefix(p.name, "runner") {
				prey = append(prey, p)
			}
		}
		return prey
	})
	if s.wait(t) != exitOK { // one was killed twice with the same program, or before its greeting
		again = "; said so, and went on"
		s.expect(t, exitIncomplete, "the runner has gone")
	}
	f.finish(t, f.lab, dir)
}

// compilersKilled kills compilers and linkers, as the kernel does where memory is short. The
// cache has nothing that was built before.
func (f *faults) compilersKilled(t *testing.T) {
	l := f.withSources(t)
	dir := filepath.Join(t.TempDir(), "run")
	s := l.start(t, dir)
	n := s.preyOn(t, 300*time.Millisecond, func(s *session) []process {
		return slices.DeleteFunc(s.descendants(t), func(p process) bool {
			return !strings.HasPrefix(p.name, "clang") && !strings.HasPrefix(p.name, "ld")
		})
	})
	again := ""
	if code := s.wait(t); code != exitOK { // one was killed each time that it was started
		again = "; said so, and went on"
		assert.Check(t, strings.Contains(s.out.String(), "killed from outside"),
			"exit code %d:\n%s", code, s.out.String())
	}
	f.finish(t, l, dir)
	f.row(t, "%d killed%s", n, again)
}

// withSources returns the lab with a cache that has the sources only.
func (f *faults) withSources(t *testing.T) lab {
	t.Helper()
	l := lab{cache: filepath.Join(t.TempDir(), "cache"), experiment: f.lab.experiment}
	assert.NilError(t, os.CopyFS(filepath.Join(l.cache, "sources"), os.DirFS(filepath.Join(f.lab.cache, "sources"))))
	return l
}

// preyOn kills one of the session's processes from time to time until it ends, and returns how
// many died of it.
func (s *session) preyOn(t *testing.T, pause time.Duration, find func(*session) []process) (kills int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 0))
	for {
		select {
		case <-s.exited:
			assert.Check(t, kills != 0, "there was nothing to kill")
			return kills
		case <-time.After(2 * time.Millisecond):
		}
		if prey := find(s); len(prey) > 0 && syscall.Kill(prey[rng.IntN(len(prey))].pid, syscall.SIGKILL) == nil {
			kills++
			time.Sleep(pause)
		}
	}
}

// jumpingClock is the time of a machine whose clock is set forward and back by hours, as seen by
// a program that has nothing but that clock: Go's monotonic one is left out.
func jumpingClock() func() time.Time {
	jumps := []time.Duration{0, -time.Hour, 3 * time.Hour, -26 * time.Hour, 0, time.Minute}
	began := time.Now()
	return func() time.Time {
		now := time.Now()
		return now.Round(0).Add(jumps[int(now.Sub(began)/(300*time.Millisecond))%len(jumps)])
	}
}

// clockJumps runs with such a clock from beginning to end, and goes on after a kill.
func (f *faults) clockJumps(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"run", f.lab.experiment, "--cache", f.lab.cache, "--dir", dir}
	w := f.lab.watch(dir)
	s := startProgram(t, dir, "bench-jumps", args...)
	s.await(t, "generating with a model", func() bool { return w.stage() >= generatingWithModel })
	_ = s.cmd.Process.Kill()
	<-s.exited
	startProgram(t, dir, "bench-jumps", args...).expect(t, exitOK)
	sameReport(t, f.undisturbed, dir)
	f.row(t, "nothing to see")
}
