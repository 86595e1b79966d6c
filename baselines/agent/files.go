package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// These bound what one call returns.
const (
	maxResult = 24 << 10 // bytes
	maxLines  = 400
	maxHits   = 60
)

// arguments are those of the conversation's own functions.
type arguments struct {
	File    string `json:"file"`
	From    int    `json:"from"`
	Lines   int    `json:"lines"`
	Pattern string `json:"pattern"`
	Text    string `json:"text"`
}

// own are the functions that an agent from outside has of its own. Their errors are told to the model.
var own = []struct {
	name, description, parameters string
	run                           func(*conversation, arguments) (string, error)
}{
	{"read", "read lines of a file of docs/, include/ or tests/.",
		`{"type":"object","properties":{"file":{"type":"string"},"from":{"type":"integer","description":"first line; 1 if none is given"},"lines":{"type":"integer","description":"at most 400; 200 if none is given"}},"required":["file"]}`,
		(*conversation).read},
	{"search", "search all files for a regular expression (syntax of Go), whatever the case; returns at most 60 lines with their places.",
		`{"type":"object","properties":{"pattern":{"type":"string"}},"required":["pattern"]}`, (*conversation).search},
	{"write", "write a file of tests/, whole.",
		`{"type":"object","properties":{"file":{"type":"string","description":"name in tests/"},"text":{"type":"string"}},"required":["file","text"]}`,
		(*conversation).write},
}

func (c *conversation) read(a arguments) (string, error) {
	root, err := os.OpenRoot(c.space.Root())
	if err != nil {
		return "", err
	}
	defer root.Close()
	text, err := root.ReadFile(filepath.Clean(a.File))
	if err != nil {
		return "", fmt.Errorf("%s: there is no such file", a.File)
	}
	lines := strings.Split(strings.TrimSuffix(strings.ToValidUTF8(string(text), "?"), "\n"), "\n")
	if a.Lines <= 0 {
		a.Lines = 200
	}
	from := min(max(a.From, 1), len(lines))
	to := min(from+min(a.Lines, maxLines)-1, len(lines))
	var b strings.Builder
	for n := from; n <= to && b.Len() < maxResult; n++ {
		fmt.Fprintf(&b, "%d\t%s\n", n, lines[n-1])
	}
	fmt.Fprintf(&b, "[lines %d to %d of %d]", from, to, len(lines))
	return b.String(), nil
}

func (c *conversation) search(a arguments) (string, error) {
	pattern, err := regexp.Compile("(?i)" + a.Pattern)
	if err != nil {
		return "", err
	}
	var hits []string
	err = c.walk(func(name string, text []byte) {
		n := 0
		for line := range strings.Lines(string(text)) {
			if n++; len(hits) < maxHits && pattern.MatchString(line) {
				hits = append(hits, strings.ToValidUTF8(fmt.Sprintf("%s:%d: %.300s", name, n, strings.TrimSpace(line)), "?"))
			}
		}
	})
	if len(hits) == 0 {
		hits = []string{"no line matches"}
	}
	return strings.Join(hits, "\n"), err
}

func (c *conversation) write(a arguments) (string, error) {
	path, err := c.space.Path(a.File)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(path, []byte(a.Text), 0o644); err != nil {
		return "", err
	}
	return fmt.Sprintf("written, %d lines", strings.Count(a.Text, "\n")), nil
}

// A file is one of the workspace.
type file struct {
	Name  string
	Lines int
}

func (c *conversation) files() (list []file, err error) {
	err = c.walk(func(name string, text []byte) {
		list = append(list, file{name, strings.Count(string(text), "\n")})
	})
	return list, err
}

// walk calls f for every file of the workspace but its task, by name.
func (c *conversation) walk(f func(name string, text []byte)) error {
	return filepath.WalkDir(c.space.Root(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() == "TASK.md" {
			return err
		}
		text, err := os.ReadFile(path)
		name, relErr := filepath.Rel(c.space.Root(), path)
		f(name, text)
		return errors.Join(err, relErr)
	})
}
