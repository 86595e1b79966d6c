package exttool

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

type suite []trial.Program

func (s *suite) Add(p trial.Program) error { *s = append(*s, p); return nil }

func TestDirectoryHandsOverEveryTestFile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"b.c": "int main(void){return 0;}", "a.cc": "int main(){}", "unity/unity.c": "void f(void){}", "README": "no test", "h.h": "int x;",
		".#b.c": "an editor's lock", "._b.c": "\x00", "c.CPP": "int main(){}",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	var got suite
	stop, err := Directory{Path: dir, Oracle: trial.OracleSpecification}.Generate(t.Context(), trial.Job{Suite: &got})
	assert.Assert(t, err == nil && stop == trial.StopExhausted, "Generate = %q, %v", stop, err)
	want := suite{
		{Lang: trial.CXX, Source: "int main(){}", Oracle: trial.OracleSpecification, Origin: "a.cc"},
		{Lang: trial.C, Source: "int main(void){return 0;}", Oracle: trial.OracleSpecification, Origin: "b.c"},
		{Lang: trial.CXX, Source: "int main(){}", Oracle: trial.OracleSpecification, Origin: "c.CPP"},
	}
	assert.Check(t, slices.Equal(got, want), "suite = %+v, want %+v", got, want)
}

// write writes a file, with the directories that it lies in.
func write(t *testing.T, path, text string) {
	t.Helper()
	assert.NilError(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)))
}

func TestVersionTellsTheTestsApart(t *testing.T) {
	dir := t.TempDir()
	seen := map[string]string{}
	for _, step := range []struct {
		name, file, text string
		oracle           trial.OracleClass
	}{
		{"one test", "a.c", "int main(void) { return 0; }", ""},
		{"changed", "a.c", "int main(void) { return 1; }", ""},
		{"another", "b.c", "int main(void) { return 1; }", ""},
		{"emptied", "b.c", "", ""},
		{"another oracle", "b.c", "", trial.OracleReference},
	} {
		write(t, filepath.Join(dir, step.file), step.text)
		d := Directory{Path: dir, Oracle: step.oracle}
		v := d.Version()
		if before, ok := seen[v]; ok {
			t.Errorf("%s: version %s as in the step %q", step.name, v, before)
		}
		seen[v] = step.name
		if write(t, filepath.Join(dir, "README"), step.name); d.Version() != v {
			t.Error("what is no test changes the version")
		}
	}
}

func TestHelpersAreNoTests(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.c": "void helper(void) {}\n", "b.c": "int main(void) { return 0; }\n", "c.c": "static void test_x(void) {}\n", "d.c": "#include \"b.c\"\n",
		"e.cc": "#include <gtest/gtest.h>\nTEST(A, b) {}\n", "sub/f.c": "int main(void) { return 0; }\n",
	} {
		assert.NilError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	d := Directory{Path: dir}
	tests, err := d.Files()
	helpers, helpersErr := d.Helpers()
	if want := []string{"b.c", "c.c", "d.c", "e.cc"}; err != nil || helpersErr != nil || !slices.Equal(tests, want) || !slices.Equal(helpers, []string{"a.c"}) {
		t.Errorf("tests %q, helpers %q; %v, %v", tests, helpers, err, helpersErr)
	}
	d.Only = "a.c"
	if _, err := d.Files(); err == nil || !strings.Contains(err.Error(), "; there are some in "+filepath.Join(dir, "sub")) {
		t.Error(err)
	}
}

func TestDirectoryRefuses(t *testing.T) {
	empty, large := t.TempDir(), t.TempDir()
	write(t, filepath.Join(large, "large.c"), "")
	assert.NilError(t, os.Truncate(filepath.Join(large, "large.c"), maxSourceBytes+1))
	dangling := t.TempDir()
	assert.NilError(t, os.Symlink("nowhere", filepath.Join(dangling, "a.c")))
	for _, tt := range []struct{ name, path, want string }{
		{"no directory", filepath.Join(empty, "missing"), "no such file"},
		{"no test in it", empty, "has no .c"},
		{"file too large", large, "large.c: it has more than 8388608 bytes"},
		{"link to nothing", dangling, "a.c: no such file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Directory{Path: tt.path}.Generate(t.Context(), trial.Job{Suite: &suite{}})
			assert.Check(t, err != nil && strings.Contains(err.Error(), tt.want),
				"error = %v, want one with %q", err, tt.want)
		})
	}
}
