package smt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// An Answer is what the solver says of a query.
type Answer int

// The answers. Unknown includes queries that were given up.
const (
	Unknown Answer = iota
	Sat
	Unsat
)

func (a Answer) String() string { return [...]string{"unknown", "sat", "unsat"}[a] }

// Limits bound one query. Resources are z3's own unit of work, the same on every machine, so
// that what is given up does not depend on the load; Wall is for a solver that hangs.
type Limits struct {
	Resources int           // z3's rlimit; 0 means DefaultLimits.Resources
	Wall      time.Duration // 0 means DefaultLimits.Wall
	Text      int           // bytes of a query; 0 means DefaultLimits.Text
}

// DefaultLimits suffice for hundreds of times the work of an ordinary comparison.
var DefaultLimits = Limits{Resources: 2_000_000, Wall: 20 * time.Second, Text: 1 << 20}

// memoryMB bounds the solver's memory; beyond it z3 ends, and the query is given up.
const memoryMB = 1024

// retries is how often a query is asked again after the solver died over it: a process may be
// killed from outside.
const retries = 1

// Counts say how a solver has fared.
type Counts struct {
	Queries  int
	Unknown  int // of Queries; includes TooLong and those in which the solver died or hung
	TooLong  int
	Restarts int // of the process
}

// A Solver is one z3 process, started when it is first asked and again when it has died. It is
// safe for concurrent use; queries wait for each other.
type Solver struct {
	path   string
	limits Limits

	mu     sync.Mutex
	run    *process
	counts Counts
}

// New returns a solver that runs the program z3. The error is that of a tool that is missing.
func New(z3 toolchain.Tool, limits Limits) (*Solver, error) {
	if err := z3.Require(); err != nil {
		return nil, err
	}
	if limits.Resources == 0 {
		limits.Resources = DefaultLimits.Resources
	}
	if limits.Wall == 0 {
		limits.Wall = DefaultLimits.Wall
	}
	if limits.Text == 0 {
		limits.Text = DefaultLimits.Text
	}
	return &Solver{path: z3.Path, limits: limits}, nil
}

// Counts returns what was asked so far.
func (s *Solver) Counts() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

// Close ends the process.
func (s *Solver) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop()
	return nil
}

// ErrRefused is the error of a query that this package or the solver cannot read.
var ErrRefused = errors.New("the query is refused")

// Check says whether all formulas can hold together. Declarations are whole commands, such as
// (declare-fun x () Bool). The error is ErrRefused, or that of a solver that cannot be started or
// of a context that has ended.
func (s *Solver) Check(ctx context.Context, declarations, formulas []string) (Answer, error) {
	query, err := write(declarations, formulas)
	if err != nil {
		return Unknown, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.Queries++
	if len(query) > s.limits.Text {
		s.counts.Unknown++
		s.counts.TooLong++
		return Unknown, nil
	}
	for try := 0; ; try++ {
		answer, err := s.ask(ctx, query)
		var died *diedError
		switch {
		case ctx.Err() != nil:
			s.stop()
			return Unknown, context.Cause(ctx)
		case errors.As(err, &died) && !died.started:
			return Unknown, fmt.Errorf("ask %s: %w", s.path, died.cause)
		case errors.As(err, &died) && try < retries && !died.hung:
			continue
		case errors.As(err, &died):
			s.counts.Unknown++
			return Unknown, nil
		case err != nil:
			return Unknown, fmt.Errorf("%w: %w", ErrRefused, err)
		}
		if answer == Unknown {
			s.counts.Unknown++
		}
		return answer, nil
	}
}

// write makes the text of a query, which leaves nothing behind in the solver.
func write(declarations, formulas []string) (string, error) {
	var b strings.Builder
	ask, functions, floats := "(check-sat)", false, false
	b.WriteString("(push 1)\n")
	for _, d := range declarations {
		if err := check(d); err != nil {
			return "", fmt.Errorf("declaration %.80q %w", d, err)
		}
		b.WriteString(d)
		b.WriteByte('\n')
		functions = functions || strings.HasPrefix(d, "(declare-fun ") && !strings.Contains(d, "| () ")
	}
	for _, f := range formulas {
		if err := check(f); err != nil {
			return "", fmt.Errorf("formula %.80q %w", f, err)
		}
		fmt.Fprintf(&b, "(assert %s)\n", f)
		floats = floats || strings.Contains(f, "fp")
	}
	if floats && !functions { // a tactic of z3 for floating point without functions
		ask = "(check-sat-using qffp)"
	}
	b.WriteString(ask + "\n(pop 1)\n(echo \"" + endMark + "\")\n")
	return b.String(), nil
}

// endMark is the line that the solver prints after each answer.
const endMark = "lisa-bench-end"

// A diedError is a process that did not answer.
type diedError struct {
	started bool // it had answered before, or at least begun to run
	hung    bool
	cause   error
}

func (e *diedError) Error() string { return fmt.Sprintf("the solver gave no answer: %v", e.cause) }

// ask sends one query and reads its answer. After an error the process is gone.
func (s *Solver) ask(ctx context.Context, query string) (Answer, error) {
	if s.run == nil {
		p, err := start(s.path, s.limits)
		if err != nil {
			return Unknown, &diedError{cause: err}
		}
		s.run = p
		s.counts.Restarts++
		if _, err := s.run.exchange(ctx, s.limits.Wall, preamble(s.limits)); err != nil {
			s.stop()
			return Unknown, &diedError{cause: err}
		}
	}
	lines, err := s.run.exchange(ctx, s.limits.Wall, query)
	if err != nil {
		s.stop()
		return Unknown, &diedError{started: true, hung: errors.Is(err, errHangs), cause: err}
	}
	answer, err := parseAnswer(lines)
	if err != nil {
		s.stop() // whatever state it is in
		if strings.Contains(err.Error(), "out of memory") || strings.Contains(err.Error(), "canceled") {
			return Unknown, nil
		}
	}
	return answer, err
}

func preamble(l Limits) string {
	return fmt.Sprintf("(set-option :print-success false)\n(set-option :rlimit %d)\n(echo %q)\n", l.Resources, endMark)
}

// parseAnswer reads the lines of one answer.
func parseAnswer(lines []string) (Answer, error) {
	answer, found := Unknown, false
	for _, line := range lines {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			continue
		case strings.HasPrefix(line, "(error"):
			return Unknown, fmt.Errorf("the solver refuses the query: %s", line)
		case found:
			return Unknown, fmt.Errorf("the solver answers twice: %q", line)
		case line == "sat":
			answer = Sat
		case line == "unsat":
			answer = Unsat
		case line != "unknown" && line != "timeout":
			return Unknown, fmt.Errorf("the solver answers %.200q", line)
		}
		found = true
	}
	if !found {
		return Unknown, errors.New("the solver answers nothing")
	}
	return answer, nil
}

func (s *Solver) stop() {
	if s.run != nil {
		s.run.end()
		s.run = nil
	}
}

// A process is a running solver.
type process struct {
	in     *os.File
	lines  chan string   // closed when the solver's output ends
	done   chan struct{} // closed when Run has returned
	err    error         // of Run; valid after done
	cancel context.CancelFunc
}

var errHangs = errors.New("it does not answer in time")

// start runs the solver with pipes of the operating system at both ends: those tell at once
// when it has died.
func start(path string, l Limits) (*process, error) {
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, inRead.Close(), inWrite.Close())
	}
	// The process outlives the context of the query that started it.
	ctx, cancel := context.WithCancel(context.Background())
	p := &process{in: inWrite, lines: make(chan string), done: make(chan struct{}), cancel: cancel}
	go func() {
		defer close(p.done)
		_, p.err = toolchain.Run(ctx, toolchain.Command{
			Args:  []string{path, "-in", "-smt2", fmt.Sprintf("-memory:%d", memoryMB)},
			Stdin: inRead, Stdout: outWrite,
		})
		inRead.Close()
		outWrite.Close()
	}()
	go func() {
		defer close(p.lines)
		defer outRead.Close()
		r := bufio.NewReader(io.LimitReader(outRead, 1<<40))
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			select {
			case p.lines <- strings.TrimSuffix(line, "\n"):
			case <-ctx.Done():
				return
			}
		}
	}()
	return p, nil
}

// exchange sends text and returns the lines up to the end mark.
func (p *process) exchange(ctx context.Context, wall time.Duration, text string) ([]string, error) {
	sent := make(chan error, 1)
	go func() { // a solver that does not read must not hold the caller
		_, err := io.WriteString(p.in, text)
		sent <- err
	}()
	timer := time.NewTimer(wall)
	defer timer.Stop()
	var lines []string
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				<-p.done
				return nil, errors.Join(errors.New("the solver ended"), p.err)
			}
			if line == endMark {
				return lines, <-sent
			}
			if lines = append(lines, line); len(lines) > 1000 {
				return nil, errors.New("the solver prints without end")
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-timer.C:
			return nil, errHangs
		}
	}
}

// end kills the process and waits until it is gone.
func (p *process) end() {
	p.in.Close()
	p.cancel()
	for range p.lines {
	}
	<-p.done
}
