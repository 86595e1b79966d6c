package exttool

import (
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// FuzzSuiteFile: whatever a command writes is taken, or breaks the contract; in two parts it comes to the
// same as in one.
func FuzzSuiteFile(f *testing.F) {
	f.Add([]byte("{\"file\": \"a.c\"}\n{\"file\": \"b.cc\", \"oracle\": \"reference\"}\n"), 5)
	f.Add([]byte("{\"file\": \"a.c\", \"refused\": \"too long\"}"), 0)
	f.Add([]byte("\n \n{\"file\": \"../a.c\"}\n"), 30)
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		dir := t.TempDir()
		for _, name := range []string{"a.c", "b.cc"} {
			write(t, filepath.Join(dir, name), "int main(void) { return 0; }")
		}
		open := func() (*intake, *suite) {
			s := &suite{}
			return &intake{dir: dir, suite: s, seen: map[string]int{}, closed: func() bool { return false }}, s
		}
		path := filepath.Join(dir, SuiteFile)
		write(t, path, string(text))
		whole, all := open()
		err := whole.poll(true)
		parts, some := open()
		write(t, path, string(text[:min(max(cut, 0), len(text))]))
		early := parts.poll(false)
		write(t, path, string(text))
		if early == nil {
			early = parts.poll(true)
		}
		assert.Check(t, (err == nil) == (early == nil) && len(*all) == len(*some),
			"at once: %v with %d programs; in parts: %v with %d", err, len(*all), early, len(*some))
	})
}

func TestSuiteFileThatBecomesShorter(t *testing.T) {
	dir := t.TempDir()
	in := &intake{dir: dir, suite: &suite{}, seen: map[string]int{}, closed: func() bool { return false }}
	write(t, filepath.Join(dir, "a.c"), "")
	write(t, filepath.Join(dir, SuiteFile), "{\"file\": \"a.c\"}\n")
	assert.NilError(t, in.poll(false))
	write(t, filepath.Join(dir, SuiteFile), "")
	if err := in.poll(false); err == nil || !strings.Contains(err.Error(), "only ever appended") {
		t.Errorf("error = %v", err)
	}
	assert.NilError(t, os.Remove(filepath.Join(dir, SuiteFile)))
	if err := in.poll(true); err == nil || !strings.Contains(err.Error(), "suite.jsonl: no such file") {
		t.Errorf("error = %v", err)
	}
}

//go:embed manifest.schema.json
var manifestSchema []byte

// TestManifestConforms holds what commands are given against the schema that is published.
func TestManifestConforms(t *testing.T) {
	schema, err := compileSchema(manifestSchema)
	assert.NilError(t, err)
	job := func(target trial.Target, b trial.Budget, params map[string]any) trial.Job {
		return trial.Job{Target: target, Params: params, Seed: ^trial.Seed(0), Ledger: trial.NewLedger(b, trial.Usage{}, time.Now)}
	}
	full := trial.Target{
		Library: "re2", Language: trial.CXX, Description: "d", Headers: []string{"re2/re2.h"}, IncludeDirs: []string{"/i"}, Defines: []string{"A=1"},
		ExcludedAPIs: []string{"f"}, SourceDir: "/s", SharedLib: "/b/lib.so", StaticLib: "/b/lib.a", LinkLibs: []string{"-lpthread"},
		Documents: []string{"README"}, Rules: []trial.Rule{{ID: "r", Text: "t", APIs: []string{"f"}}},
		FuzzTargets: []trial.FuzzTarget{{Name: "fuzz", Source: "testdata/harness.cc", Seeds: []string{"/s/seeds"}, Dictionary: "testdata/harness.cc", Options: []string{"-max_len=9"}},
			{Name: "absent", Missing: "no network"}},
	}
	budget := trial.Budget{Wall: 1500 * time.Millisecond, CPU: time.Second, LLMCalls: 1, Tokens: 2, Dollars: 0.5, Programs: 3}
	for _, tt := range []struct {
		name string
		job  trial.Job
		llm  *manifestLLM
	}{
		{"all of it", job(full, budget, map[string]any{"depth": 3, "list": []any{"a"}}), &manifestLLM{Socket: "/tmp/s", BaseURL: "http://bench/v1", Model: "m"}},
		{"as little as possible", job(trial.Target{Language: trial.C, SourceDir: "/s"}, trial.Budget{Programs: 1}, nil), nil},
	} {
		m := (&Command{CC: "/usr/bin/clang", CXX: "/usr/bin/clang++"}).manifestOf(tt.job, "/out")
		m.LLM = tt.llm
		var err error
		if m.Harnesses, err = writeHarnesses(t.TempDir(), tt.job.Target); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(m)
		if err == nil {
			err = conforms(schema, text)
		}
		assert.Check(t, err == nil, "%s: %v in %s", tt.name, err, text)
	}
	m := (&Command{}).manifestOf(job(full, budget, nil), "/out")
	if m.Seed != 1<<53-1 || m.Budget.WallS != 1.5 || m.Library.Documents[0] != "/s/README" || strings.Join(m.Build.Link, " ") != "/b/lib.a -lpthread" {
		t.Errorf("manifest = %+v", m)
	}
	if err := conforms(schema, []byte(`{"contract": 2}`)); err == nil {
		t.Error("the schema takes another contract")
	}
}

func TestLockedDirectoriesAreRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	locked := filepath.Join(dir, "a", "b")
	write(t, filepath.Join(locked, "f"), "")
	for _, d := range []string{locked, filepath.Dir(locked)} {
		assert.NilError(t, os.Chmod(d, 0))
	}
	assert.NilError(t, removeLocked(dir))
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s is there: %v", dir, err)
	}
}

// TestHarnessesAreGivenAsTheyAreCompiled: a test program sees public headers by their public names only.
func TestHarnessesAreGivenAsTheyAreCompiled(t *testing.T) {
	dir := t.TempDir()
	target := trial.Target{Headers: []string{"cJSON.h", "re2/re2.h"}, FuzzTargets: []trial.FuzzTarget{{Name: "fuzz", Source: "testdata/harness.cc"}, {Name: "absent", Missing: "no network"}}}
	list, err := writeHarnesses(dir, target)
	if err != nil || len(list) != 1 || list[0].Source != filepath.Join(dir, "fuzz.cc") || list[0].Dictionary != "" {
		t.Fatalf("%+v, %v", list, err)
	}
	text, err := os.ReadFile(list[0].Source)
	assert.NilError(t, err)
	want := "// Not a harness that fuzzes anything.\n#include <stddef.h>\n#include \"cJSON.h\"\n  #include \"re2/re2.h\" // by its place\n#include \"own.h\"\n#include <cJSON.h>\n"
	assert.Check(t, string(text) == want, "harness = %q, want %q", text, want)
}
