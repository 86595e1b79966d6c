package libbuild

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/files/durable"
)

// A Secret is what an author of tests cannot know: random bytes that are in the memory of one
// evaluation and nowhere else.
type Secret [32]byte

// Stream returns the random stream of that name.
func (s Secret) Stream(name string) *rand.Rand {
	return rand.New(rand.NewChaCha8(sha256.Sum256(append(s[:], name...))))
}

// A Side is one of a bug's two behaviours.
type Side int

// The sides.
const (
	Fixed Side = iota
	Buggy
)

func (s Side) String() string { return [...]string{"fixed", "buggy"}[s] }

// A Disguise makes builds of a library without and with a bug that differ from one another in
// everything but behaviour. They differ in the bytes of the functions that the bug changes, in the order of
// functions and data, in addresses, sizes and padding. What both sides have in common, and all
// that a program can know of the reference build, is drawn anew for each build, in the same way for
// both sides. A build of the fixed side is a placebo: it behaves as the reference and is not it.
// Safe for concurrent use.
type Disguise struct {
	builder *Builder
	linker  *toolchain.Linker
	fixed   Request
	plain   [2]*Build
	secret  Secret
	name    string // of its random streams
	dir     string // of what it makes
	padding []byte // see paddingSource
	names   []string
	sides   [2]*disguisedSide

	mu   sync.Mutex
	made int
}

// drawings is how many times the functions of a side are disguised by the compiler's text. The
// builds made of a variant differ in all that is filled in and linked.
const drawings = 2

// A disguisedSide is what one side's builds are linked from.
type disguisedSide struct {
	texts   []*assembly // of the files that the bug changes; nil: not on this side
	members [][]byte    // of the plain build
	changed []int       // the member of each text; -1: none
	rest    string      // path: the members that the bug does not change, as one object; "" if there are none

	once [drawings]sync.Once
	made [drawings]variant
}

// A variant is a side's changed files with one draw of noise, assembled.
type variant struct {
	marks   marks
	objects [][]byte // one for each text of the side
	archive func() (string, error)
	err     error
}

// fixedTime is the date of every disguised build.
var fixedTime = time.Unix(1_500_000_000, 0)

// Disguise prepares disguised builds of both sides of a bug in dir, which must exist. name tells
// this use of the secret from all others.
func (b *Builder) Disguise(ctx context.Context, linker *toolchain.Linker, fixed, buggy Request, secret Secret, name, dir string) (*Disguise, error) {
	d := &Disguise{builder: b, linker: linker, fixed: fixed, secret: secret, name: name}
	fail := func(err error) (*Disguise, error) {
		return nil, errors.Join(fmt.Errorf("library %s: disguise builds: %w", fixed.Library.Name, err), d.Close())
	}
	var err error
	if d.dir, err = os.MkdirTemp(dir, "b-"); err != nil {
		return fail(err)
	}
	if err = os.Chmod(d.dir, 0o755); err != nil {
		return fail(err)
	}
	if d.padding, err = b.paddingObject(ctx); err != nil {
		return fail(err)
	}
	files := [2]map[string]int{}
	compilations := [2][]Compilation{}
	trees := [2]string{}
	for side, r := range []Request{fixed, buggy} {
		if d.plain[side], err = b.Build(ctx, r); err != nil {
			return fail(err)
		}
		s := &disguisedSide{}
		d.sides[side] = s
		archive, err := os.ReadFile(d.plain[side].StaticLib)
		if err != nil {
			return fail(err)
		}
		if s.members, err = Members(archive); err != nil {
			return fail(err)
		}
		if trees[side], compilations[side], err = b.Compilations(ctx, r); err != nil {
			return fail(err)
		}
		if len(s.members) != len(compilations[side]) {
			return fail(fmt.Errorf("%s has %d members for %d sources", d.plain[side].StaticLib, len(s.members), len(compilations[side])))
		}
		files[side] = map[string]int{}
		for i, c := range compilations[side] {
			files[side][c.File] = i
		}
	}
	for _, file := range d.changedFiles(files) {
		var text [2]*assembly
		member := [2]int{-1, -1}
		for side := range d.sides {
			if i, ok := files[side][file]; ok {
				member[side] = i
				if text[side], err = b.assembly(ctx, d.plain[side], trees[side], compilations[side][i]); err != nil {
					return fail(err)
				}
			}
		}
		names := changedFunctions(text[Fixed], text[Buggy])
		if len(names) == 0 && (text[Fixed] == nil || len(changedData(text[Fixed].constants(), text[Buggy].constants())) == 0) {
			continue // it was compiled from other lines
		}
		if len(names) == 0 { // a table that no function of the file uses: each may be what is looked at
			for _, f := range text[Fixed].funcs {
				names = append(names, f.name)
			}
		}
		d.names = append(d.names, names...)
		for side, s := range d.sides {
			s.texts, s.changed = append(s.texts, text[side]), append(s.changed, member[side])
		}
	}
	for _, s := range d.sides {
		if err := d.combine(ctx, s); err != nil {
			return fail(err)
		}
	}
	return d, nil
}

// Changed are the functions whose code the bug changes, by the names that the linker knows.
func (d *Disguise) Changed() []string { return slices.Clone(d.names) }

// Close removes all builds.
func (d *Disguise) Close() error {
	if d.dir == "" {
		return nil
	}
	return os.RemoveAll(d.dir)
}

// changedFiles are the sources whose objects are not the same on both sides, sorted.
func (d *Disguise) changedFiles(files [2]map[string]int) []string {
	var changed []string
	for file, i := range files[Fixed] {
		k, both := files[Buggy][file]
		if !both || !sameCode(d.sides[Fixed].members[i], d.sides[Buggy].members[k]) {
			changed = append(changed, file)
		}
	}
	for file := range files[Buggy] {
		if _, both := files[Fixed][file]; !both {
			changed = append(changed, file)
		}
	}
	slices.Sort(changed)
	return changed
}

// assembly compiles one source to text, or takes it from the cache.
func (b *Builder) assembly(ctx context.Context, build *Build, tree string, c Compilation) (*assembly, error) {
	dir := filepath.Join(b.cache, "objects", "text")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	path, err := durable.Kept(dir, hashOf(schema, build.Key, c.File, c.Args)[:32], ".s", func(work string) (string, error) {
		out := filepath.Join(work, "text.s")
		args := slices.DeleteFunc(slices.Clone(c.Args), func(a string) bool { return a == "-c" || a == "-gline-tables-only" })
		args = append(args, "-w", "-S", "-ffunction-sections", "-fdata-sections", "-o", out)
		_, err := toolchain.Run(ctx, toolchain.Command{Args: args, Dir: tree, Repeatable: true})
		return out, err
	})
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w", c.File, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseAssembly(string(text)), nil
}

// paddingObject assembles paddingSource, once for a machine.
func (b *Builder) paddingObject(ctx context.Context) ([]byte, error) {
	dir := filepath.Join(b.cache, "objects", "text")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	path, err := durable.Kept(dir, hashOf(schema, b.tools.Clang.Version, paddingSource())[:32], ".o", func(work string) (string, error) {
		source, out := filepath.Join(work, "padding.s"), filepath.Join(work, "padding.o")
		if err := os.WriteFile(source, []byte(paddingSource()), 0o644); err != nil {
			return "", err
		}
		return out, b.tools.Assemble(ctx, source, out)
	})
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// combine makes one object of a side's unchanged members.
func (d *Disguise) combine(ctx context.Context, s *disguisedSide) error {
	dir, err := os.MkdirTemp(d.dir, "members-")
	if err != nil {
		return err
	}
	var paths []string
	for i, m := range s.members {
		if slices.Contains(s.changed, i) {
			continue
		}
		path := filepath.Join(dir, fmt.Sprintf("m%d.o", i))
		if err := os.WriteFile(path, m, 0o644); err != nil {
			return err
		}
		paths = append(paths, path)
	}
	if len(paths) == 0 {
		return nil
	}
	s.rest = filepath.Join(dir, "rest.o")
	if err := d.linker.Combine(ctx, paths, s.rest); err != nil {
		return err
	}
	for _, path := range paths {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// Draw makes another build of a side. Builds of the same side are as different from one another as
// builds of both sides are, but for behaviour. Remove takes one away.
func (d *Disguise) Draw(ctx context.Context, side Side) (*Build, error) {
	d.mu.Lock()
	d.made++
	rng := d.secret.Stream(d.name + " build " + strconv.Itoa(d.made))
	d.mu.Unlock()
	build, err := d.draw(ctx, side, rng)
	if err != nil {
		return nil, fmt.Errorf("library %s: disguised build: %w", d.fixed.Library.Name, err)
	}
	return build, nil
}

func (d *Disguise) draw(ctx context.Context, side Side, rng *rand.Rand) (*Build, error) {
	s, n := d.sides[side], rng.IntN(drawings)
	v := d.variant(ctx, side, n)
	if v.err != nil {
		return nil, v.err
	}
	dir := filepath.Join(d.dir, fmt.Sprintf("%016x", rng.Uint64()))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	build := *d.plain[side]
	build.Key, build.archive = fmt.Sprintf("%s-%016x", d.plain[side].Key, rng.Uint64()), v.archive
	build.Dir, build.StaticLib, build.Commands = dir, "", ""
	build.SharedLib = filepath.Join(dir, filepath.Base(build.SharedLib))
	link := toolchain.ShuffledLink{Lang: d.fixed.Library.Language, SONAME: d.fixed.Library.RecipeFor(d.fixed.Edition).SONAME,
		Out: build.SharedLib, Libs: build.LinkLibs, Seed: 1 + uint32(rng.Uint64N(1<<31))}
	if s.rest != "" {
		link.Objects = append(link.Objects, s.rest)
	}
	padding, err := pad(d.padding, rng)
	if err != nil {
		return nil, err
	}
	parts := [][]byte{padding}
	for _, o := range v.objects {
		if o == nil {
			continue
		}
		if o, err = fillIn(o, v.marks, rng); err != nil {
			return nil, err
		}
		parts = append(parts, o)
	}
	for i, content := range parts {
		path := filepath.Join(dir, strconv.Itoa(i))
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return nil, err
		}
		link.Objects = append(link.Objects, path)
	}
	if err := d.linker.LinkShuffled(ctx, link); err != nil {
		return nil, err
	}
	for i := range parts {
		if err := os.Remove(filepath.Join(dir, strconv.Itoa(i))); err != nil {
			return nil, err
		}
	}
	if err := os.Chmod(build.SharedLib, 0o755); err != nil {
		return nil, err
	}
	return &build, errors.Join(os.Chtimes(build.SharedLib, fixedTime, fixedTime), os.Chtimes(dir, fixedTime, fixedTime))
}

// Remove removes a build that Draw has made.
func (d *Disguise) Remove(b *Build) error { return os.RemoveAll(b.Dir) }

// variant returns the nth variant of a side, which is made when it is first asked for.
func (d *Disguise) variant(ctx context.Context, side Side, n int) *variant {
	s := d.sides[side]
	v := &s.made[n]
	s.once[n].Do(func() { v.err = d.assemble(ctx, side, n, v) })
	return v
}

func (d *Disguise) assemble(ctx context.Context, side Side, n int, v *variant) error {
	rng := d.secret.Stream(fmt.Sprintf("%s variant %d", d.name, 2*n+int(side)))
	// No 32-bit number of a program has the probe's high bits by chance, and no code eight given bytes.
	v.marks = marks{junk: rng.Uint64() | 1<<63, probe: 0x40000000 | rng.Uint32N(1<<30)}
	s := d.sides[side]
	for i, text := range s.texts {
		if text == nil {
			v.objects = append(v.objects, nil)
			continue
		}
		base := filepath.Join(d.dir, fmt.Sprintf("v%d-%d-%d", side, n, i))
		if err := os.WriteFile(base+".s", []byte(text.disguise(d.names, v.marks, rng)), 0o600); err != nil {
			return err
		}
		if err := d.builder.tools.Assemble(ctx, base+".s", base+".o"); err != nil {
			return err
		}
		object, err := os.ReadFile(base + ".o")
		if err != nil {
			return err
		}
		v.objects = append(v.objects, object)
		if err := errors.Join(os.Remove(base+".s"), os.Remove(base+".o")); err != nil {
			return err
		}
	}
	v.archive = sync.OnceValues(func() (string, error) { return d.archive(context.WithoutCancel(ctx), s, v, rng) })
	return nil
}

// archive makes the static library of a variant: the members of the plain build, the changed ones
// disguised.
func (d *Disguise) archive(ctx context.Context, s *disguisedSide, v *variant, rng *rand.Rand) (string, error) {
	dir := filepath.Join(d.dir, fmt.Sprintf("%016x", rng.Uint64()))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	var paths []string
	for i, content := range s.members {
		if k := slices.Index(s.changed, i); k >= 0 {
			var err error
			if content, err = fillIn(v.objects[k], v.marks, rng); err != nil {
				return "", err
			}
		}
		path := filepath.Join(dir, fmt.Sprintf("m%d.o", i))
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return "", err
		}
		paths = append(paths, path)
	}
	out := filepath.Join(dir, filepath.Base(d.plain[Fixed].StaticLib))
	return out, d.builder.tools.Archive(ctx, paths, out, nil)
}
