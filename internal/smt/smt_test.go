package smt

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

func realSolver(t *testing.T, l Limits) *Solver {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	if tools == nil {
		t.Fatal(err)
	}
	if err := tools.Z3.Require(); err != nil {
		t.Skip(err)
	}
	s, err := New(tools.Z3, l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// fakeSolver runs a shell script in place of z3.
func fakeSolver(t *testing.T, script string, l Limits) *Solver {
	t.Helper()
	path := filepath.Join(t.TempDir(), "z3")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := New(toolchain.Tool{Name: "z3", Path: path}, l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

const declareX = "(declare-fun |x| () (_ BitVec 32))"

func TestCheck(t *testing.T) {
	s := realSolver(t, Limits{})
	tests := []struct {
		name     string
		declare  []string
		formulas []string
		want     Answer
	}{
		{"empty", nil, nil, Sat},
		{"paper's example", []string{declareX}, []string{"(distinct (bvsge |x| #x00000001) (bvsgt |x| #x00000000))"}, Unsat},
		{"not the same", []string{declareX}, []string{"(distinct (bvsge |x| #x00000001) (bvsge |x| #x00000000))"}, Sat},
		{"the scope of a query ends with it", []string{"(declare-fun |x| () Bool)"}, []string{"|x|"}, Sat},
		{"floats", []string{"(declare-fun |f| () (_ FloatingPoint 11 53))"}, []string{"(not (fp.eq |f| |f|))"}, Sat},
		{"0.1", nil, []string{"(fp.eq " + Float64(0.1) + " ((_ to_fp 11 53) RNE " + Float32(0.1) + "))"}, Unsat},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got, err := s.Check(t.Context(), tc.declare, tc.formulas); err != nil || got != tc.want {
				t.Errorf("%v, %v; want %v", got, err, tc.want)
			}
		})
	}
	if c := s.Counts(); c.Restarts != 1 || c.Queries != len(tests) {
		t.Errorf("counts %+v: one process should have answered %d queries", c, len(tests))
	}
}

// TestLimits checks that a question beyond the limit is given up, and that the next one is
// answered by the same process.
func TestLimits(t *testing.T) {
	s := realSolver(t, Limits{Resources: 3_000, Text: 10_000})
	// The factors of a product of two primes.
	hard := "(and (= (bvmul |x| |y|) #x1fffffff7ffffff1) (bvult #x0000000000000001 |x| ) (bvult |x| #x0000000080000000) (bvult #x0000000000000001 |y|) (bvult |y| #x0000000100000000))"
	declare := []string{"(declare-fun |x| () (_ BitVec 64))", "(declare-fun |y| () (_ BitVec 64))"}
	if got, err := s.Check(t.Context(), declare, []string{hard}); err != nil || got != Unknown {
		t.Errorf("a hard question: %v, %v; want unknown", got, err)
	}
	if got, err := s.Check(t.Context(), nil, []string{"(and " + strings.Repeat("true ", 5_000) + ")"}); err != nil || got != Unknown {
		t.Errorf("a long question: %v, %v; want unknown", got, err)
	}
	if got, err := s.Check(t.Context(), nil, []string{"false"}); err != nil || got != Unsat {
		t.Errorf("an easy question: %v, %v; want unsat", got, err)
	}
	if c := s.Counts(); c != (Counts{Queries: 3, Unknown: 2, TooLong: 1, Restarts: 1}) {
		t.Errorf("counts %+v", c)
	}
}

func TestRefusals(t *testing.T) {
	s := realSolver(t, Limits{})
	for _, text := range []string{"", "(", ")", "a b", "(a) (b)", "(a))", "(|a)", "; comment", "(check-sat)\x00", `("a)`, "(a)b", "a(b)"} {
		if _, err := s.Check(t.Context(), nil, []string{text}); err == nil {
			t.Errorf("formula %q is accepted", text)
		}
		if _, err := s.Check(t.Context(), []string{text}, nil); err == nil {
			t.Errorf("declaration %q is accepted", text)
		}
	}
	if _, err := s.Check(t.Context(), nil, []string{"|undeclared|"}); err == nil || !strings.Contains(err.Error(), "undeclared") {
		t.Errorf("error %v does not name the undeclared symbol", err)
	}
	if got, err := s.Check(t.Context(), nil, []string{"true"}); err != nil || got != Sat {
		t.Errorf("after an error: %v, %v", got, err)
	}
}

func TestMissing(t *testing.T) {
	_, err := New(toolchain.Tool{Name: "z3", Package: "z3", Problem: "it is not installed"}, Limits{})
	var missing *toolchain.MissingError
	if !errors.As(err, &missing) || !strings.Contains(err.Error(), "apt-get install z3") {
		t.Errorf("error %v", err)
	}
	s, err := New(toolchain.Tool{Name: "z3", Path: "/nowhere/z3"}, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Check(t.Context(), nil, []string{"true"}); err == nil {
		t.Error("a solver that cannot be started has answered")
	}
}

// TestBadSolvers checks a solver that dies, hangs, or is another program.
func TestBadSolvers(t *testing.T) {
	answerOnce := `read a; read b; read c; echo lisa-bench-end` + "\n"
	tests := []struct {
		name, script string
		want         Answer
		wantErr      string
		restarts     int
	}{
		{"dies at the start", "exit 1", Unknown, "gave no answer|exit status 1|ended", 1},
		{"dies over the query", answerOnce + "read d; exit 3", Unknown, "", 2},
		{"hangs", answerOnce + "exec sleep 60", Unknown, "", 1},
		{"prints nonsense", answerOnce + "read d; echo hello; echo lisa-bench-end; exec sleep 60", Unknown, "hello", 1},
		{"prints two answers", answerOnce + "read d; echo sat; echo sat; echo lisa-bench-end; exec sleep 60", Unknown, "twice", 1},
		{"prints without end", answerOnce + "exec yes", Unknown, "", 2},
		{"runs out of memory", answerOnce + `read d; echo '(error "out of memory")'; echo lisa-bench-end; exec sleep 60`, Unknown, "", 1},
		{"answers", answerOnce + "read d; echo unsat; echo lisa-bench-end; exec sleep 60", Unsat, "", 1},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			wall := time.Hour
			if tc.name == "hangs" {
				wall = 5 * time.Second
			}
			s := fakeSolver(t, tc.script, Limits{Wall: wall})
			got, err := s.Check(t.Context(), nil, []string{"true"})
			if got != tc.want || (err != nil) != (tc.wantErr != "") {
				t.Errorf("%v, %v; want %v and an error with %q", got, err, tc.want, tc.wantErr)
			}
			named := tc.wantErr == ""
			for _, word := range strings.Split(tc.wantErr, "|") {
				named = named || err != nil && strings.Contains(err.Error(), word)
			}
			if !named {
				t.Errorf("error %v lacks %q", err, tc.wantErr)
			}
			if c := s.Counts(); c.Restarts != tc.restarts {
				t.Errorf("%d starts, want %d", c.Restarts, tc.restarts)
			}
		})
	}
}

// TestRecovers checks that a solver that was killed is started again.
func TestRecovers(t *testing.T) {
	s := realSolver(t, Limits{})
	for i := range 3 {
		if got, err := s.Check(t.Context(), []string{declareX}, []string{"(= |x| #x00000001)"}); err != nil || got != Sat {
			t.Fatalf("question %d: %v, %v", i, got, err)
		}
		s.run.cancel()
		<-s.run.done
	}
}

func TestCancelled(t *testing.T) {
	s := fakeSolver(t, "exec sleep 60", Limits{})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := s.Check(ctx, nil, []string{"true"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want the context's", err)
	}
}

func TestConcurrent(t *testing.T) {
	s := realSolver(t, Limits{})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			want := Sat
			f := fmt.Sprintf("(= |x| %s)", BitVec(uint64(i), 32))
			if i%2 == 1 {
				want, f = Unsat, "(distinct |x| |x|)"
			}
			if got, err := s.Check(t.Context(), []string{declareX}, []string{f}); err != nil || got != want {
				t.Errorf("%s: %v, %v; want %v", f, got, err, want)
			}
		})
	}
	wg.Wait()
}

func TestSymbols(t *testing.T) {
	var got []string
	Symbols("(f |a b| (g |c|) |a b| |open", func(s string) { got = append(got, s) })
	if strings.Join(got, " ") != "|a b| |c| |a b|" {
		t.Errorf("symbols %q", got)
	}
}

func TestLiterals(t *testing.T) {
	for _, tc := range [][2]string{
		{BitVec(255, 8), "#xff"}, {BitVec(511, 8), "#xff"}, {BitVec(5, 3), "#b101"}, {BitVec(math.MaxUint64, 64), "#xffffffffffffffff"},
		{Float64(1), "(fp #b0 #b01111111111 #x0000000000000)"}, {Float32(-2), "(fp #b1 #x80 #b00000000000000000000000)"},
	} {
		if tc[0] != tc[1] {
			t.Errorf("%s, want %s", tc[0], tc[1])
		}
	}
}

// FuzzSymbol checks that every name is one symbol, that different names are different symbols,
// and that what check accepts keeps the solver in step.
func FuzzSymbol(f *testing.F) {
	f.Add("a|b\\c", "a$7cb$5cc")
	f.Add("", "|")
	f.Add("(;\")", "\x00")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := Symbol(a), Symbol(b)
		if (a == b) != (x == y) {
			t.Fatalf("%q and %q are %s and %s", a, b, x, y)
		}
		if err := check(x); err != nil {
			t.Fatalf("%s %v", x, err)
		}
		n := 0
		Symbols("(f "+x+" "+y+")", func(string) { n++ })
		if n != 2 {
			t.Fatalf("%d symbols in %s %s", n, x, y)
		}
	})
}

// FuzzCheck checks text that passes against a plain count of parentheses.
func FuzzCheck(f *testing.F) {
	f.Add("(and |a b| (= #x00 #b1) true)")
	f.Add("(|(|)")
	f.Add(`(echo "(")`)
	f.Fuzz(func(t *testing.T, text string) {
		if check(text) != nil {
			return
		}
		depth, quote := 0, rune(0)
		for i, c := range text {
			switch {
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '|' || c == '"':
				quote = c
			case c == '(':
				depth++
			case c == ')':
				depth--
				if depth == 0 && strings.TrimSpace(text[i+1:]) != "" {
					t.Fatalf("%q has more than one expression", text)
				}
			}
		}
		if depth != 0 || quote != 0 {
			t.Fatalf("%q is accepted", text)
		}
	})
}

// FuzzAnswer checks that no output of a solver is taken for an answer that it is not.
func FuzzAnswer(f *testing.F) {
	f.Add("sat")
	f.Add("unsat\n")
	f.Add("(error \"line 1\")\nsat")
	f.Fuzz(func(t *testing.T, out string) {
		got, err := parseAnswer(strings.Split(out, "\n"))
		if err == nil && got != Unknown && strings.TrimSpace(out) != got.String() {
			t.Fatalf("%q is %v", out, got)
		}
	})
}
