package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

// pattern is how the moments of one run are spread over its stages.
var pattern = []stage{
	fetching, fetching, building, building, generating, generating, generating, evaluating, evaluating,
	generatingWithModel, generatingWithModel, generatingWithModel, evaluatingWithModel, evaluatingWithModel, reporting,
}

// removed are the parts of the cache that are deleted before a run, in turn.
var removed = [][]string{
	{"."},
	{"sources/trees", "builds", "objects", "prepared"},
	{"sources", "builds", "runners", "stubs", "plugins", "preambles", "verifications"},
}

// TestTorture kills runs at random moments of all their stages and goes on with them, until
// each has ended. Nothing may be lost by it.
//
// LISA_BENCH_TORTURE_MOMENTS says how often to kill, LISA_BENCH_TORTURE_SEED when.
func TestTorture(t *testing.T) {
	if testing.Short() {
		t.Skip("builds cJSON and runs an experiment some times over")
	}
	seed, moments := setting(t, "LISA_BENCH_TORTURE_SEED", 1), setting(t, "LISA_BENCH_TORTURE_MOMENTS", 6)
	tt := newTorture(t, uint64(seed))
	runs := (moments + len(pattern) - 1) / len(pattern)
	for n := range runs {
		tt.episode(t, n, moments*(n+1)/runs-moments*n/runs)
	}
	t.Logf("seed %d: %d kills, by stage %v; %d answers needed, %d asked for", seed, tt.moments, tt.kills, runs*total(tt.owed), tt.asked)
	assert.Check(t, tt.moments == moments && total(tt.owed) >= 20,
		"%d moments of %d, and %d answers to pay for", tt.moments, moments, total(tt.owed))
}

func setting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	assert.Assert(t, err == nil && n >= 1, "%s=%s: not a number above 0", name, text)
	return n
}

// A torture is a series of runs that are killed, and what came of it.
type torture struct {
	lab         lab
	model       *payroll
	rng         *rand.Rand
	undisturbed string
	owed        map[string]int // answers that a whole run pays for
	length      [stages]time.Duration

	moments int
	kills   [stages]int
	asked   int // answers that were asked for in all
}

func newTorture(t *testing.T, seed uint64) *torture {
	tt := &torture{rng: rand.New(rand.NewPCG(seed, 0))}
	work := extent{bugs: "[cjson-1, cjson-2, cjson-5]", programs: 20, seeds: 8, pause: 150 * time.Millisecond}
	if tortured() {
		work.bugs, work.programs, work.seeds = "protocol", 30, 12
	}
	tt.lab, tt.model = newTortureLab(t, work)
	tt.undisturbed = filepath.Join(t.TempDir(), "undisturbed")
	tt.measure(t)
	tt.owed = paid(t, tt.undisturbed)
	tt.model.since()
	return tt
}

// measure makes the undisturbed run, from an empty cache, and times its stages.
func (tt *torture) measure(t *testing.T) {
	s := tt.lab.start(t, tt.undisturbed, "--jobs", "1")
	w, last := tt.lab.watch(tt.undisturbed), time.Now()
	for running := true; running; {
		select {
		case <-s.exited:
			running = false
		case <-time.After(2 * time.Millisecond):
		}
		now := time.Now()
		tt.length[w.stage()] += now.Sub(last)
		last = now
	}
	s.expect(t, exitOK)
	t.Logf("undisturbed: %v", tt.length)
}

// episode makes one run that is killed so many times, and compares it with the undisturbed one.
func (tt *torture) episode(t *testing.T, n, moments int) {
	for _, part := range removed[n%len(removed)] {
		assert.NilError(t, os.RemoveAll(filepath.Join(tt.lab.cache, part)))
	}
	if !tortured() {
		tt.lab.equip(t)
	}
	dir := filepath.Join(t.TempDir(), "run")
	jobs := strconv.Itoa(1 + n%2)
	for i := range moments {
		aim := pattern[(2*i+1)*len(pattern)/(2*moments)]
		tt.kill(t, dir, jobs, aim)
	}
	before := paid(t, dir)
	s := tt.lab.start(t, dir, "--jobs", jobs)
	if code := s.wait(t); code != exitOK {
		t.Errorf("a run did not finish: exit code %d:\n%s", code, s.out.String())
		return
	}
	tt.audit(t, before)
	for _, d := range differences(t, tt.undisturbed, dir) {
		t.Errorf("differs from the undisturbed run: run %d: %s", n+1, d)
	}
	for _, f := range leftovers(t, dir) {
		t.Errorf("a temporary file is left: %s", f)
	}
}

// kill starts the run, waits until it has come to a stage or beyond, and for a part of that
// stage's length, and kills it.
func (tt *torture) kill(t *testing.T, dir, jobs string, aim stage) {
	before, programs := paid(t, dir), 0
	w := tt.lab.watch(dir)
	s := tt.lab.start(t, dir, "--jobs", jobs)
	programs = s.occurs(t, "events.jsonl", `"kind":"program"`)
	ended := func() bool {
		select {
		case <-s.exited:
			return true
		default:
			return false
		}
	}
	for w.stage() < aim && !ended() {
		time.Sleep(time.Millisecond)
	}
	select {
	case <-s.exited:
	case <-time.After(time.Duration(tt.rng.Int64N(1 + int64(tt.length[aim])))):
	}
	children := s.descendants(t)
	at := w.stage()
	_ = s.cmd.Process.Kill() // alone: nobody tells its children
	<-s.exited
	tt.audit(t, before)
	if s.cmd.ProcessState.Exited() {
		code := s.cmd.ProcessState.ExitCode()
		assert.Check(t, code == exitOK, "a run did not finish: exit code %d:\n%s", code, s.out.String())
		at = reporting // it was over: the next one makes the report again
	}
	tt.moments++
	tt.kills[at]++
	for _, p := range lingering(t, children) {
		t.Errorf("left behind: %v, of %v", p, at)
	}
	after := paid(t, dir)
	for about, n := range before {
		assert.Check(t, after[about] >= n, "lost from the journal: an answer to %.60s", about)
	}
	now := s.occurs(t, "events.jsonl", `"kind":"program"`)
	assert.Check(t, now >= programs, "lost from the journal: %d programs of %d", now, programs)
	t.Logf("moment %d: aimed at %v, killed at %v; %d programs, %d answers", tt.moments, aim, at, s.occurs(t, "events.jsonl", `"kind":"program"`), total(after))
}

// audit holds what a session asked against what it had in its transcript when it began.
func (tt *torture) audit(t *testing.T, had map[string]int) {
	t.Helper()
	for about, n := range tt.model.since() {
		tt.asked += n
		again := n + had[about] - tt.owed[about]
		assert.Check(t, again <= 0, "asked again: %d more than needed of %.60s", again, about)
	}
}

func total(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// leftovers returns the temporary files of a finished run.
func leftovers(t *testing.T, run string) []string {
	t.Helper()
	var found []string
	for name := range files(t, run) {
		if strings.Contains(name, ".tmp-") || strings.HasPrefix(name, "/scratch") {
			found = append(found, name)
		}
	}
	return found
}
