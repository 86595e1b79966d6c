package libbuild

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/build/source"
	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
)

// TestWatchedBuild: a coverage build counts where changed versions of its sources would do something else.
func TestWatchedBuild(t *testing.T) {
	b := newBuilder(t, t.TempDir())
	watched := func(name string, files map[string]string) Watched {
		return Watched{Name: name, Tree: tree(t, name, files)}
	}
	more := changed(counterLibrary, "counter.c", "", "")
	more["more.c"] = "int counter_more;\n"
	r := Request{Library: library(), Tree: tree(t, "reference", counterLibrary), Variant: Coverage, Watched: []Watched{
		watched("other limit", changed(counterLibrary, "counter.c", "n > 9", "n > 8")),
		watched("other step", changed(counterLibrary, "private.h", "1", "2")),
		watched("same code", changed(counterLibrary, "counter.c", "n + STEP", "STEP + n")),
		watched("other name", changed(counterLibrary, "zero.c", "counter_zero", "counter_null")),
		watched("another file", more),
		watched("nothing", counterLibrary),
	}}
	build, err := b.Build(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(build.Watches)); !slices.Equal(got, []string{"other limit", "other step", "same code"}) {
		t.Fatalf("watched are %q", got)
	}
	for n, want := range map[string]string{"3": "other step", "9": "other limit, other step", "10": ""} {
		var differ []string
		counters := counterNext(t, b.tools, build, n)
		for _, name := range slices.Sorted(maps.Keys(build.Watches)) {
			if counters[build.Watches[name][0]] != 0 {
				differ = append(differ, name)
			}
		}
		if got := strings.Join(differ, ", "); got != want {
			t.Errorf("counter_next(%s): %q differ, want %q", n, got, want)
		}
	}
	r.Watched[0].Tree = source.Tree{Dir: r.Watched[0].Tree.Dir, Key: "another"}
	if again, err := b.Build(t.Context(), r); err != nil || again.Key == build.Key {
		t.Errorf("watches of another tree: the same build, %v", err)
	}
}

// counterNext returns the counters after counter_next(n), as the runtime writes them at the end.
func counterNext(t *testing.T, tools *toolchain.Tools, build *Build, n string) []uint64 {
	t.Helper()
	dir := t.TempDir()
	main, program, raw := filepath.Join(dir, "main.c"), filepath.Join(dir, "program"), filepath.Join(dir, "profraw")
	if err := os.WriteFile(main, []byte("#include <counter.h>\nint main(void) { return counter_next("+n+") == 99; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{tools.Clang.Path, "-I" + build.IncludeDir, main, build.SharedLib, "-Wl,-rpath," + build.Dir, "-o", program}
	if err := os.Symlink(build.SharedLib, filepath.Join(dir, "libcounter.so.1")); err != nil {
		t.Fatal(err)
	}
	if _, err := toolchain.Run(t.Context(), toolchain.Command{Args: args}); err != nil {
		t.Fatal(err)
	}
	env := []string{"LLVM_PROFILE_FILE=" + raw, "LD_LIBRARY_PATH=" + dir}
	if _, err := toolchain.Run(t.Context(), toolchain.Command{Args: []string{program}, Env: env}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(raw)
	if err != nil {
		t.Fatal(err)
	}
	profile, err := toolchain.ParseRawProfile(data)
	if err != nil {
		t.Fatal(err)
	}
	return profile.Counters()
}
