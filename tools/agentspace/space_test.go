package agentspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/toolcall"
)

// A passing executor passes every program, after it has called during.
type passing struct {
	during func()
	ran    map[string]bool // sources
}

func (s *passing) Run(_ context.Context, programs []trial.Program, _ trial.ExecOptions) (results []trial.Result, err error) {
	for _, p := range programs {
		s.ran[p.Source] = true
		results = append(results, trial.Result{ID: p.ID, Outcome: trial.OK})
	}
	s.during()
	return results, nil
}

// TestWrittenWhileChecked: what an agent writes while a check runs, in that file or in others, is not what the suite
// gets. The next check sees it, and a check that another agent's process asks for meanwhile waits.
func TestWrittenWhileChecked(t *testing.T) {
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	compiler, err := toolchain.NewCompiler(tools, t.TempDir(), testcache.Dir("plugins"), 2, nil)
	assert.NilError(t, err)
	target := func(dir string) trial.Target {
		return trial.Target{Library: "bell", Language: trial.C, Headers: []string{"bell.h"}, IncludeDirs: []string{dir}, SourceDir: dir}
	}
	c, err := toolcall.New(t.TempDir(), "../../baselines/agent/testdata", target, trial.Budget{Programs: 9}, nil)
	assert.NilError(t, err)
	exec := &passing{ran: map[string]bool{}}
	c.Job.Exec = exec
	s, err := Open(t.Context(), compiler, c.Job, FeedbackNone)
	assert.NilError(t, err)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(s.tests(), name), []byte(text), 0o644); err != nil {
			t.Error(err)
		}
	}
	check := func() string {
		said, err := s.Call(t.Context(), "check", "{}")
		if err != nil {
			t.Error(err)
		}
		return said
	}
	secret := filepath.Join(c.Job.Dir, "secret.c")
	if err := os.WriteFile(secret, []byte("int secret;\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var beside sync.WaitGroup
	again := ""
	exec.during = sync.OnceFunc(func() {
		write("a.c", "int other;\n")
		write("late.c", "int late;\n")
		if err := os.Symlink(secret, filepath.Join(s.tests(), "link.c")); err != nil {
			t.Error(err)
		}
		beside.Go(func() { again = check() })
	})
	write("a.c", "int first;\n")
	if said := check(); said != "a.c: passes" {
		t.Errorf("it said %q", said)
	}
	beside.Wait()
	assert.Check(t, again == "a.c: passes\nlate.c: passes", "the check beside it said %q", again)
	assert.NilError(t, s.Finish(t.Context()))
	var kept []string
	for _, p := range c.Suite.Programs {
		kept = append(kept, strings.TrimSpace(p.Source))
		assert.Check(t, exec.ran[p.Source], "%q is in the suite and was never run", p.Source)
	}
	assert.Check(t, is.Equal(strings.Join(kept, " "), "int first; int other; int late;"), "the suite")
}
