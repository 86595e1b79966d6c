package toolchain

import (
	"bufio"
	"context"
	_ "embed" // the server's source
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// linkServerSource is the source of the process that makes one link after another.
//
//go:embed native/link_server.cc
var linkServerSource string

// linkLimits bound a link server: the object of a hostile program may ask for a huge output.
var linkLimits = Limits{Memory: 4 << 30, FileSize: 256 << 20}

// linkWall is the longest that one link may take; an honest one takes a millisecond.
const linkWall = 10 * time.Minute

var errLinkHangs = errors.New("lld still working after " + linkWall.String())

// linksOfServer is how many links one server makes: lld keeps about 12 kB of each.
const linksOfServer = 4096

// maxLinkText is the most that is kept of what lld says about one link.
const maxLinkText = defaultMaxOutput

// buildLinkServer makes the program of the link servers in dir, once for a machine (2 s).
func (t *Tools) buildLinkServer(ctx context.Context, dir string, log *CommandLog) (string, error) {
	libs := filepath.Join(filepath.Dir(t.LLDDev.Path), "lib")
	return t.buildNative(ctx, t.LLDDev, dir, "link-server", "", []string{linkServerSource}, nil,
		[]string{"-L" + libs, "-Wl,-rpath," + libs, "-llldELF", "-llldCommon", fmt.Sprint("-lLLVM-", llvmMajor), "-lz", "-lzstd"}, log)
}

// A linkServer is a process that makes one link with lld after another. It ends with the
// harness, however that ends.
type linkServer struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	links int
}

func startLinkServer(path string) (*linkServer, error) {
	s := &linkServer{cmd: exec.Command(path)}
	s.cmd.Env = defaultEnv
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(out)
	return s, start(s.cmd, linkLimits)
}

// link makes one link and returns lld's exit status and what it printed. After an error,
// which is that of the process and not of the link, the server can only be closed.
func (s *linkServer) link(ctx context.Context, args []string) (status int, text []byte, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, linkWall, errLinkHangs)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = killGroup(s.cmd.Process) })() // gone if it has ended
	defer func() {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
	}()
	s.links++
	request := fmt.Appendln(nil, len(args))
	for _, a := range args {
		request = append(append(request, a...), 0)
	}
	if _, err := s.in.Write(request); err != nil {
		return 0, nil, err
	}
	line, err := s.out.ReadString('\n')
	if err != nil {
		return 0, nil, err
	}
	var size int
	if _, err := fmt.Sscanf(line, "%d %d\n", &status, &size); err != nil || size < 0 {
		return 0, nil, fmt.Errorf("link server answers %q", line)
	}
	text = make([]byte, min(size, maxLinkText))
	if _, err := io.ReadFull(s.out, text); err != nil {
		return 0, nil, err
	}
	_, err = s.out.Discard(size - len(text))
	return status, text, err
}

// close ends the process, and returns the signal that ended it: another than SIGKILL if it
// had ended before.
func (s *linkServer) close() syscall.Signal {
	_ = killGroup(s.cmd.Process)
	_ = s.in.Close()
	_ = s.cmd.Wait() // says that it was killed
	if status, ok := s.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal()
	}
	return 0
}

// lld links as ld.lld would with these arguments, of which the first is its path. A refusal
// is a *CommandError, and so is a link that ends its servers: it would end ld.lld as well. If
// they were killed, by somebody else, it is a *killedError.
func (l *Linker) lld(ctx context.Context, args []string) error {
	l.log.record(Command{Args: args})
	failed := &CommandError{Args: args, ExitCode: -1}
	for range starts {
		s, err := l.takeServer()
		if err != nil {
			return fmt.Errorf("start the link server: %w", err)
		}
		status, text, err := s.link(ctx, append([]string{"ld.lld"}, args[1:]...))
		if err == nil {
			l.giveServer(s)
			if status != 0 {
				return &CommandError{Args: args, ExitCode: status, Stderr: text}
			}
			return nil
		}
		failed.Signal, failed.Stderr = s.close(), fmt.Appendln(nil, err)
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("%s: %w", args[0], err)
		case errors.Is(err, errLinkHangs):
			return failed
		}
	}
	switch failed.Signal {
	case syscall.SIGKILL:
		return &killedError{failed}
	case syscall.SIGBUS: // its output is a mapped file that cannot grow
		failed.Stderr = []byte("ld.lld: No space left on device\n")
	}
	return failed
}

// takeServer returns an idle server or starts one.
func (l *Linker) takeServer() (*linkServer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.idle); n > 0 {
		s := l.idle[n-1]
		l.idle = l.idle[:n-1]
		return s, nil
	}
	return startLinkServer(l.server)
}

func (l *Linker) giveServer(s *linkServer) {
	if s.links >= linksOfServer {
		s.close()
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.idle = append(l.idle, s)
}

// Close ends the link servers that are idle. A later link starts one again.
func (l *Linker) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.idle {
		s.close()
	}
	l.idle = nil
}
