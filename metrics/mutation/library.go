package mutation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/plugin"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// schemaVersion changes whenever the same mutants would be built in another way.
const schemaVersion = "mutation-2"

// most is how many mutants one build holds: what keeps the code of the largest library within three times its size.
const most = 20000

// A Maker makes libraries of mutants and keeps them. Safe for concurrent use, also by several
// processes on one directory.
type Maker struct {
	Plugin  string // of clang, which lists the mutants: its path
	Builder *libbuild.Builder
	Tools   *toolchain.Tools
	Dir     string // what is made is kept here
	Workers int    // compilers at a time
	Log     *slog.Logger
}

// NewMaker returns a Maker that keeps everything in dir, its programs too; the first for a machine
// takes 7 s to build these.
func NewMaker(ctx context.Context, tools *toolchain.Tools, builder *libbuild.Builder, dir string, workers int, log *slog.Logger) (*Maker, error) {
	made, err := tools.Plugin(ctx, dir, nil)
	return &Maker{Plugin: made, Builder: builder, Tools: tools, Dir: dir, Workers: workers, Log: log}, err
}

// A MutableLibrary is a library under test with all its mutants in one build. With no mutant selected
// it is the library.
type MutableLibrary struct {
	Mutants []Mutant `json:"mutants"` // by ID, from 1
	Sites   int      `json:"sites"`
	// Found is how many mutants the sources have. Where it is above len(Mutants) + Refused, these
	// are a systematic sample. Every mutant had the same chance to be drawn, and a function with
	// a share of the mutants has that share of the sample.
	Found   int `json:"found"`
	Refused int `json:"refused"` // that the compiler would not take

	Build *libbuild.Build `json:"-"`

	request libbuild.Request // the reference, from a tree in which all files are generated
}

// Make returns the mutants of the library that r names, from the cache or made now. The
// variant of r is Plain.
func (m *Maker) Make(ctx context.Context, r libbuild.Request) (lib *MutableLibrary, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("library %s: mutants: %w", r.Library.Name, err)
		}
	}()
	r.Variant = libbuild.Plain
	tree, commands, err := m.Builder.Compilations(ctx, r)
	if err != nil {
		return nil, err
	}
	spec := *r.Library // of the same build from a tree in which the recipe has generated its files
	spec.Recipe = r.Library.RecipeFor(r.Edition)
	spec.Recipe.Copy, spec.Recipe.Write, spec.Recipe.Configure = nil, nil, nil
	r.Library, r.Tree = &spec, source.Tree{Dir: tree, Key: r.Tree.Key}
	dir := filepath.Join(m.Dir, spec.Name+"-"+
		store.Key(schemaVersion, plugin.Part("mutants.cc"), m.Tools.Clang.Version, r.Tree.Key, commands, spec.Headers, most)[:16])
	lib = &MutableLibrary{request: r}
	if data, err := os.ReadFile(filepath.Join(dir, keptList)); err == nil && json.Unmarshal(data, lib) == nil {
		lib.Build, err = m.Builder.Build(ctx, lib.schema(dir))
		return lib, err
	}
	found, err := m.list(ctx, r, commands)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(m.Dir, 0o755); err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp(m.Dir, durable.TempPrefix)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	lib = &MutableLibrary{Found: len(found), request: r}
	lib.Mutants, lib.Sites = number(draw(found, most, trial.Seed(0).Stream("mutants")))
	if err := m.build(ctx, lib, tmp); err != nil {
		return nil, err
	}
	data, err := json.Marshal(lib)
	if err := errors.Join(err, durable.WriteFile(filepath.Join(tmp, keptList), append(data, '\n'))); err != nil {
		return nil, err
	}
	m.Log.Info("made mutants", "library", spec.Name, "found", lib.Found, "mutants", len(lib.Mutants), "sites", lib.Sites, "refused", lib.Refused)
	if err := os.Rename(tmp, dir); err != nil && !errors.Is(err, fs.ErrExist) { // another process was there first, with the same
		return nil, err
	}
	return lib, nil
}

// The files in which a library of mutants is kept: its tree with all mutants, and what is known of them.
const (
	keptTree = "tree"
	keptList = "mutants.json"
)

// list returns the mutants of a library's own files, but for its public headers: these are
// part of every test, too, and no test has a mutant in it.
func (m *Maker) list(ctx context.Context, r libbuild.Request, commands []libbuild.Compilation) (found []Mutant, err error) {
	root, err := filepath.EvalSymlinks(r.Tree.Dir)
	if err != nil {
		return nil, err
	}
	perUnit := make([][]Mutant, len(commands))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(m.Workers, 1))
	for i, c := range commands {
		g.Go(func() (err error) {
			perUnit[i], err = m.listUnit(ctx, r.Tree.Dir, c.Args)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, t := range slices.Concat(perUnit...) {
		var inside bool
		if t.File, inside = strings.CutPrefix(t.File, root+"/"); !inside {
			t.File, inside = strings.CutPrefix(t.File, r.Tree.Dir+"/")
		}
		if inside && !slices.Contains(r.Library.Headers, t.File) {
			found = append(found, t)
		}
	}
	found, _ = number(found)
	return found, nil
}

// listUnit returns the mutants of what one compile command reads except for system headers, in the order of the syntax
// tree. The arguments args are the command with its input and without output options, and dir is its working directory.
func (m *Maker) listUnit(ctx context.Context, dir string, args []string) (found []Mutant, err error) {
	work, err := os.MkdirTemp("", "lisa-bench-mutants-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	out := filepath.Join(work, "mutants.jsonl")
	full := slices.Concat(args[:1], []string{"-fsyntax-only", "-w", "-fplugin=" + m.Plugin, "-fplugin-arg-" + plugin.Name + "-mutants=" + out},
		slices.DeleteFunc(slices.Clone(args[1:]), func(a string) bool { return a == "-c" }))
	if _, err := toolchain.Run(ctx, toolchain.Command{Args: full, Dir: dir}); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return nil, fmt.Errorf("clang's plugin left no mutants: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		var one Mutant
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			return nil, fmt.Errorf("clang's plugin wrote no mutants: %w", err)
		}
		found = append(found, one)
	}
	return found, nil
}

// build makes the tree with all mutants in dir and builds it, without the mutants that the compiler does not take: what
// the language wants to be constant is known of the compiler alone in the end.
func (m *Maker) build(ctx context.Context, lib *MutableLibrary, dir string) error {
	tree := filepath.Join(dir, keptTree)
	if err := os.CopyFS(tree, os.DirFS(lib.request.Tree.Dir).(fs.ReadLinkFS)); err != nil {
		return fmt.Errorf("copy the tree: %w", err)
	}
	var files []string // those that lose their mutants, too
	for _, mu := range lib.Mutants {
		files = append(files, mu.File)
	}
	files = slices.Compact(files)
	const rounds = 20
	for range rounds {
		if err := lib.write(tree, files); err != nil {
			return err
		}
		var err error
		lib.Build, err = m.Builder.Build(ctx, lib.schema(dir))
		var failed *toolchain.CommandError
		if err == nil || !errors.As(err, &failed) {
			return err
		}
		left := withoutLines(lib.Mutants, string(failed.Stderr))
		if len(left) == len(lib.Mutants) {
			return err // it is not about a mutant
		}
		lib.Refused += len(lib.Mutants) - len(left)
		lib.Mutants, lib.Sites = number(left)
	}
	return fmt.Errorf("the compiler still refuses mutants after %d rounds", rounds)
}

var errorPlace = regexp.MustCompile(`(?m)^(\S[^:\n]*):(\d+):\d+: (?:fatal )?error: `)

// withoutLines drops the mutants on the lines that a compiler's messages are about.
func withoutLines(mutants []Mutant, words string) []Mutant {
	bad := map[string]bool{}
	for _, m := range errorPlace.FindAllStringSubmatch(words, -1) {
		bad[filepath.Clean(m[1])+":"+m[2]] = true
	}
	return slices.DeleteFunc(slices.Clone(mutants), func(m Mutant) bool {
		for line := m.Line; line <= m.Last; line++ {
			if bad[m.File+":"+strconv.Itoa(line)] {
				return true
			}
		}
		return false
	})
}

// Sources is the directory of the reference's sources, which mutants' files are relative to.
func (l *MutableLibrary) Sources() string { return l.request.Tree.Dir }

// definitions is the name of the source that defines the selector.
func (l *MutableLibrary) definitions() string {
	if l.request.Library.Language == trial.CXX {
		return "lisabench_mutants.cc"
	}
	return "lisabench_mutants.c"
}

// write writes the sources with all mutants into a copy of the tree.
func (l *MutableLibrary) write(tree string, sources []string) error {
	byFile := map[string][]Mutant{}
	for _, mu := range l.Mutants {
		byFile[mu.File] = append(byFile[mu.File], mu)
	}
	files := map[string]string{schemaHeader: schemaDeclarations, l.definitions(): schemaDefinitions(l.Sites)}
	for _, file := range sources {
		text, err := os.ReadFile(filepath.Join(l.request.Tree.Dir, file))
		if err != nil {
			return err
		}
		if files[file], err = withAll(string(text), byFile[file]); err != nil {
			return err
		}
	}
	for file, text := range files {
		if err := os.WriteFile(filepath.Join(tree, file), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// defined gives variables without a value one. A mutant that takes the first assignment away would
// else be whatever the compiler likes, in one build this and in another that.
const defined = "-ftrivial-auto-var-init=pattern"

// schema returns the request for the build of the tree in dir.
func (l *MutableLibrary) schema(dir string) libbuild.Request {
	spec := *l.request.Library
	spec.Recipe.Sources = append(slices.Clone(spec.Recipe.Sources), l.definitions())
	spec.Recipe.CFlags = append(slices.Clone(spec.Recipe.CFlags), "-include", schemaHeader, "-w", defined)
	r := l.request
	r.Library, r.Tree = &spec, source.Tree{Dir: filepath.Join(dir, keptTree),
		Key: store.Key(schemaVersion, l.request.Tree.Key, schemaDeclarations, schemaDefinitions(l.Sites), l.Mutants)}
	return r
}
