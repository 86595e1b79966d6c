package toolchain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// maxBatch is the most units of one compiler process. Its start costs as much as eight units
// in C; with more units of C++ than this, the process would come near its limit of time.
const maxBatch = 128

// maxErrors is the number of errors after which a driver stops printing (its
// -ferror-limit); a unit with as many is compiled alone to get exactly its words.
const maxErrors = 19

// A batcher is one Compile call.
type batcher struct {
	*Compiler
	dir     string
	flags   Flags
	units   []Unit
	results []Compiled // by index of units; each is written by one goroutine
	read    bool       // readings only, without objects
}

// A group is the units that share a preamble.
type group struct {
	lang trial.Language
	text string
	unit []int
}

// run compiles each group of units over its precompiled preamble, and alone what is in no
// group. The compiler's slots bound the concurrency.
func (b *batcher) run(ctx context.Context) error {
	work, ctx := errgroup.WithContext(ctx)
	groups, alone := b.group()
	work.Go(func() error { return b.alone(ctx, alone) })
	for _, g := range groups {
		work.Go(func() error {
			p, err := b.pch(ctx, g.lang, b.flags, g.text, len(g.unit))
			if err != nil {
				return err
			}
			if p == nil {
				return b.alone(ctx, g.unit)
			}
			open := b.recall(p, g.unit)
			if len(open) == 0 {
				return nil
			}
			for part := range slices.Chunk(open, b.batchSize(len(open), len(groups))) {
				work.Go(func() error { return b.batch(ctx, p, part) })
			}
			return nil
		})
	}
	return work.Wait()
}

// group sorts the units by preamble, in order of first appearance.
func (b *batcher) group() (groups []*group, alone []int) {
	byText := map[string]*group{}
	for i, u := range b.units {
		p, ok := splitPreamble(u.Source)
		if !ok || !sharesProcess(u.Source, p) {
			alone = append(alone, i)
			continue
		}
		key := string(u.Lang) + p.canonical
		g := byText[key]
		if g == nil {
			g = &group{lang: u.Lang, text: p.canonical}
			byText[key] = g
			groups = append(groups, g)
		}
		g.unit = append(g.unit, i)
	}
	return groups, alone
}

// batchSize spreads the n units of one of several groups evenly over the fewest processes
// that, with those of the other groups, use all slots.
func (b *batcher) batchSize(n, groups int) int {
	workers := (cap(b.slots) + groups - 1) / groups
	batches := (n + maxBatch - 1) / maxBatch
	batches = (batches + workers - 1) / workers * workers
	return max((n+batches-1)/batches, min(n, minBatch))
}

// minBatch is the fewest units for which another process, with its start-up cost of eight
// units, is worth its CPU time.
const minBatch = 8

// alone compiles units the plain way, as many at a time as there are slots.
func (b *batcher) alone(ctx context.Context, units []int) error {
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(cap(b.slots))
	for _, i := range units {
		work.Go(func() (err error) {
			b.results[i], err = b.readAlone(ctx, b.dir, b.flags, b.units[i], !b.read)
			return err
		})
	}
	return work.Wait()
}

// batch compiles units over one precompiled preamble in one process; where the compiler
// crashes or hangs, in another one from the next unit on. Every round must settle a unit;
// else all go alone.
func (b *batcher) batch(ctx context.Context, p *pch, units []int) error {
	args, err := b.batchArgs(ctx, p, units)
	if err != nil {
		return err
	}
	for _, i := range units {
		if err := b.prepare(i); err != nil {
			return err
		}
	}
	var alone []int
	for open := units; len(open) > 0; {
		r, err := b.round(ctx, args, open)
		if err != nil {
			return err
		}
		for _, i := range r.failed {
			if strings.Contains(b.results[i].Diagnostics, p.File) { // a header has changed: it is made again
				_ = os.Remove(p.File)
			}
			b.results[i].Diagnostics = Shortened(p.fromSource(b.results[i].Diagnostics, b.units[i]))
			if p.rewords(b.results[i].Diagnostics) {
				r.alone = append(r.alone, i)
			}
		}
		alone = append(alone, r.alone...)
		if len(r.open) == len(open) {
			alone = append(alone, r.open...)
			break
		}
		open = r.open
	}
	if err := b.keep(p, units); err != nil {
		return err
	}
	for _, i := range units {
		if err := os.Remove(filepath.Join(b.dir, b.units[i].File())); err != nil {
			return err
		}
	}
	return b.alone(ctx, alone)
}

func (b *batcher) batchArgs(ctx context.Context, p *pch, units []int) (compilerArgs, error) {
	lang := b.units[units[0]].Lang
	cc1, err := b.cc1Args(ctx, lang, b.flags)
	if err != nil {
		return compilerArgs{}, err
	}
	nonce := b.nonce(units)
	load, err := b.pluginArgs(ctx, "nonce="+nonce, "preamble="+p.Source, "reading="+readingSuffix)
	if err != nil {
		return compilerArgs{}, err
	}
	// To free each unit's syntax tree costs less than fresh memory for the next.
	args := slices.DeleteFunc(slices.Concat(cc1, load), func(a string) bool { return a == "-disable-free" })
	action := "-emit-obj"
	if b.read {
		action = "-fsyntax-only"
	}
	args = append(args, action, "-ferror-limit", "0", "-fvalidate-ast-input-files-content",
		"-include-pch", p.File, "-x", string(lang))
	box, err := b.box(b.flags, b.dir, p.File, p.Source)
	return compilerArgs{args, nonce, box}, err
}

// batchEnv is the environment of a compiler of a preamble or a batch. The memory that one unit has freed is kept
// for the next, in huge pages if the kernel has them.
var batchEnv = slices.Concat(defaultEnv, []string{"GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.trim_threshold=2000000000" +
	":glibc.malloc.top_pad=67108864:glibc.malloc.mmap_threshold=1000000000"})

// compilerArgs are the arguments of a batch without its inputs, with the nonce among them, and its place.
type compilerArgs struct {
	list  []string
	nonce string
	box   *Box
}

// nonce returns what no unit of a batch can contain: a digest of all of them. A program
// cannot make the compiler print a line that looks like a marker.
func (b *batcher) nonce(units []int) string {
	var sources []string
	for _, i := range units {
		sources = append(sources, b.units[i].Source)
	}
	return digest(sources...)[:32]
}

// includedFrom matches the lines that say through which #include an error was found. A
// precompiled preamble counts as included by the first line.
var includedFrom = regexp.MustCompile(`(?m)^In file included from (.+):1:\nIn file included from (.+):(\d+):$`)

// fromSource makes such lines name the unit's own #include.
func (p *pch) fromSource(diagnostics string, u Unit) string {
	if !strings.Contains(diagnostics, p.Source) {
		return diagnostics
	}
	own, _ := splitPreamble(u.Source)
	return includedFrom.ReplaceAllStringFunc(diagnostics, func(text string) string {
		m := includedFrom.FindStringSubmatch(text)
		line, err := strconv.Atoi(m[3])
		if at := own.includes[line]; err == nil && m[1] == u.File() && m[2] == p.Source && at > 0 {
			return fmt.Sprintf("In file included from %s:%d:", u.File(), at)
		}
		return text
	})
}

// ownBuffers are the buffers of the compiler that have other line numbers after a PCH.
var ownBuffers = regexp.MustCompile(`<(scratch space|built-in|command line)>`)

// rewords reports whether the lone compiler would print something else about a unit that does not compile: places in
// the preamble itself, or nothing of a precompiled one that is out of date.
func (p *pch) rewords(diagnostics string) bool {
	return strings.Contains(diagnostics, p.Source) || strings.Contains(diagnostics, p.File) ||
		ownBuffers.MatchString(diagnostics) || countErrors(diagnostics) >= maxErrors
}

// prepare writes a unit's body for a batch and clears what an earlier call left.
func (b *batcher) prepare(i int) error {
	u := b.units[i]
	for _, old := range []string{objectPath(b.dir, u), readingPath(b.dir, u)} {
		if err := os.RemoveAll(old); err != nil {
			return err
		}
	}
	p, _ := splitPreamble(u.Source)
	return os.WriteFile(filepath.Join(b.dir, u.File()), []byte(p.blanked(u.Source)), 0o666)
}

// A round is what one compiler process settled.
type round struct {
	failed []int // results are set
	alone  []int // to be compiled alone: the compiler crashed or hung on them
	open   []int
}

// round runs one compiler on units.
func (b *batcher) round(ctx context.Context, args compilerArgs, units []int) (round, error) {
	cmd := Command{Args: slices.Clone(args.list), Env: batchEnv, Dir: b.dir, Box: args.box}
	files := make([]Unit, len(units))
	for k, i := range units {
		files[k] = b.units[i]
		cmd.Args = append(cmd.Args, files[k].File())
	}
	out, err := b.runCompiler(ctx, cmd)
	var failed *CommandError
	if err != nil && !errors.As(err, &failed) && !errors.Is(err, errCompilerHangs) {
		return round{}, err
	}
	if full.Match(out.Stderr) {
		return round{}, err
	}
	// A compiler that only found errors exits with 1; anything else is a crash.
	crashed := err != nil && (failed == nil || failed.ExitCode != 1)
	sections := splitDiagnostics(string(out.Stderr), files, args.nonce)
	var r round
	for k, i := range units {
		u := b.units[i]
		object, made := objectPath(b.dir, u), objectPath(b.dir, u)
		if b.read {
			object, made = "", readingPath(b.dir, u)
		}
		_, missing := os.Stat(made)
		switch {
		case missing == nil:
			b.results[i] = Compiled{ID: u.ID, OK: true, Object: object}
		case crashed && k == len(sections)-1:
			r.alone = append(r.alone, i)
		case k < len(sections) && countErrors(sections[k]) > 0:
			b.results[i] = Compiled{ID: u.ID, Diagnostics: sections[k]}
			r.failed = append(r.failed, i)
		default:
			r.open = append(r.open, i)
		}
	}
	return r, nil
}

// splitDiagnostics cuts a compiler's output into the sections of its inputs. Inputs that
// were not reached have none.
func splitDiagnostics(text string, units []Unit, nonce string) (sections []string) {
	text = withoutSummary(text)
	begin, at := 0, 0 // of the present section, and of the next line
	for line := range strings.Lines(text) {
		if n := len(sections); n < len(units) && line == markerLine(units[n], nonce) {
			if n > 0 { // what comes before the first marker is about no unit
				sections[n-1] = text[begin:at]
			}
			sections = append(sections, "")
			begin = at + len(line)
		}
		at += len(line)
	}
	if n := len(sections); n > 0 {
		sections[n-1] = text[begin:]
	}
	return sections
}

// markerLine is what the plugin prints before clang reads a unit.
func markerLine(u Unit, nonce string) string {
	return fmt.Sprintf("lisa-bench unit %s %s\n", u.File(), nonce)
}

// severity matches the first line of a diagnostic; quoted source lines start with a blank.
var severity = regexp.MustCompile(`(?m)^(?:[^ \n].*?: )??(fatal error|error|warning|note|remark): `)

func countErrors(text string) int {
	n := 0
	for _, m := range severity.FindAllStringSubmatch(text, -1) {
		if strings.HasSuffix(m[1], "error") {
			n++
		}
	}
	return n
}
