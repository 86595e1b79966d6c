package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"
)

// A screen is a terminal that keeps a few lines below everything else that is written to it. Between two
// writes the cursor is at the start of the line below them, and no mode of the terminal is ever changed. A
// killed process leaves nothing to be mended.
type screen struct {
	w      io.Writer
	size   func() (columns, rows int)
	colour bool

	mu     sync.Mutex
	pinned []string
	within bool // the last line above them has no end yet
}

func newScreen(f *os.File, colour bool) *screen {
	return &screen{w: f, size: func() (int, int) { return sizeOf(f) }, colour: colour}
}

// Write implements io.Writer.
func (s *screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out bytes.Buffer
	s.erase(&out)
	out.Write(text)
	s.within = !bytes.HasSuffix(text, []byte("\n"))
	s.draw(&out)
	if _, err := s.w.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Pin implements runner.Screen. A terminal that went away shows nothing, which is no loss.
func (s *screen) Pin(render func(columns, rows int, colour bool) []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var lines []string
	if render != nil {
		columns, rows := s.size()
		lines = render(columns, rows, s.colour)
	}
	if slices.Equal(lines, s.pinned) {
		return
	}
	var out bytes.Buffer
	s.erase(&out)
	s.pinned = lines
	s.draw(&out)
	_, _ = s.w.Write(out.Bytes())
}

// erase takes the pinned lines away, and leaves the cursor where they began.
func (s *screen) erase(out *bytes.Buffer) {
	if s.within || len(s.pinned) == 0 {
		return
	}
	columns, _ := s.size()
	up := 0
	for _, line := range s.pinned { // a terminal that became narrower has wrapped them
		up += max(1, (utf8.RuneCountInString(colours.ReplaceAllString(line, ""))+columns-1)/columns)
	}
	fmt.Fprintf(out, "\r\x1b[%dA\x1b[J", up)
}

func (s *screen) draw(out *bytes.Buffer) {
	if s.within {
		return
	}
	for _, line := range s.pinned {
		out.WriteString(line + "\n")
	}
}

var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)
