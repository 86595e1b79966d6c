package libfuzzer

import (
	"bytes"
	"path"
	"strconv"
	"strings"
)

// A runLog is what one libFuzzer run, with -verbosity=2 -print_final_stats=1, said on
// standard error.
type runLog struct {
	Execs int64 // inputs executed, seeds included
	Final bool  // it printed its final statistics; otherwise Execs is its last sign of life
	// Summary is what ended the run, e.g. "AddressSanitizer: heap-buffer-overflow …" or
	// "libFuzzer: timeout"; "" if it ended by itself.
	Summary string
	// Written are the corpus files in the order in which they were found. Many are gone
	// again by the end: libFuzzer removes what it replaces by a smaller input.
	Written []written
}

// written is a corpus file.
type written struct {
	Name string // SHA-1 of its content
	Exec int64  // how many inputs had been executed when it was found
}

// parseLog reads a run's log, whole or cut off anywhere.
func parseLog(log []byte) runLog {
	var l runLog
	for line := range bytes.Lines(log) {
		text := strings.TrimRight(string(line), "\r\n")
		switch {
		case strings.HasPrefix(text, "#"):
			// "#4096\tpulse  cov: 12 …"; the frames of a stack trace are indented.
			number, _, _ := strings.Cut(text[1:], "\t")
			if n, ok := count(number); ok && !l.Final {
				l.Execs = n
			}
		case strings.HasPrefix(text, "Written "):
			// "Written 12 bytes to /dir/<sha1>"
			if name := path.Base(text); isSHA1(name) {
				l.Written = append(l.Written, written{Name: name, Exec: l.Execs})
			}
		case strings.HasPrefix(text, "stat::number_of_executed_units:"):
			_, value, _ := strings.Cut(text, ": ")
			if n, ok := count(strings.TrimSpace(value)); ok {
				l.Execs, l.Final = n, true
			}
		case strings.HasPrefix(text, "SUMMARY: "):
			l.Summary = strings.TrimPrefix(text, "SUMMARY: ")
		}
	}
	return l
}

// count parses a number that cannot be negative.
func count(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n >= 0
}

// isSHA1 reports whether s is a SHA-1 as libFuzzer names files.
func isSHA1(s string) bool {
	return len(s) == 40 && strings.Trim(s, "0123456789abcdef") == ""
}
