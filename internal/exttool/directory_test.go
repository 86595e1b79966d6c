package exttool

import (
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

func TestDirectoryRefuses(t *testing.T) {
	empty := t.TempDir()
	for _, tt := range []struct{ name, path, want string }{
		{"no directory", filepath.Join(empty, "missing"), "no such file"},
		{"no test in it", empty, "has no .c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Directory{Path: tt.path}.Generate(t.Context(), trial.Job{Suite: &suite{}})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want one with %q", err, tt.want)
			}
		})
	}
}
