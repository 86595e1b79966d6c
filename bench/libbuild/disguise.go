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
	"strings"
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// A Secret is what an author of tests cannot know: random bytes that are in the memory of one
// evaluation and nowhere else.
type Secret [32]byte

// Stream returns the random stream of that name.
func (s Secret) Stream(name string) *rand.Rand {
	return rand.New(rand.NewChaCha8(sha256.Sum256(append(s[:], name...))))
}

// A Behaviour is what a disguised build behaves like.
type Behaviour int

// The behaviours: the build without a bug, which is the reference most often, and the one with it.
const (
	AsReference Behaviour = iota
	AsBuggy
)

// shapes is how many times the files that a bug changes are compiled for either behaviour, each time with other
// flags. Builds made of one shape differ in noise and in their link.
const shapes = 3

// A Disguise makes builds of a library with and without a bug that only their behaviour tells apart. Whatever else a
// program can know of a build is drawn anew for each, in the same way for both behaviours: the flags with which the
// files that the bug changes are compiled, the order of functions, of the blocks within those files' functions and of
// data, addresses, sizes, padding, and what is written below the stack. Safe for concurrent use.
type Disguise struct {
	builder *Builder
	fixed   Request
	secret  Secret
	name    string        // of its random streams
	dir     string        // of what it makes
	of      [2]*disguised // by behaviour

	mu   sync.Mutex
	made int
}

// A disguised is what the builds of one behaviour are linked from.
type disguised struct {
	plain   *Build
	tree    string
	changed []object                   // sources that the other behaviour has otherwise, or not at all
	objects []string                   // of its other sources
	shapes  []func() ([]string, error) // objects of the changed sources, made once
}

// Disguise prepares disguised builds without and with a bug in dir, which must exist. name tells this use of the
// secret from all others.
func (b *Builder) Disguise(ctx context.Context, fixed, buggy Request, secret Secret, name, dir string) (*Disguise, error) {
	d := &Disguise{builder: b, fixed: fixed, secret: secret, name: name}
	if err := d.prepare(ctx, fixed, buggy, dir); err != nil {
		return nil, errors.Join(fmt.Errorf("library %s: disguise builds: %w", fixed.Library.Name, err), d.Close())
	}
	return d, nil
}

func (d *Disguise) prepare(ctx context.Context, fixed, buggy Request, dir string) (err error) {
	if d.dir, err = os.MkdirTemp(dir, "b-"); err != nil {
		return err
	}
	if err = os.Chmod(d.dir, 0o755); err != nil { // programs in the sandbox are another user
		return err
	}
	objects, sums := [2][]object{}, [2]map[string]string{}
	for as, r := range []Request{fixed, buggy} {
		d.of[as], sums[as] = &disguised{}, map[string]string{}
		if d.of[as].plain, err = d.builder.Build(ctx, r); err != nil {
			return err
		}
		recipe := r.Library.RecipeFor(r.Edition)
		tree, err := d.builder.prepare(ctx, r, recipe, nil)
		if err != nil {
			return err
		}
		d.of[as].tree = tree
		work := filepath.Join(d.dir, fmt.Sprint("objects", as))
		if err := os.Mkdir(work, 0o755); err != nil {
			return err
		}
		if objects[as], err = d.builder.objects(ctx, Plain, recipe, tree, work, nil); err != nil {
			return err
		}
		for _, o := range objects[as] {
			if sums[as][o.file], err = durable.FileSum(o.path); err != nil {
				return err
			}
		}
	}
	for as, s := range d.of {
		for n := range shapes {
			s.shapes = append(s.shapes, sync.OnceValues(func() ([]string, error) {
				return d.compile(ctx, s, fmt.Sprintf("shape %d %d", as, n))
			}))
		}
		for _, o := range objects[as] {
			if sums[AsReference][o.file] == sums[AsBuggy][o.file] {
				s.objects = append(s.objects, o.path)
			} else {
				s.changed = append(s.changed, o)
			}
		}
	}
	return nil
}

// Close removes all builds.
func (d *Disguise) Close() error {
	if d.dir == "" {
		return nil
	}
	return os.RemoveAll(d.dir)
}

// Build makes another build. Builds of the same behaviour are as different from one another as others, but for that.
func (d *Disguise) Build(ctx context.Context, as Behaviour) (*Build, error) {
	d.mu.Lock()
	d.made++
	rng := d.secret.Stream(d.name + " build " + strconv.Itoa(d.made))
	d.mu.Unlock()
	build, err := d.link(ctx, as, rng)
	if err != nil {
		return nil, fmt.Errorf("library %s: disguised build: %w", d.fixed.Library.Name, err)
	}
	return build, nil
}

func (d *Disguise) link(ctx context.Context, as Behaviour, rng *rand.Rand) (*Build, error) {
	s := d.of[as]
	changed, err := s.shapes[rng.IntN(shapes)]()
	if err != nil {
		return nil, err
	}
	build := *s.plain
	build.Key = fmt.Sprintf("%s-%016x", s.plain.Key, rng.Uint64())
	build.Dir = filepath.Join(d.dir, fmt.Sprintf("%016x", rng.Uint64()))
	if err := os.Mkdir(build.Dir, 0o755); err != nil {
		return nil, err
	}
	noise, err := d.noise(ctx, build.Dir, rng)
	if err != nil {
		return nil, err
	}
	objects := slices.Concat(s.objects, changed, []string{noise})
	build.SharedLib, build.Commands = filepath.Join(build.Dir, filepath.Base(s.plain.SharedLib)), ""
	build.StaticLib = filepath.Join(build.Dir, filepath.Base(s.plain.StaticLib))
	build.archive = sync.OnceValue(func() error {
		return d.builder.tools.Archive(context.WithoutCancel(ctx), objects, build.StaticLib, nil)
	})
	flags := []string{"-Wl,--strip-all"}
	for _, kind := range []string{".text*", ".rodata*", ".data*", ".bss*"} {
		flags = append(flags, fmt.Sprintf("-Wl,--shuffle-sections=%s=%d", kind, 1+rng.Uint32N(1<<31)))
	}
	return &build, d.builder.tools.LinkLibrary(ctx, toolchain.LibraryLink{Lang: d.fixed.Library.Language, Objects: objects,
		SONAME: d.fixed.Library.RecipeFor(d.fixed.Edition).SONAME, Out: build.SharedLib, Libs: build.LinkLibs, Flags: flags}, nil)
}

// compile compiles the changed sources with flags that are drawn.
func (d *Disguise) compile(ctx context.Context, s *disguised, name string) ([]string, error) {
	flags := disguiseFlags(d.secret.Stream(d.name + " " + name))
	objects := make([]string, len(s.changed))
	return objects, d.builder.parallel(ctx, len(objects), func(ctx context.Context, i int) error {
		o := s.changed[i]
		objects[i] = filepath.Join(d.dir, fmt.Sprintf("%s %d.o", name, i))
		args := slices.Concat(o.args, flags, []string{"-o", objects[i], o.file})
		if _, err := toolchain.Run(ctx, toolchain.Command{Args: args, Dir: s.tree}); err != nil {
			return fmt.Errorf("compile %s: %w", o.file, err)
		}
		return nil
	})
}

// tunes are processors to tune code for: all of it runs on all of them.
var tunes = []string{"generic", "core2", "silvermont", "haswell", "skylake", "znver1", "znver4"}

// disguiseFlags are flags that change a function's code and neither its behaviour nor its stack frame, as another -O
// level would: what a bug does by undefined behaviour depends on that. Every function begins with some
// no-ops and a call of __fentry__, and every block of it has a section of its own, which the linker shuffles.
func disguiseFlags(rng *rand.Rand) []string {
	const mostNops = 16
	flags := []string{"-g0", "-w", "-fbasic-block-sections=all", "-pg", "-mfentry",
		fmt.Sprintf("-fpatchable-function-entry=%d", 1+rng.IntN(mostNops)), "-mtune=" + tunes[rng.IntN(len(tunes))]}
	if rng.IntN(2) == 0 {
		flags = append(flags, "-fcf-protection=branch")
	}
	return flags
}

// noise makes an object in dir that is in one build only.
func (d *Disguise) noise(ctx context.Context, dir string, rng *rand.Rand) (object string, err error) {
	source, object := filepath.Join(dir, "noise.s"), filepath.Join(dir, "noise.o")
	if err := os.WriteFile(source, []byte(noiseSource(rng)), 0o600); err != nil {
		return "", err
	}
	_, err = toolchain.Run(ctx, toolchain.Command{Args: []string{d.builder.tools.Clang.Path, "-c", source, "-o", object}})
	return object, errors.Join(err, os.Remove(source))
}

// noiseSource has sections of random size that nothing refers to, and a __fentry__ that writes bytes below the stack
// of the function that calls it: nothing is there yet, and it changes neither a register nor a flag.
func noiseSource(rng *rand.Rand) string {
	const mostPadding, mostBytes, nearest, farthest = 2048, 8, 256, 4096
	var b strings.Builder
	for _, kind := range []struct {
		name, flags string
		n           int
	}{{".text", `"ax",@progbits`, 12}, {".rodata", `"a",@progbits`, 4}, {".data", `"aw",@progbits`, 2}, {".bss", `"aw",@nobits`, 2}} {
		for i := range kind.n {
			fmt.Fprintf(&b, "\t.section %s.padding%d,%s\n\t.zero %d\n", kind.name, i, kind.flags, 1+rng.IntN(mostPadding))
		}
	}
	b.WriteString("\t.section .text.__fentry__,\"ax\",@progbits\n\t.globl __fentry__\n\t.hidden __fentry__\n__fentry__:\n")
	for range 1 + rng.IntN(mostBytes) {
		fmt.Fprintf(&b, "\tmovb $%d, -%d(%%rsp)\n", rng.IntN(256), nearest+rng.IntN(farthest-nearest))
	}
	return b.String() + "\tret\n\t.section .note.GNU-stack,\"\",@progbits\n"
}
