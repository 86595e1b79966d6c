package workshop

import (
	"os"
	"path/filepath"
	"testing"
)

// TestInclusions: which change of a suite's directory makes a program another one.
func TestInclusions(t *testing.T) {
	for _, tt := range []struct {
		name, source string
		change       string // a file of the directory
		want         bool
	}{
		{"a header", `#include "own.h"`, "own.h", true},
		{"a header, of one that does not include it", `int main(void) { return 0; }`, "own.h", true}, // it is not read which
		{"another program", `#include <stdio.h>`, "other.c", false},
		{"a program that it includes", `#include "other.c"`, "other.c", true},
		{"a program that it includes, spaced", "#  include\t<other.c>", "other.c", true},
		{"a program that it may include", `#include NAME`, "other.c", true},
		{"a program that it embeds", `#embed "other.c"`, "other.c", true},
		{"a program that its assembler includes", `__asm__(".incbin \"other.c\"");`, "other.c", true},
		{"a directive in two lines", "#inc\\\nlude \"other.c\"", "other.c", true},
		{"a comment", `// include the other.c`, "other.c", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, text string) {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			write("own.h", "int own;")
			write("other.c", "int other;")
			key := func() string {
				in, err := readInclusions([]string{dir})
				if err != nil {
					t.Fatal(err)
				}
				return in.reach(tt.source)
			}
			before := key()
			write(tt.change, "int changed;")
			if got := key() != before; got != tt.want {
				t.Errorf("another program: %v", got)
			}
			if tt.change == "other.c" {
				write("own.h", `#include "other.c"`)
				before = key()
				write("other.c", "int changed_again;")
				if key() == before {
					t.Error("a header includes the program, and the key stays")
				}
			}
		})
	}
}
