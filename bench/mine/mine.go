// Package mine walks the history of a library and finds the commits that may be fixes of bugs that the
// benchmark lacks. It drops those that cannot change what the library does here, and tries each that is left
// on a reference: whether it applies or is contained, builds, and changes object code. Whether what it
// repairs is functional, it leaves to a person.
package mine

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/bench/touched"
	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// A Commit is one that may be a fix.
type Commit struct {
	Commit    string   `json:"commit"` // 40 digits
	Date      string   `json:"date"`   // of its author, YYYY-MM-DD
	Message   string   `json:"message"`
	Functions []string `json:"functions"` // whose object code differs; if it was not built, those that git names
	State     State    `json:"state"`
	Todo      string   `json:"todo"` // what is left to do
}

// A State says what a commit is to the reference.
type State string

// The states.
const (
	Lacking   State = "lacking"   // it applies: the reference has the defect
	Contained State = "contained" // its reverse applies: the reference has the fix
	Conflict  State = "conflict"  // neither applies
	Unbuilt   State = "unbuilt"   // what it makes of the reference does not compile
	Known     State = "known"     // the fix of a bug of the corpus
)

// maxOutput bounds what git prints in one go.
const maxOutput = 64 << 20

// todos are what is left to do.
var todos = map[State]string{
	Lacking:   "decide whether it is functional, write a witness, state the fix (strategy backport)",
	Contained: "decide whether it is functional, write a witness, take the fix out (strategy edit)",
	Conflict:  "look whether the defect is there; state the fix by hand",
	Unbuilt:   "needs more than this commit; state the fix by hand",
	Known:     "nothing",
}

// A Count is how many commits each filter left.
type Count struct {
	Walked  int `json:"walked"`  // without merges
	Code    int `json:"code"`    // that touch a file that is compiled here, or what one is made of
	Tokens  int `json:"tokens"`  // in which tokens differ, comments aside
	Objects int `json:"objects"` // that may change object code of the reference
}

// A Search says where to look.
type Search struct {
	Git       string // a git directory of the library's upstream
	Since     string // YYYY-MM-DD
	Library   *lisabench.Library
	Edition   lisabench.Edition
	Reference source.Tree
	Sources   *source.Store
	Builder   *libbuild.Builder
	Tell      func(format string, args ...any) // of progress
}

// Commits returns what is left, from the newest commit.
func (s *Search) Commits(ctx context.Context) (left []Commit, n Count, err error) {
	log, err := s.git(ctx, "log", "--no-merges", "--since="+s.Since+" 00:00", "--format=%H%x09%as%x09%s")
	if err != nil {
		return nil, n, err
	}
	_, compiled, err := s.Builder.Sources(ctx, s.request(s.Reference))
	if err != nil {
		return nil, n, err
	}
	ref, err := s.Builder.Build(ctx, s.request(s.Reference))
	if err != nil {
		return nil, n, err
	}
	for line := range strings.Lines(log) {
		field := strings.SplitN(strings.TrimSpace(line), "\t", 3)
		c := Commit{Commit: field[0], Date: field[1], Message: field[2]}
		files, err := s.files(ctx, c.Commit, compiled, &n)
		if err != nil {
			return nil, n, err
		}
		if len(files) == 0 {
			continue
		}
		same, err := s.try(ctx, &c, ref, files)
		if err != nil {
			return nil, n, err
		}
		if !same {
			n.Objects++
			c.Todo = todos[c.State]
			left = append(left, c)
			s.Tell("%s %.12s %-9s %s", c.Date, c.Commit, c.State, c.Message)
		}
	}
	return left, n, nil
}

// made are the endings of files that code is made of, beside those that a recipe names.
var made = []string{".h", ".hh", ".hpp", ".y", ".l", ".y.in"}

// files are those of a commit that are compiled here, or what they are made of, and in which tokens differ. It counts
// the commit.
func (s *Search) files(ctx context.Context, commit string, compiled []string, n *Count) (files []string, err error) {
	names, err := s.git(ctx, "diff-tree", "-r", "--root", "--no-commit-id", "--name-only", "--diff-filter=M", commit)
	code := false
	for name := range strings.Lines(names) {
		name = strings.TrimSpace(name)
		isSource := slices.ContainsFunc(compiled, func(c string) bool { return path.Base(c) == path.Base(name) })
		isMade := slices.ContainsFunc(made, func(end string) bool { return strings.HasSuffix(name, end) })
		if !isSource && !isMade || source.Hidden(name, s.Library) {
			continue
		}
		code = true
		before, beforeErr := s.git(ctx, "show", commit+"^:"+name)
		after, afterErr := s.git(ctx, "show", commit+":"+name)
		if err = errors.Join(beforeErr, afterErr); err != nil {
			return nil, err
		}
		if !slices.Equal(tokens(before), tokens(after)) {
			files = append(files, name)
		}
	}
	n.Walked++
	if code {
		n.Code++
	}
	if len(files) > 0 {
		n.Tokens++
	}
	return files, err
}

// tokens are those of a text but for comments.
func tokens(text string) []string {
	var list []string
	for t := range clex.Tokens(text) {
		if t.Kind != clex.Comment {
			list = append(list, t.Text)
		}
	}
	return list
}

// try finds what a commit is to the reference, and reports whether it changes no object code of it.
func (s *Search) try(ctx context.Context, c *Commit, ref *libbuild.Build, files []string) (same bool, err error) {
	patch, err := s.git(ctx, append([]string{"diff", c.Commit + "^", c.Commit, "--"}, files...)...)
	if err != nil {
		return false, err
	}
	c.Functions = named(patch)
	if slices.ContainsFunc(s.Library.Bugs, func(b *lisabench.Bug) bool { return b.Fix == c.Commit }) {
		c.State = Known
		return false, nil
	}
	for _, state := range []State{Contained, Lacking} {
		tree, err := s.Sources.Patched(ctx, s.Reference, patch, state == Contained)
		var failed *toolchain.CommandError
		if errors.As(err, &failed) {
			continue
		}
		if err != nil {
			return false, err
		}
		c.State = state
		other, err := s.Builder.Build(ctx, s.request(tree))
		if err != nil {
			if ctx.Err() != nil {
				return false, err
			}
			c.State = Unbuilt
			return false, nil
		}
		change, err := touched.Diff(ref, other)
		if err != nil {
			return false, err
		}
		c.Functions = change.Functions
		return len(change.Functions) == 0 && change.Everything == "", nil
	}
	c.State = Conflict
	return false, nil
}

// named are the functions that the heads of a patch's hunks name.
func named(patch string) []string {
	var names []string
	for line := range strings.Lines(patch) {
		if !strings.HasPrefix(line, "@@ ") {
			continue
		}
		_, head, _ := strings.Cut(line[3:], "@@")
		before, _, isFunction := strings.Cut(head, "(")
		words := strings.FieldsFunc(before, func(r rune) bool { return strings.ContainsRune(" \t*&", r) })
		if isFunction && len(words) > 0 && !slices.Contains(names, words[len(words)-1]) {
			names = append(names, words[len(words)-1])
		}
	}
	return names
}

func (s *Search) request(tree source.Tree) libbuild.Request {
	return libbuild.Request{Library: s.Library, Edition: s.Edition, Tree: tree, Variant: libbuild.Plain}
}

func (s *Search) git(ctx context.Context, args ...string) (string, error) {
	args = append([]string{"git", "--git-dir=" + s.Git, "-c", "core.quotePath=false"}, args...)
	out, err := toolchain.Run(ctx, toolchain.Command{Args: args, MaxOutput: maxOutput})
	if err != nil {
		return "", fmt.Errorf("history of %s: %w", s.Library.Name, err)
	}
	return string(out.Stdout), nil
}
