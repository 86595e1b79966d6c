package source

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

// An anchorError is an edit whose anchor does not occur exactly once.
type anchorError struct {
	File   string
	Anchor string
	Count  int
}

func (e *anchorError) Error() string {
	first, _, _ := strings.Cut(strings.TrimSpace(e.Anchor), "\n")
	return fmt.Sprintf("%s: the anchor that starts with %q occurs %d times and must occur once", e.File, first, e.Count)
}

// applyEdits applies edits in order to the files below dir. os.Root keeps them inside, also
// where the tree has symbolic links.
func applyEdits(dir string, edits []lisabench.Edit) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, e := range edits {
		if err := applyEdit(root, e); err != nil {
			return err
		}
	}
	return nil
}

func applyEdit(root *os.Root, e lisabench.Edit) (err error) {
	data, err := root.ReadFile(e.File)
	if err != nil {
		return fmt.Errorf("edit: %w", err)
	}
	text := string(data)
	if n := strings.Count(text, e.Anchor); n != 1 {
		return &anchorError{File: e.File, Anchor: e.Anchor, Count: n}
	}
	f, err := root.OpenFile(e.File, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return fmt.Errorf("edit: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = f.WriteString(strings.Replace(text, e.Anchor, e.Replacement, 1))
	return err
}
