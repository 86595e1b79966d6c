package report_test

import (
	"slices"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/check/probe"
	. "github.com/lisa-bench/lisa-bench/internal/report"
)

func TestProbes(t *testing.T) {
	run := costly()
	run.Probes = []probe.Probe{
		{Protocol: probe.Protocol, Library: "zlib", Edition: "debian", Model: "large", Lines: 2,
			Bugs: []probe.Named{{Bug: "b1", Lines: []string{"f: x 1234567"}, Fix: true}, {Bug: "b2", Lines: []string{"f: x 1234567"}}, {Bug: "b3"}}},
		{Protocol: probe.Protocol, Library: "zlib", Edition: "debian", Model: "small", Bugs: []probe.Named{{Bug: "b1"}}},
		{Protocol: "names-0", Library: "zlib", Edition: "debian", Model: "old"},
	}
	d := build(t, run)
	if got, want := rowsOf(t, d, "probe"), []string{"zlib|large|2|1 of 3|1 of 3|b1, b2", "zlib|small|0|0 of 1|0 of 1|–"}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got, want := table(t, d, "probe").Warnings, []string{"old on zlib was asked by another protocol, names-0: run bench probe again."}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if run.Probes = nil; slices.ContainsFunc(build(t, run).Sections, func(s Section) bool { return s.ID == "probe" }) {
		t.Error("a run that was not probed has the section")
	}
}
