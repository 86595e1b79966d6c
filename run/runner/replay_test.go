package runner

import (
	"encoding/json"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func FuzzAsJournalledIsWhatTheJournalGivesBack(f *testing.F) {
	f.Add("plain", "\xff\xfe\x00bytes", "half \xe2\x82")
	f.Fuzz(func(t *testing.T, diagnostic, stdout, stderr string) {
		first := asJournalled(trial.Result{Outcome: trial.OK, Diagnostic: diagnostic, Stdout: stdout, Stderr: stderr})
		data, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		var again trial.Result
		if err := json.Unmarshal(data, &again); err != nil {
			t.Fatal(err)
		}
		if again.Diagnostic != first.Diagnostic || again.Stdout != first.Stdout || again.Stderr != first.Stderr {
			t.Errorf("first session sees %+v, a resumed one %+v", first, again)
		}
	})
}
