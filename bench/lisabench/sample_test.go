package lisabench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSampleOfTheCorpus tries scripts/sample-corpus.sh, which says what `make test` proves, on a
// repository of two libraries with 23 bugs.
func TestSampleOfTheCorpus(t *testing.T) {
	root := t.TempDir()
	script, err := os.ReadFile("../../scripts/sample-corpus.sh")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CEILING_DIRECTORIES="+filepath.Dir(root),
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return string(out)
	}
	sample := func() []string { return strings.Fields(run("scripts/sample-corpus.sh")) }
	commit := func(message string) {
		run("git", "add", "--all")
		run("git", "commit", "--quiet", "--allow-empty", "-m", message)
	}
	data := "bench/lisabench/libraries/"
	var all, ones, twos []string
	for n := 1; n <= 23; n++ {
		library, id := "one", fmt.Sprint("first-", n)
		if n > 10 {
			library, id = "two", fmt.Sprint("second-", n)
		}
		write(data+library+"/bugs/"+id+".yaml", id)
		write(data+library+"/bugs/"+id+".c", id)
		all = append(all, id)
	}
	ones, twos = all[:10], all[10:]
	write(data+"one/library.yaml", "one")
	write(data+"two/library.yaml", "two")
	write("scripts/sample-corpus.sh", string(script))

	if got := sample(); !slices.Equal(got, all[:3]) {
		t.Errorf("without git: %v, want the first tenth", got)
	}
	run("git", "init", "--quiet", "--initial-branch", "main")
	commit("all of it")
	var proven []string
	for n := range 10 {
		commit(fmt.Sprint(n))
		got := sample()
		if len(got) < 2 || len(got) > 3 || !slices.Equal(got, sample()) {
			t.Errorf("commit %d has %v", n, got)
		}
		proven = append(proven, got...)
	}
	slices.Sort(proven)
	sorted := slices.Sorted(slices.Values(all))
	if !slices.Equal(proven, sorted) {
		t.Errorf("ten commits prove %v", proven)
	}

	tenth := sample()
	differs := func(what string, want ...string) {
		t.Helper()
		want = slices.Compact(slices.Sorted(slices.Values(append(want, tenth...))))
		if got := slices.Sorted(slices.Values(sample())); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	write(data+"two/bugs/second-20.c", "another witness")
	differs("a witness that is not committed", "second-20")
	write(data+"one/bugs/first-99.yaml", "new")
	differs("a new bug", "second-20", "first-99")
	if err := os.Remove(filepath.Join(root, data+"one/bugs/first-99.yaml")); err != nil {
		t.Fatal(err)
	}
	write(data+"one/library.yaml", "another recipe")
	differs("a recipe", append([]string{"second-20"}, ones...)...)
	run("git", "checkout", "--quiet", "-b", "branch")
	commit("on a branch")
	tenth = nil
	for _, id := range append(slices.Clone(ones), "second-20") {
		if !slices.Contains(sample(), id) {
			t.Errorf("after a commit on a branch, %s is not proven", id)
		}
	}
	commit("one more")
	if got := sample(); len(got) < 11 || len(got) > len(ones)+len(twos) || !slices.Contains(got, "second-20") {
		t.Errorf("two commits after the merge base: %v", got)
	}
}
