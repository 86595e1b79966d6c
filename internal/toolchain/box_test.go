package toolchain

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

// boxed runs a shell command in a box that can write to dir.
func boxed(t *testing.T, tools *Tools, dir, script string, limits Limits) (Output, error) {
	t.Helper()
	box, err := tools.Box(nil, []string{dir})
	assert.NilError(t, err)
	return Run(t.Context(), Command{Args: []string{"/bin/sh", "-c", script}, Dir: dir, Box: box, Limits: limits})
}

func TestBoxShowsNothingElse(t *testing.T) {
	tools, dir := testTools(t), t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	assert.NilError(t, os.WriteFile(secret, []byte("x"), 0o644))
	script := `for f in /etc/passwd /proc/self /dev/zero /dev/null /root /home /usr/share/doc /var ` + secret + `; do
		[ -e $f ] && echo "there is $f"; done; : > made; (: > /usr/lib/x || : > /x || : > /etc/x) 2>/dev/null && echo writes; exit 0`
	out, err := boxed(t, tools, dir, script, Limits{})
	assert.Check(t, err == nil && len(out.Stdout) == 0, "%v: %s", err, out.Stdout)
	if _, err := os.Stat(filepath.Join(dir, "made")); err != nil {
		t.Error(err)
	}
}

func TestBoxEndsAsItsCommand(t *testing.T) {
	tools, dir := testTools(t), t.TempDir()
	for script, want := range map[string]CommandError{
		"exit 3":        {ExitCode: 3},
		"kill -ABRT $$": {ExitCode: -1, Signal: syscall.SIGABRT},
	} {
		_, err := boxed(t, tools, dir, script, Limits{})
		failed, ok := err.(*CommandError)
		assert.Check(t, ok && failed.ExitCode == want.ExitCode && failed.Signal == want.Signal, "%s: %v", script, err)
	}
	// The limits are there before the command is.
	_, err := boxed(t, tools, dir, "ulimit -t; ulimit -f; while :; do :; done", Limits{CPU: time.Second, FileSize: 1 << 20})
	if failed, ok := err.(*CommandError); !ok || failed.Signal != syscall.SIGXCPU || !strings.HasPrefix(string(failed.Stdout), "1\n2048\n") {
		t.Errorf("%v", err)
	}
}

func TestWhatABoxCannotDoIsNoVerdict(t *testing.T) {
	tools := testTools(t)
	box, err := tools.Box(nil, []string{filepath.Join(t.TempDir(), "missing")})
	assert.NilError(t, err)
	_, err = Run(t.Context(), Command{Args: []string{"/bin/true"}, Box: box})
	if _, verdict := err.(*CommandError); err == nil || verdict {
		t.Errorf("%v", err)
	}
}
