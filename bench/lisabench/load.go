package lisabench

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

//go:embed libraries
var libraries embed.FS

// Embedded returns the benchmark that is built into the program.
func Embedded() fs.FS {
	sub, err := fs.Sub(libraries, "libraries")
	if err != nil {
		panic(err) // the name is a constant and valid
	}
	return sub
}

// Load reads a benchmark, such as Embedded or Over: one directory per library at the root of
// fsys. The error is an *InvalidError if a file says something wrong, or fsys's own.
func Load(fsys fs.FS) (*Bench, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("benchmark: %w", err)
	}
	l := &loader{fsys: fsys, bugFiles: map[string]string{}}
	bench := &Bench{}
	for _, e := range entries {
		if !isLibraryDir(e) {
			continue
		}
		lib, err := l.library(e.Name())
		if err != nil {
			return nil, fmt.Errorf("library %s: %w", e.Name(), err)
		}
		if lib != nil {
			bench.Libraries = append(bench.Libraries, lib)
		}
	}
	over, external := fsys.(*overlay)
	if len(l.problems) > 0 {
		for i := range l.problems {
			if external {
				l.problems[i].File = over.shown(l.problems[i].File)
			}
		}
		slices.SortStableFunc(l.problems, func(a, b Problem) int {
			return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
		})
		return nil, &InvalidError{Problems: l.problems}
	}
	if len(bench.Libraries) == 0 {
		return nil, errors.New("benchmark: no directory holds a library.yaml")
	}
	bench.Version = versionOf(bench, external)
	return bench, nil
}

type loader struct {
	fsys     fs.FS
	bugFiles map[string]string // file by bug id, over all libraries
	problems []Problem
}

// library loads one directory; nil if its library.yaml cannot be read as one.
func (l *loader) library(dir string) (*Library, error) {
	file := path.Join(dir, "library.yaml")
	data, err := fs.ReadFile(l.fsys, file)
	if errors.Is(err, fs.ErrNotExist) {
		l.problems = append(l.problems, Problem{File: dir, Text: "a library's directory needs a library.yaml"})
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lib := &Library{}
	d, ok := parse(file, data, lib, &l.problems)
	if !ok {
		return nil, nil
	}
	if lib.Name != dir {
		d.wrong([]any{"name"}, "%q in the directory %s: they must agree", lib.Name, dir)
	}
	if err := l.bugs(lib, path.Join(dir, "bugs")); err != nil {
		return nil, err
	}
	d.library(lib)
	return lib, l.rules(lib, path.Join(dir, "rules.yaml"))
}

// rules loads a library's rules, if it has any.
func (l *loader) rules(lib *Library, file string) error {
	data, err := fs.ReadFile(l.fsys, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	rules := &ruleFile{}
	d, ok := parse(file, data, rules, &l.problems)
	if !ok {
		return nil
	}
	d.rules(rules, lib)
	lib.Rules = rules.Rules
	return nil
}

// bugs loads a library's bugs and sorts them by the number of their ids, which is by age.
func (l *loader) bugs(lib *Library, dir string) error {
	entries, err := fs.ReadDir(l.fsys, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var witnesses []string
	claimed := map[string]bool{}
	unread := false // some bug file, so that its witness is not known
	documents := map[*Bug]*document{}
	for _, e := range entries {
		if path.Ext(e.Name()) != ".yaml" {
			witnesses = append(witnesses, e.Name())
			continue
		}
		bug, d, err := l.bug(lib, path.Join(dir, e.Name()))
		switch {
		case err != nil:
			return err
		case bug == nil:
			unread = true
		default:
			lib.Bugs = append(lib.Bugs, bug)
			claimed[bug.Witness.File] = true
			for _, ed := range []Edition{Debian, Upstream} {
				claimed[bug.DiffFile(ed)] = true
			}
			documents[bug] = d
		}
	}
	for _, name := range witnesses {
		if !claimed[name] && !unread {
			l.problems = append(l.problems, Problem{File: path.Join(dir, name), Text: "the witness of no bug: name it in a bug's witness.file, or remove it"})
		}
	}
	for _, bug := range lib.Bugs {
		documents[bug].alsoFails(bug, lib)
	}
	slices.SortFunc(lib.Bugs, func(a, b *Bug) int {
		return cmp.Or(cmp.Compare(a.number(), b.number()), strings.Compare(a.ID, b.ID))
	})
	return nil
}

// number returns the digits at the end of the id.
func (b *Bug) number() int {
	n, _ := strconv.Atoi(b.ID[strings.LastIndexByte(b.ID, '-')+1:]) // 0 if it is no number, which is refused
	return n
}

// bug loads one bug and its witness; nil if the file cannot be read as a bug.
func (l *loader) bug(lib *Library, file string) (*Bug, *document, error) {
	data, err := fs.ReadFile(l.fsys, file)
	if err != nil {
		return nil, nil, err
	}
	bug := &Bug{}
	d, ok := parse(file, data, bug, &l.problems)
	if !ok {
		return nil, nil, nil
	}
	if first, taken := l.bugFiles[bug.ID]; taken {
		d.wrong([]any{"id"}, "%q is taken by %s", bug.ID, first)
	}
	l.bugFiles[bug.ID] = file
	if want := strings.TrimSuffix(path.Base(file), ".yaml"); bug.ID != want {
		d.wrong([]any{"id"}, "%q in the file %s.yaml: they must agree", bug.ID, want)
	}
	d.bug(bug, lib)

	name := path.Join(path.Dir(file), bug.Witness.File)
	if !fs.ValidPath(name) || bug.Witness.File == "" {
		return bug, d, nil // d.bug has said so
	}
	source, err := fs.ReadFile(l.fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.wrong([]any{"witness", "file"}, "there is no %s", name)
	case err != nil:
		return nil, nil, err
	case len(source) == 0:
		d.wrong([]any{"witness", "file"}, "%s is empty", name)
	}
	bug.Witness.Source = string(source)
	return bug, d, l.diffs(bug, path.Dir(file))
}

// diffs loads what a bug changes in each edition, as far as there are files of it.
func (l *loader) diffs(bug *Bug, dir string) error {
	for _, ed := range []Edition{Debian, Upstream} {
		text, err := fs.ReadFile(l.fsys, path.Join(dir, bug.DiffFile(ed)))
		switch how := bug.In(ed); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case how != nil:
			how.diff = string(text)
		}
	}
	return nil
}

// DiffFile is the name of the file, beside the bug's own, with what is otherwise where it is re-introduced
// in an edition by other means than edits. TestDiffFiles of bench/source makes them.
func (b *Bug) DiffFile(ed Edition) string { return b.ID + "." + string(ed) + ".diff" }
