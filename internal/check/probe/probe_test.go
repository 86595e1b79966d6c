package probe

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func TestJudge(t *testing.T) {
	bugs := []*lisabench.Bug{
		{ID: "b1", APIs: []string{"open_it", "close_it"}, Fix: "0123456789abcdef0123456789abcdef01234567"},
		{ID: "b2", APIs: []string{"ns::Set::Add"}, Fix: "fedcba9876543210fedcba9876543210fedcba98"},
		{ID: "b3", APIs: []string{"other"}, Fix: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
	}
	answer := "Here is what I know of open_it\n" +
		"1. `close_it()`: freed twice. -\n- Set::Add: lost the last one. fedcba98765\nthird: open_it leaked 0123456\nopen_it is fine\n"
	lines, named := Judge(answer, bugs)
	want := []Named{
		{Bug: "b1", Lines: []string{"1. `close_it()`: freed twice. -"}, Fix: true},
		{Bug: "b2", Lines: []string{"- Set::Add: lost the last one. fedcba98765"}, Fix: true},
		{Bug: "b3"},
	}
	if lines != 3 || !reflect.DeepEqual(named, want) {
		t.Errorf("%d lines, %+v", lines, named)
	}
	if lines, named := Judge(strings.Repeat("f: x\n", maxLines)+"other: y\n", bugs); lines != maxLines || named[2].Lines != nil {
		t.Errorf("a line too many counts: %d, %+v", lines, named)
	}
}

func TestAtMost(t *testing.T) {
	for _, c := range []struct {
		lines [][]string
		want  int
	}{
		{nil, 0},
		{[][]string{{"a"}, {"a"}, {"a"}}, 1}, // one line means one bug
		{[][]string{{"a", "b"}, {"a"}, nil, {"c"}}, 3}, // the first gives way
		{[][]string{{"a", "b"}, {"a", "b"}, {"b"}}, 2},
	} {
		p := Probe{}
		for _, l := range c.lines {
			p.Bugs = append(p.Bugs, Named{Lines: l})
		}
		if got := p.AtMost(); got != c.want {
			t.Errorf("%q: %d, want %d", c.lines, got, c.want)
		}
	}
}

// The prompt tells the name and the version and nothing else.
func TestPromptAndFiles(t *testing.T) {
	text := Prompt("re2", trial.CXX, "20230201")
	if !strings.Contains(text, "the C++ library re2, version 20230201.") {
		t.Error(text)
	}
	run := t.TempDir()
	p := Probe{Protocol: Protocol, Library: "re2", Edition: "debian", Model: "vendor/m", Prompt: text, Bugs: []Named{{Bug: "re2-1"}}}
	dir := Dir(run, p.Library, p.Edition, p.Model)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := p.Save(dir); err != nil {
		t.Fatal(err)
	}
	if got, err := Load(run); err != nil || !reflect.DeepEqual(got, []Probe{p}) {
		t.Errorf("%+v, %v", got, err)
	}
}
