package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"gotest.tools/v3/assert"
)

// TestRun runs one experiment on the real cJSON in every way that must not change a byte of
// its report: undisturbed, with another number of jobs, killed, interrupted; faults_test.go has the rest.
func TestRun(t *testing.T) {
	t.Parallel()
	l := newLab(t, strings.NewReplacer("PROGRAMS", "12", "BUGS", "[cjson-5]", "TIMEOUT", unhurried).Replace(tinyExperiment))
	runs := t.TempDir()
	undisturbed, alone := filepath.Join(runs, "undisturbed"), filepath.Join(runs, "one-job")
	l.run(t, undisturbed, "--jobs", "2")
	l.run(t, alone, "--jobs", "1")
	sameReport(t, undisturbed, alone)

	t.Run("killed", func(t *testing.T) { l.killed(t, undisturbed) })
	t.Run("reported again", func(t *testing.T) { reportedAgain(t, undisturbed) })
	t.Run("hand-written suite", l.evaluate)
	if testing.Short() {
		return // the other tests make the suite or build the library anew
	}
	t.Run("interrupted", func(t *testing.T) { l.interrupted(t, undisturbed) })
	t.Run("a bug does not compile", l.bugDoesNotCompile)
	t.Run("witness does not discriminate", l.witnessProvesNothing)
}

// killed kills a run at moments that are spread over its length, by how many events its
// journals have then.
func (l lab) killed(t *testing.T, undisturbed string) {
	const event = `"seq":`
	whole := (&session{dir: undisturbed}).occurs(t, "events.jsonl", event)
	dir := filepath.Join(t.TempDir(), "run")
	const kills = 2
	for n := range kills {
		s, enough := l.start(t, dir), whole*(n+1)/(kills+1)
		s.await(t, fmt.Sprintf("event %d of %d", enough, whole), func() bool { return s.occurs(t, "events.jsonl", event) >= enough })
		children := s.descendants(t)
		_ = s.cmd.Process.Kill() // alone: nobody tells its children
		<-s.exited
		gone(t, children)
		t.Logf("kill %d: %d programs kept", n+1, s.occurs(t, "events.jsonl", `"kind":"program"`))
	}
	l.run(t, dir)
	sameReport(t, undisturbed, dir)
	_, err := os.Stat(filepath.Join(dir, "scratch"))
	assert.Check(t, errors.Is(err, os.ErrNotExist), "scratch files are left: %v", err)
}

// interrupted presses Ctrl-C while programs are generated, damages the journals as a power
// failure would, and presses it again while they are measured.
func (l lab) interrupted(t *testing.T, undisturbed string) {
	dir := filepath.Join(t.TempDir(), "run")
	for _, stage := range []struct {
		name string
		file string
		word string
	}{
		{"generating", "events.jsonl", `"kind":"program"`},
		{"measuring", "log.jsonl", `"evaluating"`},
	} {
		s := l.start(t, dir)
		s.await(t, stage.name, func() bool { return s.occurs(t, stage.file, stage.word) > 0 })
		children := s.descendants(t)
		assert.Check(t, len(children) != 0, "%s: no child processes to look for", stage.name)
		s.signal(syscall.SIGINT)
		s.expect(t, exitInterrupted, "bench: interrupted: run the same command again to resume")
		gone(t, children)
		tornLine.spoil(t, filepath.Join(dir, "cells", "*", "events.jsonl"))
	}
	l.run(t, dir)
	sameReport(t, undisturbed, dir)
}

// reportedAgain makes the report from a copy of the run's other files.
func reportedAgain(t *testing.T, undisturbed string) {
	moved := filepath.Join(t.TempDir(), "moved")
	assert.NilError(t, os.CopyFS(moved, os.DirFS(undisturbed)))
	assert.NilError(t, os.RemoveAll(filepath.Join(moved, "report")))
	start(t, moved, "report", moved).expect(t, exitOK, "report/index.html")
	sameReport(t, undisturbed, moved)
}

// evaluate scores tests of which one passes, one finds nothing but its own mistake, one
// crashes and one does not compile.
func (l lab) evaluate(t *testing.T) {
	suite := t.TempDir()
	for name, body := range map[string]string{
		"passes.c":   "cJSON *j = cJSON_Parse(\"[1]\"); assert(cJSON_GetArraySize(j) == 1); cJSON_Delete(j);",
		"mistaken.c": "assert(cJSON_GetArraySize(NULL) == 7);",
		"crashes.c":  "volatile char *p = NULL; *p = 1;",
		"broken.c":   "return cJSON_NoSuchFunction(;",
	} {
		text := "#include <assert.h>\n#include <stddef.h>\n#include \"cJSON.h\"\nint main(void) { " + body + " return 0; }\n"
		assert.NilError(t, os.WriteFile(filepath.Join(suite, name), []byte(text), 0o644))
	}
	dir := filepath.Join(t.TempDir(), "run")
	s := start(t, dir, "evaluate", "--cache", l.cache, "--library", "cJSON", "--suite", suite, "--bugs", "none", "--dir", dir)
	s.expect(t, exitOK)
	outcomes := files(t, filepath.Join(dir, "report"))["/csv/outcomes.csv"]
	for _, want := range []string{"ok,1", "compile_error,1", "link_error,0", "crash,1", "assertion,1"} {
		assert.Check(t, strings.Contains(outcomes, "\ncJSON,suite,"+want+","),
			"no %s in the outcomes:\n%s", want, outcomes)
	}

	printed, err := exec.Command("bench", "evaluate", "--cache", l.cache, "--library", "cJSON", "--suite", suite, "--bugs", "none", "--dir", dir, "--json").Output()
	assert.NilError(t, err)
	var out outcome
	if err := json.Unmarshal(printed, &out); err != nil {
		t.Fatalf("%v:\n%s", err, printed)
	}
	if out.Schema != 1 || out.Dir != dir || out.Complete != 1 || len(out.Records) != 1 || out.Records[0].Programs.Executed != 1 {
		t.Errorf("outcome as JSON: %+v", out)
	}
}

// withPart returns a lab with a copy of a part of the cache, or of all (".").
func (l lab) withPart(t *testing.T, part string) lab {
	t.Helper()
	copied := lab{cache: filepath.Join(t.TempDir(), "cache"), experiment: l.experiment}
	assert.NilError(t, os.CopyFS(filepath.Join(copied.cache, part), os.DirFS(filepath.Join(l.cache, part))))
	if part != "." {
		copied.equip(t)
	}
	return copied
}

// sourceFiles returns the paths of cJSON.c in every tree of the cache, to be changed: without its
// sum a tree is taken as it is.
func (l lab) sourceFiles(t *testing.T) []string {
	t.Helper()
	trees := filepath.Join(l.cache, "sources", "trees")
	found, sums := matches(t, filepath.Join(trees, "*", "cJSON.c")), matches(t, filepath.Join(trees, "*.sum"))
	assert.Assert(t, len(found) != 0 && len(sums) >= len(found), "%d trees, %d sums", len(found), len(sums))
	for _, sum := range sums {
		assert.NilError(t, os.Remove(sum))
	}
	return found
}

// bugDoesNotCompile breaks the source of one bug: all else is measured, and when the source is mended
// the same command measures the bug and generates nothing.
func (l lab) bugDoesNotCompile(t *testing.T) {
	own := l.withPart(t, "sources/downloads")
	own.run(t, filepath.Join(t.TempDir(), "run"), "--set", "libraries.cJSON.bugs=none")
	sound := matches(t, filepath.Join(own.cache, "sources", "trees", "*", "cJSON.c"))
	start(t, "", "validate", "cjson-5", "--cache", own.cache).expect(t, exitOK)
	buggy := slices.DeleteFunc(own.sourceFiles(t), func(file string) bool { return slices.Contains(sound, file) })[0]
	text, err := os.ReadFile(buggy)
	assert.NilError(t, err)
	assert.NilError(t, errors.Join(os.WriteFile(buggy, append(slices.Clone(text), "int broken(void) { return undeclared; }\n"...), 0o644),
		os.RemoveAll(filepath.Join(own.cache, "builds"))))
	dir := filepath.Join(t.TempDir(), "run")
	s := own.start(t, dir)
	s.expect(t, exitIncomplete, "2 of 2 cells are complete except for bug cjson-5 (build: ", "use of undeclared identifier 'undeclared'", "Untried")
	generated := s.occurs(t, "events.jsonl", `"kind":"executed"`)
	assert.NilError(t, os.WriteFile(buggy, text, 0o644))
	s = own.start(t, dir)
	s.expect(t, exitOK, "of 1 bug.", "cjson-5")
	if again := s.occurs(t, "events.jsonl", `"kind":"executed"`); again != generated || generated == 0 {
		t.Errorf("%d executions in all after %d: the suite was made again", again, generated)
	}
}

// witnessProvesNothing makes all trees equal, the buggy one and the reference among them.
func (l lab) witnessProvesNothing(t *testing.T) {
	same := l.withPart(t, "sources/downloads")
	args := []string{"validate", "cjson-1", "--cache", same.cache}
	start(t, "", args...).expect(t, exitOK, "proven: 1, absent: 0, not proven: 0", "ok ×10")
	start(t, "", append(args, "--json")...).expect(t, exitOK, `"schema": 1`, `"corpus": "`, `"passed": 10`, `"expr": "`)
	trees := same.sourceFiles(t)
	assert.Assert(t, len(trees) >= 2, "%d trees: not the reference and the buggy one", len(trees))
	for _, tree := range trees[1:] {
		other := filepath.Dir(tree)
		assert.NilError(t, errors.Join(os.RemoveAll(other), os.CopyFS(other, os.DirFS(filepath.Dir(trees[0])))))
	}
	assert.NilError(t, os.RemoveAll(filepath.Join(same.cache, "builds")))
	start(t, "", args...).expect(t, exitFailure, "proven: 0, absent: 0, not proven: 1", "FAILED", "1 of 1 bugs are not proven")
}
