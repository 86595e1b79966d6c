package sandbox

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// The protocol between this package and runner/runner.c, over two pipes, or
// over the standard input and output of a container. Numbers are in
// the byte order of the machine, which both sides share.
//
// A job is four 4-byte lengths, then so many bytes of words, each ended by a NUL, of standard input,
// of the library and of the program. The runner keeps libraries on a shelf, each in a place that the
// job names: it gets one only if it has it not there. A reply is a header, then text, stdout, stderr
// and counters.

// request is a Job or a Command on the wire.
type request struct {
	exec     bool
	limits   Limits
	stdin    []byte
	stdout   bool
	perturb  bool
	counters int
	at       uint64   // of the counters in the library's memory
	library  string   // its path; "" for none
	program  string   // path of the shared object or executable that is handed over; "" for none
	code     []byte   // its content where it has no path
	words    []string // argv, or entries with a letter for their type in front
}

func (j Job) request() request {
	r := request{limits: j.Limits, stdin: j.Stdin, stdout: j.Stdout, perturb: j.Perturb,
		counters: j.Counters, at: j.CountersAt, library: j.Library, program: j.Test, code: j.Code}
	for _, e := range j.Entries {
		kind := "v"
		if e.ReturnsInt {
			kind = "i"
		}
		r.words = append(r.words, kind+e.Symbol)
	}
	return r
}

// MaxEntries is how many entries or arguments one job may have; maxWordBytes bounds their
// length together.
const (
	maxWordBytes = 64 << 10
	MaxEntries   = 255
)

// perturbPattern fills fresh memory: neither 0 nor -1 nor a plausible pointer.
const perturbPattern = 0xA5

// encode returns the job's message. library is the content of the library unless the runner has it
// in that place of its shelf, program that of the program.
func (r request) encode(seq uint32, place int, library, program []byte) ([]byte, error) {
	number := func(n int64) string { return strconv.FormatInt(max(n, 0), 10) }
	flag := func(b bool, value int64) string {
		if b {
			return number(value)
		}
		return "0"
	}
	l := r.limits
	words := append([]string{
		number(int64(seq)), flag(r.exec, 1), flag(r.stdout, 1), flag(r.stdin != nil, 1),
		number(int64(r.counters)), number(int64(r.at)), flag(r.perturb, perturbPattern),
		number(ceil(l.Wall, time.Millisecond)), number(ceil(l.CPU, time.Second)),
		number(l.MemoryBytes), number(l.FileBytes), number(int64(l.Processes)), number(int64(place)),
	}, r.words...)
	text := strings.Join(words, "\x00") + "\x00"
	switch {
	case strings.Count(text, "\x00") != len(words):
		return nil, errors.New("a path or argument holds a NUL byte")
	case len(r.words) == 0:
		return nil, errors.New("there is nothing to run")
	case len(r.words) > MaxEntries || len(text) > maxWordBytes:
		return nil, fmt.Errorf("%d entries or arguments in %d bytes are more than the runner takes (%d, %d)",
			len(r.words), len(text), MaxEntries, maxWordBytes)
	}
	parts := [][]byte{[]byte(text), r.stdin, library, program}
	msg := make([]byte, 0, 16+len(text)+len(r.stdin)+len(library)+len(program))
	for _, p := range parts {
		if len(p) > 1<<30 {
			return nil, fmt.Errorf("%d bytes of standard input, library or program are more than the runner takes", len(p))
		}
		msg = binary.NativeEndian.AppendUint32(msg, uint32(len(p)))
	}
	return append(msg, bytes.Join(parts, nil)...), nil
}

func ceil(d, unit time.Duration) int64 { return int64((d + unit - 1) / unit) }

// Flags of a reply.
const (
	flagTimedOut = 1 << iota
	flagLoadError
	flagHarnessError
	flagNamespaces // in the greeting: programs get namespaces of their own
	flagAlone      // in the greeting: the runner is pid 1 of a container
)

const replyMagic = 0x6c697361

// replyHeader is struct reply of runner.c.
type replyHeader struct {
	Magic, Seq                                  uint32
	Status                                      int32
	Flags                                       uint32
	WallUs, CPUUs                               uint64
	TextBytes, OutBytes, ErrBytes, CounterBytes uint32
	ErrTotal                                    uint64
}

// What a reply may hold; more is garbage.
const (
	maxText    = 4096
	maxStderr  = 64 << 10
	stderrHead = 32 << 10
)

// A harnessError is what the runner could not do for a program.
type harnessError string

func (e harnessError) Error() string { return string(e) }

// readReply reads the answer to request seq. A harnessError leaves the runner usable;
// after any other error it is not.
func readReply(from io.Reader, seq uint32, r request) (Ending, error) {
	h, err := readHeader(from, seq)
	if err != nil {
		return Ending{}, err
	}
	if h.TextBytes > maxText || h.OutBytes > trial.MaxStdout || h.ErrBytes > maxStderr ||
		(h.CounterBytes != 0 && int(h.CounterBytes) != 8*r.counters) {
		return Ending{}, fmt.Errorf("the runner answers garbage: %+v", h)
	}
	body := make([]byte, int(h.TextBytes+h.OutBytes+h.ErrBytes+h.CounterBytes))
	if _, err := io.ReadFull(from, body); err != nil {
		return Ending{}, fmt.Errorf("the runner stopped in the middle of an answer: %w", err)
	}
	take := func(n uint32) []byte {
		part := body[:n:n]
		body = body[n:]
		return part
	}
	text := strings.TrimSpace(string(take(h.TextBytes)))
	if h.Flags&flagHarnessError != 0 {
		return Ending{}, harnessError(text)
	}
	v := Ending{
		Stdout: take(h.OutBytes),
		Stderr: withGap(take(h.ErrBytes), h.ErrTotal),
		Wall:   time.Duration(h.WallUs) * time.Microsecond,
		CPU:    time.Duration(h.CPUUs) * time.Microsecond,
	}
	if h.CounterBytes > 0 {
		v.Counters = make([]uint64, r.counters)
		for i := range v.Counters {
			v.Counters[i] = binary.NativeEndian.Uint64(body[8*i:])
		}
	}
	v.setEnd(h, text, r.limits)
	return v, nil
}

// setEnd says how the program ended.
func (v *Ending) setEnd(h replyHeader, text string, l Limits) {
	status := syscall.WaitStatus(h.Status)
	switch {
	case h.Flags&flagLoadError != 0:
		v.LoadError = text
	case status.Signaled():
		v.Signal = status.Signal()
		// The kernel sends SIGXCPU at the limit and, to a program that ignores it, SIGKILL.
		v.TimedOut = h.Flags&flagTimedOut != 0 || v.Signal == syscall.SIGXCPU ||
			v.Signal == syscall.SIGKILL && l.CPU > 0 && v.CPU >= l.CPU
	default:
		v.ExitCode = status.ExitStatus()
	}
}

func readHeader(from io.Reader, seq uint32) (replyHeader, error) {
	var h replyHeader
	if err := binary.Read(from, binary.NativeEndian, &h); err != nil {
		return h, fmt.Errorf("the runner has gone: %w", err)
	}
	if h.Magic != replyMagic || h.Seq != seq {
		return h, fmt.Errorf("the runner answers garbage: %+v", h)
	}
	return h, nil
}

// withGap marks where the runner left out the middle of a stream of total bytes.
func withGap(kept []byte, total uint64) []byte {
	left := int64(total) - int64(len(kept))
	if left <= 0 || len(kept) < stderrHead {
		return kept
	}
	mark := fmt.Appendf(nil, "\n[… %d bytes left out …]\n", left)
	return bytes.Join([][]byte{kept[:stderrHead], kept[stderrHead:]}, mark)
}
