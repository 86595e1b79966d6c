package toolchain

import (
	"io"
	"strings"
	"sync"
)

// A CommandLog writes command lines as a shell script that can be replayed. It is safe for
// concurrent use: each command is one write of whole lines. A nil log writes nothing.
type CommandLog struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// NewCommandLog returns a log that writes to w.
func NewCommandLog(w io.Writer) *CommandLog { return &CommandLog{w: w} }

// record writes one command. A failed write is kept for Err: a command must not be lost
// because its log cannot be written.
func (l *CommandLog) record(c Command) {
	if l == nil {
		return
	}
	line := ShellLine(c.Dir, c.environment(), c.Args) + "\n"
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := io.WriteString(l.w, line); err != nil && l.err == nil {
		l.err = err
	}
}

// Err returns the first error of writing the log.
func (l *CommandLog) Err() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// ShellLine returns a line of POSIX shell that runs args in dir with exactly env. Without
// dir or env those parts are left out.
func ShellLine(dir string, env, args []string) string {
	var b strings.Builder
	if dir != "" {
		b.WriteString("cd " + shellQuote(dir) + " && ")
	}
	if len(env) > 0 {
		b.WriteString("env -i")
		for _, e := range env {
			b.WriteString(" " + shellQuote(e))
		}
		b.WriteString(" ")
	}
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(shellQuote(a))
	}
	if dir != "" {
		return "(" + b.String() + ")" // so that the next line starts where this one did
	}
	return b.String()
}

// shellQuote quotes a word for sh only when it needs it, so that logs stay readable.
func shellQuote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("_-+=./:,@%", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
