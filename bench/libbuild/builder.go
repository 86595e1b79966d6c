package libbuild

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// schema changes whenever the meaning of a cached build does.
const schema = "libbuild-2"

// A Builder builds library variants and keeps them under its cache directory. Safe for
// concurrent use, also by several processes on one cache.
type Builder struct {
	tools   *toolchain.Tools
	cache   string
	log     *slog.Logger
	compile chan struct{} // a token per compiler process that may run

	mu    sync.Mutex
	locks map[string]*sync.Mutex // one per build key: the second caller waits for the first
}

// New returns a Builder that runs at most workers compilers at a time.
func New(tools *toolchain.Tools, cacheDir string, workers int, log *slog.Logger) *Builder {
	return &Builder{
		tools:   tools,
		cache:   cacheDir,
		log:     log,
		compile: make(chan struct{}, max(workers, 1)),
		locks:   map[string]*sync.Mutex{},
	}
}

// A Request names one build.
type Request struct {
	Library *lisabench.Library
	Edition lisabench.Edition
	Tree    source.Tree
	Variant Variant
}

// Build returns the build that r names, from the cache or made now.
func (b *Builder) Build(ctx context.Context, r Request) (*Build, error) {
	recipe := r.Library.RecipeFor(r.Edition)
	key := b.key(r, recipe)
	unlock := b.lock(key)
	defer unlock()

	dir := filepath.Join(b.cache, "builds", r.Library.Name+"-"+string(r.Variant)+"-"+key[:16])
	if build, err := load(dir); err == nil && build.Key == key {
		return build, nil
	}
	fail := func(err error) (*Build, error) {
		return nil, fmt.Errorf("library %s: build variant %s: %w", r.Library.Name, r.Variant, err)
	}
	tmp, err := makeTemp(dir)
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(tmp)
	if err := b.make(ctx, r, recipe, key, tmp); err != nil {
		return fail(explainNeeds(ctx, recipe.Needs, err))
	}
	if err := settle(tmp, dir, func() bool { build, err := load(dir); return err == nil && build.Key == key }); err != nil {
		return fail(err)
	}
	build, err := load(dir)
	if err != nil {
		return fail(err)
	}
	b.log.Info("built library", "library", r.Library.Name, "variant", r.Variant,
		"objects", build.Objects, "dir", dir)
	return build, nil
}

// make fills tmp with the build.
func (b *Builder) make(ctx context.Context, r Request, recipe lisabench.Recipe, key, tmp string) error {
	logFile, err := os.Create(filepath.Join(tmp, "commands.sh"))
	if err != nil {
		return err
	}
	defer logFile.Close()
	log := toolchain.NewCommandLog(logFile)

	tree, err := b.prepare(ctx, r, recipe, log)
	if err != nil {
		return err
	}
	work := filepath.Join(tmp, "objects")
	if err := os.Mkdir(work, 0o755); err != nil {
		return err
	}
	objects, err := b.objects(ctx, r.Variant, recipe, tree, work, log)
	if err != nil {
		return err
	}
	headers, names := r.Library.Headers, r.Library.InstalledHeaders(r.Edition)
	for _, name := range slices.Sorted(maps.Keys(r.Library.AlsoInstalled)) {
		headers, names = append(slices.Clip(headers), r.Library.AlsoInstalled[name]), append(names, name)
	}
	hash, err := installHeaders(tree, headers, names, filepath.Join(tmp, "include"))
	if err != nil {
		return err
	}
	build := &Build{
		Key: key, Library: r.Library.Name, Variant: r.Variant,
		HeadersHash: hash, LinkLibs: recipe.Link, Objects: len(objects),
	}
	var paths []string
	for _, o := range objects {
		paths = append(paths, o.path)
	}
	build.setPaths(tmp)
	if err := b.link(ctx, r, recipe, paths, build, log); err != nil {
		return err
	}
	if err := os.RemoveAll(work); err != nil { // the archive has them
		return err
	}
	if build.Sums, err = sums(tmp); err != nil {
		return err
	}
	data, err := json.MarshalIndent(build, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(tmp, "build.json"), append(data, '\n'), 0o644); err != nil {
		return err
	}
	return logFile.Sync()
}

// key hashes everything that can change the build.
func (b *Builder) key(r Request, recipe lisabench.Recipe) string {
	parts := []any{schema, b.tools.Clang.Version, string(r.Variant), r.Tree.Key, recipe, r.Library.Language,
		r.Library.Headers, r.Library.InstalledHeaders(r.Edition), r.Variant.compileFlags()}
	if len(r.Library.AlsoInstalled) > 0 {
		parts = append(parts, r.Library.AlsoInstalled)
	}
	if r.Variant == Coverage {
		parts = append(parts, toolchain.CounterLayout, "proftext")
	}
	return hashOf(parts...)
}

// lock serialises the builders of one key within this process. Another process may build the
// same at the same time: it settles for what was there first.
func (b *Builder) lock(key string) (unlock func()) {
	b.mu.Lock()
	m := b.locks[key]
	if m == nil {
		m = &sync.Mutex{}
		b.locks[key] = m
	}
	b.mu.Unlock()
	m.Lock()
	return m.Unlock
}

func (build *Build) setPaths(dir string) {
	build.Dir = dir
	build.SharedLib = filepath.Join(dir, "lib"+strings.ToLower(build.Library)+".so")
	build.StaticLib = filepath.Join(dir, "lib"+strings.ToLower(build.Library)+".a")
	build.IncludeDir = filepath.Join(dir, "include")
	build.Commands = filepath.Join(dir, "commands.sh")
	if build.Variant == Coverage {
		build.Profile = filepath.Join(dir, "profile.proftext")
	}
}

// load reads a finished build; build.json is the last file written into it.
func load(dir string) (*Build, error) {
	data, err := os.ReadFile(filepath.Join(dir, "build.json"))
	if err != nil {
		return nil, err
	}
	var build Build
	if err := json.Unmarshal(data, &build); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "build.json"), err)
	}
	build.setPaths(dir)
	if damaged := differs(dir, build.Sums); damaged != "" {
		return nil, fmt.Errorf("cached build %s is damaged: %s is not what was built", dir, damaged)
	}
	return &build, nil
}

// differs returns the first of the files below dir that does not have its hash; "" if all do.
func differs(dir string, sums map[string]string) string {
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if have, err := durable.FileSum(filepath.Join(dir, name)); err != nil || have != sums[name] {
			return name
		}
	}
	return ""
}

// sealFile keeps the hashes of all files of a directory that has no build.json.
const sealFile = ".sums.json"

// seal writes the hashes of all files below dir, so that damage is noticed.
func seal(dir string) error {
	known, err := sums(dir)
	if err != nil {
		return err
	}
	return writeJSON(filepath.Join(dir, sealFile), known)
}

// sealed reports whether dir is as it was when it was sealed.
func sealed(dir string) bool {
	data, err := os.ReadFile(filepath.Join(dir, sealFile))
	if err != nil {
		return false
	}
	var known map[string]string
	return json.Unmarshal(data, &known) == nil && differs(dir, known) == ""
}

// sums hashes every regular file below dir.
func sums(dir string) (map[string]string, error) {
	sums := map[string]string{}
	return sums, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		sums[name], err = durable.FileSum(path)
		return err
	})
}

// once makes dir by fill, which gets a temporary directory, unless it is there and whole.
func (b *Builder) once(dir string, fill func(tmp string) error) error {
	defer b.lock(dir)()
	whole := func() bool { return sealed(dir) }
	if whole() {
		return nil
	}
	tmp, err := makeTemp(dir)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := fill(tmp); err != nil {
		return err
	}
	if err := seal(tmp); err != nil {
		return err
	}
	return settle(tmp, dir, whole)
}

// settle moves the finished directory tmp to its final place. What another process put there
// first stays, for it may be in use; unless it is not whole: then it is damaged. Its files are
// not synced: what a power failure takes of them is noticed by their hashes.
func settle(tmp, dir string, whole func() bool) error {
	err := os.Rename(tmp, dir)
	if errors.Is(err, fs.ErrExist) && !whole() {
		if err = os.RemoveAll(dir); err != nil {
			return err
		}
		err = os.Rename(tmp, dir)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// makeTemp makes a temporary directory beside the final place dir, so that a rename
// moves it there.
func makeTemp(dir string) (string, error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), durable.TempPrefix+filepath.Base(dir)+"-")
	if err != nil {
		return "", err
	}
	return tmp, os.Chmod(tmp, 0o755) // programs in the sandbox are another user
}

// hashOf returns the hex SHA-256 of the JSON forms of its arguments.
func hashOf(parts ...any) string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	for _, p := range parts {
		if err := enc.Encode(p); err != nil {
			panic(fmt.Sprintf("libbuild: %T cannot be hashed: %v", p, err)) // a programming error
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
