package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// startGrace is how long a runner may take to greet, on a machine that is busy.
	startGrace = 2 * time.Minute
	// answerGrace is how long after a job's wall limit its answer may come.
	answerGrace = time.Minute
	// killGrace is how long a runner may take to end by itself.
	killGrace = 200 * time.Millisecond
	// pipeGrace is how long its standard error may stay open after that.
	pipeGrace = time.Second
)

var errNoAnswer = errors.New("the runner does not answer")

// A body is what a runner lives in: a child of this process, or a container.
type body interface {
	// kill ends it at once. Safe at any time, from any goroutine.
	kill()
	// wait returns when all of it is gone. Called once, after jobs was closed.
	wait() error
}

// A process is one running runner.
type process struct {
	body    body
	jobs    io.WriteCloser // closing it ends the runner
	replies io.ReadCloser
	said    *said // its standard error
	seq     uint32
	shelf   shelf
	cleanup func() error

	// isolates says that a program's processes cannot reach the runner, nor outlive the
	// program: because it gets namespaces of its own, or the runner is pid 1 of a container.
	isolates bool

	once   sync.Once // hangUp
	killer *time.Timer
}

// greet waits for a new runner's first words. On an error the runner is gone.
func (p *process) greet(ctx context.Context) (*process, error) {
	err := p.within(ctx, startGrace, func() error {
		hello, err := readHeader(p.replies, 0)
		p.isolates = hello.Flags&(flagNamespaces|flagAlone) != 0
		return err
	})
	if err != nil {
		err = errors.Join(err, p.close()) // which also collects its last words
		return nil, fmt.Errorf("start a runner: %w\n%s", err, p.said.String())
	}
	return p, nil
}

// child is a body that is a child of this process.
type child struct{ *exec.Cmd }

// kill ends its process group as well: where bubblewrap is killed while it starts, its own child
// waits for it for ever, and holds the pipes.
func (c child) kill() {
	if c.Process.Kill() == nil { // not waited for yet, so that the number is still its own
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
	}
}

func (c child) wait() error {
	var status *exec.ExitError
	if err := c.Wait(); err != nil && !errors.As(err, &status) && !errors.Is(err, exec.ErrWaitDelay) {
		return err
	}
	return nil
}

// startProcess starts a runner, bubblewrap around it included if argv says so, and waits
// for its greeting. cleanup is called once it has ended, or has not started.
func startProcess(ctx context.Context, argv, env []string, cleanup func() error) (*process, error) {
	jobs, jobsEnd, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, cleanup())
	}
	repliesEnd, replies, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, jobs.Close(), jobsEnd.Close(), cleanup())
	}
	cmd, words := exec.Command(argv[0], argv[1:]...), new(said)
	cmd.Env, cmd.Dir = env, "/"
	cmd.ExtraFiles = []*os.File{jobs, replies} // JOB_FD and REPLY_FD of runner.c
	cmd.Stderr = words
	// Out of the terminal's process group: Ctrl-C is the harness's to handle.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.WaitDelay = pipeGrace
	err = cmd.Start()
	err = errors.Join(err, jobs.Close(), replies.Close())
	if err != nil {
		return nil, errors.Join(err, jobsEnd.Close(), repliesEnd.Close(), cleanup())
	}
	p := &process{body: child{cmd}, jobs: jobsEnd, replies: repliesEnd, said: words, cleanup: cleanup}
	return p.greet(ctx)
}

// within calls f, and ends the process to make f return when time or ctx is over.
func (p *process) within(ctx context.Context, limit time.Duration, f func() error) error {
	inner, cancel := ctx, context.CancelFunc(func() {})
	if limit > 0 {
		inner, cancel = context.WithTimeoutCause(ctx, limit, errNoAnswer)
	}
	defer cancel()
	stop := context.AfterFunc(inner, p.hangUp)
	defer stop()
	err := f()
	if err != nil && inner.Err() != nil {
		return context.Cause(inner)
	}
	return err
}

// message encodes the request with what the runner lacks of it.
func (p *process) message(r request) ([]byte, error) {
	program := r.code
	if r.program != "" {
		var err error
		if program, err = os.ReadFile(r.program); err != nil {
			return nil, err
		}
	}
	place, library, err := p.shelf.put(r.library)
	if err != nil {
		return nil, err
	}
	msg, err := r.encode(p.seq, place, library, program)
	if err != nil && library != nil { // it was not sent
		p.shelf.remove(len(p.shelf.books) - 1)
	}
	return msg, err
}

// run runs one job. After an error other than a harnessError the process is of no use.
func (p *process) run(ctx context.Context, r request) (v Ending, err error) {
	p.seq++
	msg, err := p.message(r)
	if err != nil {
		return Ending{}, harnessError(err.Error())
	}
	limit := r.limits.Wall
	if limit > 0 {
		limit += answerGrace
	}
	err = p.within(ctx, limit, func() error {
		if _, err := p.jobs.Write(msg); err != nil {
			return fmt.Errorf("the runner has gone: %w", err)
		}
		var err error
		v, err = readReply(p.replies, p.seq, r)
		return err
	})
	return v, err
}

// hangUp tells the runner to kill its job and go, which takes it some milliseconds, and
// kills it if it does not. Bubblewrap and the runner's init die with their parents.
func (p *process) hangUp() {
	p.once.Do(func() {
		_ = p.jobs.Close() // an unbuffered pipe: there is nothing to lose
		p.killer = time.AfterFunc(killGrace, p.body.kill)
	})
}

// close ends the process and waits until all of it is gone.
func (p *process) close() error {
	p.hangUp()
	defer p.killer.Stop()
	// The runner and its init hold the other end; bubblewrap, which is waited for, may go first.
	_, _ = io.Copy(io.Discard, p.replies)
	return errors.Join(p.body.wait(), p.replies.Close(), p.cleanup())
}

// said keeps the first words of a runner on its standard error.
type said struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *said) Write(b []byte) (int, error) {
	const most = 4000 // one screen
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(b[:min(len(b), max(0, most-s.text.Len()))])
	return len(b), nil
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.TrimSpace(s.text.String())
}

// warmRunner is a Runner that replaces its process when that dies, hangs or answers garbage.
type warmRunner struct {
	flavour Flavour
	start   func(ctx context.Context, perturb bool) (*process, error)
	// The process of perturbed jobs is another one, because glibc reads some of the
	// settings that such jobs need only when a process starts.
	plain, perturbed *process
}

// Run implements Runner.
func (w *warmRunner) Run(ctx context.Context, j Job) (Ending, error) {
	slot := &w.plain
	if j.Perturb {
		slot = &w.perturbed
	}
	var failures []error
	for range 2 {
		if err := context.Cause(ctx); err != nil {
			return Ending{}, err
		}
		v, err := w.attempt(ctx, slot, j)
		var harness harnessError
		switch {
		case err == nil:
			return v, nil
		case errors.As(err, &harness):
			return Ending{}, fmt.Errorf("job %s: %w", j.ID, err)
		case ctx.Err() != nil:
			return Ending{}, err
		}
		failures = append(failures, err)
	}
	return Ending{}, fmt.Errorf("job %s: two runners in a row failed: %w", j.ID, errors.Join(failures...))
}

func (w *warmRunner) attempt(ctx context.Context, slot **process, j Job) (v Ending, err error) {
	if *slot == nil {
		if *slot, err = w.start(ctx, j.Perturb); err != nil {
			return Ending{}, err
		}
	}
	v, err = (*slot).run(ctx, j.request())
	v.Flavour = w.flavour
	var harness harnessError
	if err != nil && !errors.As(err, &harness) {
		p := *slot
		*slot = nil
		if closeErr := p.close(); closeErr != nil {
			err = errors.Join(err, closeErr)
		}
		if words := p.said.String(); words != "" {
			err = fmt.Errorf("%w\n%s", err, words)
		}
	}
	return v, err
}

// Close implements Runner.
func (w *warmRunner) Close() error {
	var errs []error
	for _, slot := range []**process{&w.plain, &w.perturbed} {
		if *slot != nil {
			errs = append(errs, (*slot).close())
			*slot = nil
		}
	}
	return errors.Join(errs...)
}
