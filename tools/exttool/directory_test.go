package exttool

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

type suite []trial.Program

func (s *suite) Add(p trial.Program) error { *s = append(*s, p); return nil }

func TestDirectoryHandsOverEveryTestFile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"b.c": "int main(void){return 0;}", "a.cc": "int main(){}", "unity/unity.c": "void f(void){}", "README": "no test", "h.h": "int x;",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var got suite
	stop, err := Directory{Path: dir, Oracle: trial.OracleSpecification}.Generate(t.Context(), trial.Job{Suite: &got})
	if err != nil || stop != trial.StopExhausted {
		t.Fatalf("Generate = %q, %v", stop, err)
	}
	want := suite{
		{Lang: trial.CXX, Source: "int main(){}", Oracle: trial.OracleSpecification, Origin: "a.cc"},
		{Lang: trial.C, Source: "int main(void){return 0;}", Oracle: trial.OracleSpecification, Origin: "b.c"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("suite = %+v, want %+v", got, want)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestVersionTellsTheTestsApart(t *testing.T) {
	dir := t.TempDir()
	seen := map[string]string{}
	for _, step := range []struct{ name, file, text string }{
		{"one test", "a.c", "int main(void) { return 0; }"},
		{"changed", "a.c", "int main(void) { return 1; }"},
		{"another", "b.c", "int main(void) { return 1; }"},
		{"emptied", "b.c", ""},
	} {
		write(t, filepath.Join(dir, step.file), step.text)
		v := Directory{Path: dir}.Version()
		if before, ok := seen[v]; ok {
			t.Errorf("%s: version %s as in the step %q", step.name, v, before)
		}
		seen[v] = step.name
	}
	before := Directory{Path: dir}.Version()
	write(t, filepath.Join(dir, "README"), "no test")
	if v := (Directory{Path: dir}).Version(); v != before {
		t.Error("what is no test changes the version")
	}
	if v := (Directory{Path: dir, Oracle: trial.OracleReference}).Version(); v == before {
		t.Error("another class of oracle leaves the version as it was")
	}
}

func TestDirectoryRefuses(t *testing.T) {
	empty, large := t.TempDir(), t.TempDir()
	write(t, filepath.Join(large, "large.c"), "")
	if err := os.Truncate(filepath.Join(large, "large.c"), maxSourceBytes+1); err != nil {
		t.Fatal(err)
	}
	dangling := t.TempDir()
	if err := os.Symlink("nowhere", filepath.Join(dangling, "a.c")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, path, want string }{
		{"no directory", filepath.Join(empty, "missing"), "no such file"},
		{"no test in it", empty, "has no .c"},
		{"file too large", large, "large.c: it has more than 8388608 bytes"},
		{"link to nothing", dangling, "a.c: no such file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Directory{Path: tt.path}.Generate(t.Context(), trial.Job{Suite: &suite{}})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want one with %q", err, tt.want)
			}
		})
	}
}

type fullSuite struct{}

func (fullSuite) Add(trial.Program) error { return errors.New("no space left on device") }

func TestGenerateStops(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.c"), "")
	if _, err := (Directory{Path: dir}).Generate(t.Context(), trial.Job{Suite: fullSuite{}}); err == nil || err.Error() != "a.c: no space left on device" {
		t.Errorf("error = %v, want the suite's with the file", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	interrupted := errors.New("interrupted")
	cancel(interrupted)
	var got suite
	if _, err := (Directory{Path: dir}).Generate(ctx, trial.Job{Suite: &got}); !errors.Is(err, interrupted) || len(got) > 0 {
		t.Errorf("error = %v after %d programs, want the interruption at once", err, len(got))
	}
}
