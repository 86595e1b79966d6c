package suspicion

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Keeper keeps the suspicions of one cell. It is not safe for concurrent use.
type Keeper struct {
	job      trial.Job
	compiler *toolchain.Compiler
	kept     []*kept
}

// A kept suspicion is one with its program.
type kept struct {
	trial.Suspicion
	program trial.Program
	tests   []string // its test functions; none if it has a main
	saved   bool     // its files are written: it is as short as it gets

	// While it is made shorter:
	shown *string // what it prints; nil before its first run
	at    int     // byte of the assertion
	free  []part  // statements that may go
}

// New returns the keeper of a job's cell.
func New(job trial.Job, c *toolchain.Compiler) *Keeper { return &Keeper{job: job, compiler: c} }

// Keep adds a suspicion with the program that fails with it: one that the job's executor takes. It
// returns it with its ID, for what is learnt later, or nil if the cell has the same assertion at the
// same place already.
func (k *Keeper) Keep(s trial.Suspicion, p trial.Program) *trial.Suspicion {
	for _, other := range k.kept {
		if other.Place == s.Place && other.Assertion == s.Assertion {
			return nil
		}
	}
	s.ID = fmt.Sprintf("s%03d", len(k.kept)+1)
	if s.Opinion.Verdict == "" {
		s.Opinion = trial.Opinion{Verdict: trial.Unasked, Why: "second opinions were switched off"}
	}
	added := &kept{Suspicion: s, program: p}
	k.kept = append(k.kept, added)
	return &added.Suspicion
}

// Suspicions returns what was kept, in the order in which it was found. Those that Shorten has not
// seen have no files.
func (k *Keeper) Suspicions() []trial.Suspicion {
	var list []trial.Suspicion
	for _, s := range k.kept {
		list = append(list, s.Suspicion)
	}
	return list
}

// Shorten makes the programs of new suspicions shorter and writes their files, scripts beside them. The error is for
// what is no program's fault.
func (k *Keeper) Shorten(ctx context.Context) error {
	var todo []*kept
	for _, s := range k.kept {
		if !s.saved {
			todo = append(todo, s)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	if err := k.shorten(ctx, todo); err != nil {
		return fmt.Errorf("shorten %d suspicions: %w", len(todo), err)
	}
	dir := filepath.Join(k.job.Dir, "suspicions")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, s := range todo {
		file, script, text := s.ID+s.program.Lang.Ext(), s.ID+".sh", s.program.Source
		if len(s.tests) > 0 {
			text += "\nint main(void)\n{\n    " + strings.Join(s.tests, "();\n    ") + "();\n    return 0;\n}\n"
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, script), []byte(reproducer(k.job.Target, file, s.Suspicion)), 0o755); err != nil {
			return err
		}
		here := filepath.ToSlash(filepath.Join(filepath.Base(k.job.Dir), "suspicions"))
		s.Program, s.Script, s.saved = here+"/"+file, here+"/"+script, true
	}
	return nil
}

// script compiles a suspicion's program and runs it, which ends with the failed assertion. It needs only a compiler
// and a build of the library, which is preloaded, for its file has not the name that it is linked by.
const script = `#!/bin/sh
# Suspicion %s of %s: assert(%s)
%sset -e
cd "$(dirname "$0")"
lib=${1:-%s} # the reference build, or another one to try
exe=$(mktemp)
trap 'rm -f "$exe"' EXIT
%s -g %s "$lib" -lm -o "$exe"
set +e
LD_PRELOAD="$lib" "$exe"
echo "ended with status $?"
`

func reproducer(t trial.Target, file string, s trial.Suspicion) string {
	compiler, args := "${CC:-clang}", "-std=gnu17"
	if t.Language == trial.CXX {
		compiler, args = "${CXX:-clang++}", "-std=gnu++17"
	}
	for _, d := range t.IncludeDirs {
		args += " -I" + quoted(d)
	}
	for _, d := range t.Defines {
		args += " -D" + quoted(d)
	}
	values := ""
	for _, v := range s.Values {
		values += "#   " + oneLine(v) + "\n"
	}
	return fmt.Sprintf(script, s.ID, s.Place, oneLine(s.Assertion), values, quoted(t.SharedLib), compiler, args+" "+file)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
