package toolchain

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKilledCommandIsNoVerdict: a command that somebody kills is started again if it may be, and
// never taken for one that refused its input.
func TestKilledCommandIsNoVerdict(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		kills  int
		repeat bool
		ok     bool
	}{{0, false, true}, {1, false, false}, {2, true, true}, {starts, true, false}} {
		tally := filepath.Join(dir, "tally")
		if err := os.WriteFile(tally, []byte(strings.Repeat("x", tt.kills)), 0o644); err != nil {
			t.Fatal(err)
		}
		script := `if [ -s tally ]; then truncate -s -1 tally; kill -9 $$; fi`
		_, err := Run(t.Context(), Command{Args: []string{"sh", "-c", script}, Dir: dir, Repeatable: tt.repeat})
		var killed *killedError
		var verdict *CommandError
		if (err == nil) != tt.ok || err != nil && !errors.As(err, &killed) || errors.As(err, &verdict) {
			t.Errorf("%d kills, repeatable %v: %v", tt.kills, tt.repeat, err)
		}
	}
}
