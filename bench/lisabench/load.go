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
// fsys. The error is an *InvalidError if a file says something wrong or cannot be read.
func Load(fsys fs.FS) (*Bench, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("benchmark: %w", err)
	}
	l := &loader{fsys: fsys, bugFiles: map[string]string{}}
	bench := &Bench{}
	for _, e := range entries {
		if isLibraryDir(e) {
			if lib := l.library(e.Name()); lib != nil {
				bench.Libraries = append(bench.Libraries, lib)
			}
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
	bench.Version = corpusVersion
	if external { // results on different corpora differ in it
		bench.Version += fmt.Sprintf("+local.%.12s", hash(bench.Libraries))
	}
	return bench, nil
}

type loader struct {
	fsys     fs.FS
	bugFiles map[string]string // file by bug id, over all libraries
	problems []Problem
}

func (l *loader) problem(file, format string, args ...any) {
	l.problems = append(l.problems, Problem{File: file, Text: fmt.Sprintf(format, args...)})
}

// read reads a file that may be left out.
func (l *loader) read(file string) (data []byte, ok bool) {
	data, err := fs.ReadFile(l.fsys, file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.problem(file, "%v", err)
	}
	return data, err == nil
}

// library loads one directory; nil if its library.yaml cannot be read as one.
func (l *loader) library(dir string) *Library {
	file := path.Join(dir, "library.yaml")
	data, ok := l.read(file)
	if !ok {
		l.problem(dir, "a library's directory needs a library.yaml")
		return nil
	}
	lib := &Library{}
	d, ok := parse(file, data, lib, &l.problems)
	if !ok {
		return nil
	}
	if lib.Name != dir {
		d.wrong("name", "%q in the directory %s: they must agree", lib.Name, dir)
	}
	l.bugs(lib, path.Join(dir, "bugs"))
	d.library(lib)
	if data, ok := l.read(path.Join(dir, "rules.yaml")); ok {
		rules := &ruleFile{}
		if d, ok := parse(path.Join(dir, "rules.yaml"), data, rules, &l.problems); ok {
			d.rules(rules, lib)
			lib.Rules = rules.Rules
		}
	}
	return lib
}

// bugs loads a library's bugs and sorts them by the number of their ids, which is by age.
func (l *loader) bugs(lib *Library, dir string) {
	entries, err := fs.ReadDir(l.fsys, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.problem(dir, "%v", err)
	}
	claimed := map[string]bool{}
	unread := false // some bug file, so that its witness is not known
	documents := map[*Bug]*document{}
	for _, e := range entries {
		if path.Ext(e.Name()) != ".yaml" {
			continue
		}
		bug, d := l.bug(lib, path.Join(dir, e.Name()))
		if bug == nil {
			unread = true
			continue
		}
		documents[bug] = d
		lib.Bugs = append(lib.Bugs, bug)
		for _, name := range []string{e.Name(), bug.Witness.File, bug.DiffFile(Debian), bug.DiffFile(Upstream)} {
			claimed[name] = true
		}
	}
	for _, e := range entries {
		if !claimed[e.Name()] && !unread {
			l.problem(path.Join(dir, e.Name()), "the witness of no bug: name it in a bug's witness.file, or remove it")
		}
	}
	for bug, d := range documents {
		d.alsoFails(bug, lib)
	}
	number := func(b *Bug) int {
		n, _ := strconv.Atoi(b.ID[strings.LastIndexByte(b.ID, '-')+1:]) // 0 if it is no number, which is refused
		return n
	}
	slices.SortFunc(lib.Bugs, func(a, b *Bug) int { return cmp.Or(cmp.Compare(number(a), number(b)), cmp.Compare(a.ID, b.ID)) })
}

// bug loads one bug, its witness and its diffs; nil if the file cannot be read as a bug.
func (l *loader) bug(lib *Library, file string) (*Bug, *document) {
	data, ok := l.read(file)
	if !ok {
		return nil, nil
	}
	bug := &Bug{}
	d, ok := parse(file, data, bug, &l.problems)
	if !ok {
		return nil, nil
	}
	if first, taken := l.bugFiles[bug.ID]; taken {
		d.wrong("id", "%q is taken by %s", bug.ID, first)
	}
	l.bugFiles[bug.ID] = file
	dir, name := path.Split(file)
	if bug.ID+".yaml" != name {
		d.wrong("id", "%q in the file %s: they must agree", bug.ID, name)
	}
	d.bug(bug, lib)
	for ed, how := range map[Edition]*Reintroduce{Debian: bug.Debian, Upstream: bug.Upstream} {
		if diff, ok := l.read(dir + bug.DiffFile(ed)); ok && how != nil {
			how.diff = string(diff)
		}
	}
	if witness := dir + bug.Witness.File; fs.ValidPath(witness) { // else d.bug has said so
		source, _ := l.read(witness)
		bug.Witness.Source = string(source)
		if len(source) == 0 {
			d.wrong("witness.file", "%s is not there or empty", witness)
		}
	}
	return bug, d
}

// DiffFile is the name of the file, beside the bug's own, with what is otherwise where it is re-introduced
// in an edition by other means than edits. TestDiffFiles of bench/source makes them.
func (b *Bug) DiffFile(ed Edition) string { return b.ID + "." + string(ed) + ".diff" }
