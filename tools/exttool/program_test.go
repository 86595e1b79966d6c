package exttool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const (
	harnessText = `#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>
static int sum, fed;
int main(int argc, char *argv[]); /* declared and not defined, as in zlib's minigzip_fuzzer.c */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	fed++;
	for (size_t i = 0; i < size; i++) sum += data[i];
	if (sum == 'a' + 'b' + 255) exit(40 + fed);
	if (size == 0) exit(39);
	return 0;
}
`
	harnessCXX = `#include <cstdint>
#include <cstddef>
#include <cstdlib>
static bool ready;
extern "C" {
int LLVMFuzzerInitialize(int *, char ***) { ready = true; return 0; }
int LLVMFuzzerTestOneInput(const uint8_t *, size_t size) { exit(ready && size == 0 ? 21 : 1); }
}
#ifdef STANDALONE
int main() { return 2; }
#endif
`
	mainText = `#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
	char text[64] = "";
	FILE *file = fopen("data/deep/?.txt", "rb");
	if (!file) return 1;
	text[fread(text, 1, 63, file)] = 0;
	fclose(file);
	return argc == 3 && !strcmp(argv[0], "m") && !strcmp(argv[1], "-v") && !strcmp(argv[2], "a \"b\"\n") && !strcmp(text, "12??/\001") ? 17 : 2;
}
`
)

// TestDrivers: a line of the suite file makes a program that is compiled as any, and does what the driver is to do.
func TestDrivers(t *testing.T) {
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	dir := t.TempDir()
	for name, text := range map[string]string{"h.c": harnessText, "h.cc": harnessCXX, "m.c": mainText, "in/ab": "ab", "in/high": "\xff", "data/deep/?.txt": "12??/\x01"} {
		write(t, filepath.Join(dir, name), text)
	}
	for _, tt := range []struct {
		line suiteLine
		want int
	}{
		{suiteLine{File: "h.c", Inputs: []string{"in/ab", "in/high"}}, 42},
		{suiteLine{File: "h.c", Inputs: []string{"in/ab"}}, 0},
		{suiteLine{File: "h.c"}, 39},
		{suiteLine{File: "h.cc"}, 21},
		{suiteLine{File: "m.c", Args: []string{"-v", "a \"b\"\n"}, Inputs: []string{"data/deep/?.txt"}}, 17},
		{suiteLine{File: "m.c"}, 1},
	} {
		t.Run(fmt.Sprint(tt.line.File, tt.line.Inputs, tt.line.Args), func(t *testing.T) {
			p, err := tt.line.program(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) })
			assert.NilError(t, err)
			work := t.TempDir()
			source, exe := filepath.Join(work, "p"+p.Lang.Ext()), filepath.Join(work, "p")
			write(t, source, p.Source)
			driver := map[trial.Language]string{trial.C: tools.Clang.Path, trial.CXX: tools.ClangXX.Path}[p.Lang]
			if _, err := toolchain.Run(t.Context(), toolchain.Command{Args: []string{driver, "-O0", "-fPIC", source, "-o", exe}}); err != nil {
				t.Fatalf("%v\n%s", err, p.Source)
			}
			if status := exitStatus(t.Context(), t, exe, work); status != tt.want {
				t.Errorf("status %d, want %d, of\n%s", status, tt.want, p.Source)
			}
		})
	}
}

func exitStatus(ctx context.Context, t *testing.T, exe, dir string) int {
	t.Helper()
	_, err := toolchain.Run(ctx, toolchain.Command{Args: []string{exe}, Dir: dir})
	var failed *toolchain.CommandError
	if errors.As(err, &failed) {
		return failed.ExitCode
	}
	assert.NilError(t, err)
	return 0
}

func TestWhatIsNoDriver(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "h.c"), harnessText)
	write(t, filepath.Join(dir, "f.c"), "void test_f(void) {}")
	for _, tt := range []struct {
		line suiteLine
		want string
	}{
		{suiteLine{File: "h.c", Args: []string{"-v"}}, "h.c is a harness, which takes inputs and no args"},
		{suiteLine{File: "h.c", Inputs: []string{"none"}}, "input none: no such file or directory"},
		{suiteLine{File: "f.c", Args: []string{"-v"}}, "f.c defines neither main nor LLVMFuzzerTestOneInput"},
	} {
		_, err := tt.line.program(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) })
		assert.Check(t, err != nil && strings.Contains(err.Error(), tt.want), "%+v: %v, want %q", tt.line, err, tt.want)
	}
}
