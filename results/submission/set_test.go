package submission

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

// TestSets expects the bugs of each set. That of debian has the 75 on which results were published, whatever bugs are added.
func TestSets(t *testing.T) {
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	fresh, recent := 0, 0
	for _, l := range bench.Libraries {
		for _, b := range l.Bugs {
			if b.Selection == lisabench.FreshlyAdded {
				fresh++
				if b.Date >= "2026-01-01" {
					recent++
				}
			}
		}
	}
	for name, want := range map[string]int{
		"debian-available": 75, "debian-protocol": 32, "debian-fresh-available": 75 + fresh,
		"debian-since:2026-01-01": 3, "debian-fresh-since:2026-01-01": 3 + recent,
	} {
		set, err := NewSet(bench, name, nil, 1)
		assert.Check(t, err == nil && set.Bugs() == want, "%s: %d bugs, want %d (%v)", name, set.Bugs(), want, err)
	}
	for name, want := range map[string]string{
		"debian-fresh-availables": `did you mean "debian-fresh-available"`, "devuan-since:2026-01-01": "unknown set",
		"debian-since:2026": `since "2026": not a day`, "": "unknown set",
	} {
		_, err := NewSet(bench, name, nil, 1)
		assert.Check(t, err != nil && strings.Contains(err.Error(), want), "%s: error %v, want %s", name, err, want)
	}
}
