package invariant

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// candidatesDir is below the tool's own directory.
const candidatesDir = "candidates"

// candidate keeps an assertion that no repair has mended, with a program that shows it.
func (s *stage) candidate(a *attempt) error {
	p, failed := a.program, a.failure.assertion
	c := trial.Candidate{
		ID: fmt.Sprintf("c%03d", len(s.how.Candidates)+1), Seed: p.seed.ID, Chunk: len(p.done) + 1,
		Assertion: failed.condition, Values: a.failure.values, Remark: failed.remark,
		History: append([]trial.RepairAttempt(nil), p.history...),
	}
	_, c.Contract = parseRemark(failed.remark)
	if k := s.lib.contract(c.Contract); k != nil {
		c.Passage, c.Place = k.Passage, k.Place
	} else {
		c.Contract = ""
	}
	dir := filepath.Join(s.job.Dir, candidatesDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	source := c.ID + p.seed.Lang.Ext()
	if err := os.WriteFile(filepath.Join(dir, source), []byte(standalone(a.version)), 0o644); err != nil {
		return err
	}
	script := c.ID + ".sh"
	if err := os.WriteFile(filepath.Join(dir, script), []byte(reproducer(s.job.Target, source, c)), 0o755); err != nil {
		return err
	}
	c.Reproducer = filepath.ToSlash(filepath.Join(filepath.Base(s.job.Dir), candidatesDir, script))
	s.how.Candidates = append(s.how.Candidates, c)
	return nil
}

// locate gives the candidates of a program its number in the suite.
func (s *stage) locate(p *program) {
	for i := range s.how.Candidates {
		if c := &s.how.Candidates[i]; c.Program == 0 && c.Seed == p.seed.ID {
			c.Program = s.finished
		}
	}
}

// standalone adds a main that calls the program's tests.
func standalone(v version) string {
	var b strings.Builder
	b.WriteString(v.source)
	b.WriteString("\nint main(void)\n{\n")
	for _, name := range v.tests {
		fmt.Fprintf(&b, "    %s();\n", name)
	}
	b.WriteString("    return 0;\n}\n")
	return b.String()
}

// reproducer is a shell script that needs only a compiler and the reference build: it
// compiles a candidate and runs it, which ends with the failed assertion.
func reproducer(t trial.Target, source string, c trial.Candidate) string {
	compiler, std := "${CC:-clang}", "-std=gnu17"
	if t.Language == trial.CXX {
		compiler, std = "${CXX:-clang++}", "-std=gnu++17"
	}
	args := []string{"-g", std}
	for _, d := range t.IncludeDirs {
		args = append(args, "-I"+shellQuote(d))
	}
	for _, d := range t.Defines {
		args = append(args, "-D"+shellQuote(d))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/sh\n# Candidate %s of seed %s, step %d: assert(%s)\n", c.ID, c.Seed, c.Chunk, c.Assertion)
	for _, v := range c.Values {
		fmt.Fprintf(&b, "#   %s\n", v)
	}
	fmt.Fprintf(&b, "set -e\ncd \"$(dirname \"$0\")\"\nlib=${1:-%s} # the reference build, or another one to try\nexe=$(mktemp)\ntrap 'rm -f \"$exe\"' EXIT\n", shellQuote(t.SharedLib))
	fmt.Fprintf(&b, "%s %s %s \"$lib\" -lm -o \"$exe\"\nset +e\nLD_PRELOAD=\"$lib\" \"$exe\" # preloaded, for its file has not the name that it is linked by\necho \"ended with status $?\"\n", compiler, strings.Join(args, " "), source)
	return b.String()
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

var citation = regexp.MustCompile(`\[([^\[\]\s]+\.\d+)\]`)

// parseRemark reads the kind of an invariant and the contract it cites from the comment that
// the prompt asks for: "kind [API.n]: reason".
func parseRemark(remark string) (kind, contract string) {
	text := strings.ToLower(strings.TrimSpace(remark))
	kind = "unnamed"
	for _, k := range []struct{ word, kind string }{
		{"structural", "structural"}, {"value", "value range"}, {"relation", "relational"}, {"conserv", "relational"}, {"document", "documentation"},
	} {
		if strings.HasPrefix(text, k.word) {
			kind = k.kind
			break
		}
	}
	if m := citation.FindStringSubmatch(remark); m != nil {
		contract = m[1]
	}
	return kind, contract
}
