package toolchain

import (
	"io"
	"regexp"
	"slices"
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
	var words []string
	if len(env) > 0 {
		words = append(words, "env", "-i")
	}
	for _, w := range slices.Concat(env, args) {
		words = append(words, shellQuote(w))
	}
	line := strings.Join(words, " ")
	if dir != "" {
		return "(cd " + shellQuote(dir) + " && " + line + ")" // so that the next line starts where this one did
	}
	return line
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_+=./:,@%-]+$`)

// shellQuote quotes a word for sh only when it needs it, so that logs stay readable.
func shellQuote(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
