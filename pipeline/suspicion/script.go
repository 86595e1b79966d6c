package suspicion

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// withMain adds a main that calls a program's tests; none if it has its own.
func withMain(source string, tests []string) string {
	if len(tests) == 0 {
		return source
	}
	var b strings.Builder
	b.WriteString(source)
	b.WriteString("\nint main(void)\n{\n")
	for _, name := range tests {
		fmt.Fprintf(&b, "    %s();\n", name)
	}
	b.WriteString("    return 0;\n}\n")
	return b.String()
}

// reproducer is a shell script that needs only a compiler and the reference build: it compiles a
// suspicion's program and runs it, which ends with the failed assertion.
func reproducer(t trial.Target, file string, s trial.Suspicion) string {
	compiler, std := "${CC:-clang}", "-std=gnu17"
	if t.Language == trial.CXX {
		compiler, std = "${CXX:-clang++}", "-std=gnu++17"
	}
	args := []string{"-g", std}
	for _, d := range t.IncludeDirs {
		args = append(args, "-I"+quoted(d))
	}
	for _, d := range t.Defines {
		args = append(args, "-D"+quoted(d))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/sh\n# Suspicion %s of %s: assert(%s)\n", s.ID, s.Place, oneLine(s.Assertion))
	for _, v := range s.Values {
		fmt.Fprintf(&b, "#   %s\n", oneLine(v))
	}
	fmt.Fprintf(&b, "set -e\ncd \"$(dirname \"$0\")\"\nlib=${1:-%s} # the reference build, or another one to try\nexe=$(mktemp)\ntrap 'rm -f \"$exe\"' EXIT\n", quoted(t.SharedLib))
	fmt.Fprintf(&b, "%s %s %s \"$lib\" -lm -o \"$exe\"\nset +e\nLD_PRELOAD=\"$lib\" \"$exe\" # preloaded, for its file has not the name that it is linked by\necho \"ended with status $?\"\n", compiler, strings.Join(args, " "), file)
	return b.String()
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
