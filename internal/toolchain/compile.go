package toolchain

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// compileLimits bound one compiler process: a program may be a bomb for the compiler too
// (recursive templates, huge arrays). They are far from what any honest program needs, so
// that a batch reaches them only because of a bomb.
var compileLimits = Limits{CPU: 30 * time.Second, Memory: 4 << 30, FileSize: 256 << 20}

// compileWall ends a compiler that waits instead of computing (#include "/dev/tty").
const compileWall = 10 * time.Minute

// A Unit is one program to compile: a translation unit of its own.
type Unit struct {
	ID     string // letters, digits, '.', '_' and '-'; names its files, e.g. "p00017"
	Lang   trial.Language
	Source string
}

// File is the name under which the compiler sees the unit.
func (u Unit) File() string { return u.ID + u.Lang.Ext() }

// Flags are what all units of one Compile call have in common.
type Flags struct {
	IncludeDirs []string // absolute; searched before the system's
	// AfterDirs, absolute as well, are what hand-written tests bring along: searched for names in quotes,
	// and after the system's for others, so that no file called assert.h switches assertions off.
	AfterDirs []string
	Defines   []string // NAME or NAME=VALUE
	Std       []string // standards of -std=, each for programs in its language: those of C++ have ++ in their names
	Extra     []string // compiler flags as they are
	Sanitize  bool     // AddressSanitizer and UndefinedBehaviorSanitizer
}

// SanitizeFlags are the flags of a sanitizer build, for compiling and for linking.
var SanitizeFlags = []string{"-fsanitize=address,undefined", "-fno-omit-frame-pointer"}

// Args returns the compiler's arguments for a language; every object is position independent, so that it
// can become a shared object.
func (f Flags) Args(lang trial.Language) []string {
	// Headers of C declare with register, which C++17 forbids but in a system's header: there they lie for their users.
	args := []string{"-O0", "-fPIC", "-Wno-register"}
	if f.Sanitize {
		args = append(args, SanitizeFlags...)
	}
	for _, s := range f.Std {
		if strings.Contains(s, "++") == (lang == trial.CXX) {
			args = append(args, "-std="+s)
		}
	}
	for _, d := range f.Defines {
		args = append(args, "-D"+d)
	}
	for _, d := range f.IncludeDirs {
		args = append(args, "-I"+d)
	}
	for _, d := range f.AfterDirs {
		args = append(args, "-iquote", d, "-idirafter", d)
	}
	return append(args, f.Extra...)
}

// dirs are all directories that are searched beside the system's.
func (f Flags) dirs() []string { return slices.Concat(f.IncludeDirs, f.AfterDirs) }

// A Compiled is the compiler's verdict on one unit.
type Compiled struct {
	ID     string
	Object string // absolute path; "" unless OK, and of Read
	OK     bool
	// Diagnostics is what the compiler printed about a unit that does not compile, as
	// `clang -c` prints it but for the count in its last line.
	Diagnostics string

	reading    []byte // nil if none was asked for, or the compiler fails in writing it only
	unreadable bool   // that is so
}

// Program decodes what the unit declares and does; nil unless OK. It takes a hundred times the memory of a reading.
func (c Compiled) Program() (*cprog.Program, error) {
	switch {
	case c.unreadable:
		return &cprog.Program{Unreadable: true}, nil
	case c.reading == nil:
		return nil, nil
	}
	p, err := cprog.Decode(c.reading)
	if err != nil {
		return nil, fmt.Errorf("read program %s: %w", c.ID, err)
	}
	return p, nil
}

// A Compiler compiles generated programs. It is safe for concurrent use; all its calls
// together keep at most the given number of compilers running.
type Compiler struct {
	tools  *Tools
	log    *CommandLog
	limits Limits
	slots  chan struct{}
	plugin keptPlugin
	pchDir string

	mu   sync.Mutex
	cc1  map[string][]string // arguments of clang -cc1 by language and flags
	pchs map[string]*pch     // by what they are made from
}

// NewCompiler returns a compiler that keeps its precompiled preambles in preambleDir and its
// plugin of clang, which is made once for a machine, in pluginDir. It makes both, and runs up to
// workers compilers at once. log may be nil.
func NewCompiler(tools *Tools, preambleDir, pluginDir string, workers int, log *CommandLog) (*Compiler, error) {
	dir, err := filepath.Abs(preambleDir)
	if err != nil {
		return nil, err
	}
	if pluginDir, err = filepath.Abs(pluginDir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	return &Compiler{
		tools:  tools,
		log:    log,
		limits: compileLimits,
		slots:  make(chan struct{}, max(workers, 1)),
		plugin: keptPlugin{dir: pluginDir},
		pchDir: dir,
		cc1:    map[string][]string{},
		pchs:   map[string]*pch{},
	}, nil
}

var unitID = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`)

// Compile compiles units into dir, which must hold nothing that a program could include.
// Verdicts are those of one call of the driver for each unit; result i belongs to units[i]. The
// error is for what is no program's fault.
func (c *Compiler) Compile(ctx context.Context, dir string, flags Flags, units []Unit) ([]Compiled, error) {
	return c.all(ctx, dir, flags, units, false)
}

// Read is Compile without objects, for what is wanted of programs before they are compiled.
func (c *Compiler) Read(ctx context.Context, dir string, flags Flags, units []Unit) ([]Compiled, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp(dir, "read-") // an object of an earlier call stays where it is
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	return c.all(ctx, work, flags, units, true)
}

func (c *Compiler) all(ctx context.Context, dir string, flags Flags, units []Unit, read bool) ([]Compiled, error) {
	dir, err := c.check(dir, flags, units)
	if err != nil {
		return nil, err
	}
	b := &batcher{Compiler: c, dir: dir, flags: flags, units: units, results: make([]Compiled, len(units)), read: read}
	if err := b.run(ctx); err != nil {
		return nil, fmt.Errorf("compile %d programs in %s: %w", len(units), dir, err)
	}
	return b.results, nil
}

func (c *Compiler) check(dir string, flags Flags, units []Unit) (string, error) {
	for _, d := range flags.dirs() {
		if !filepath.IsAbs(d) {
			return "", fmt.Errorf("compile: include directory %q is not absolute", d)
		}
	}
	seen := map[string]bool{}
	for _, u := range units {
		switch {
		case !unitID.MatchString(u.ID):
			return "", fmt.Errorf("compile: program ID %q cannot be a file name", u.ID)
		case seen[u.ID]:
			return "", fmt.Errorf("compile: two programs are called %s", u.ID)
		case u.Lang != trial.C && u.Lang != trial.CXX:
			return "", fmt.Errorf("compile: program %s is in an unknown language %q", u.ID, u.Lang)
		}
		seen[u.ID] = true
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return dir, os.MkdirAll(dir, 0o777)
}

// alone compiles one unit the plain way, with one call of the compiler driver. Its verdict is what batches
// are measured against. The plugin writes the unit's reading. What clang crashes or hangs on is compiled again without
// it: to be read must not change a verdict.
func (b *batcher) alone(ctx context.Context, u Unit) (Compiled, error) {
	load, err := b.pluginArgs(ctx, "reading="+readingSuffix)
	if err != nil {
		return Compiled{}, err
	}
	var extra []string
	for _, a := range load {
		extra = append(extra, "-Xclang", a)
	}
	if b.read {
		extra = append(extra, "-fsyntax-only")
	}
	r, crashed, err := b.driven(ctx, u, extra)
	if err == nil && crashed {
		r, _, err = b.driven(ctx, u, nil)
		r.unreadable = r.OK
	}
	return r, err
}

// driven makes one unit with the driver, and reports whether the compiler crashed or hung.
func (b *batcher) driven(ctx context.Context, u Unit, extra []string) (r Compiled, crashed bool, err error) {
	// A directory of its own, so that the program cannot include another one.
	own := filepath.Join(b.dir, u.ID+".alone")
	if err := os.MkdirAll(own, 0o777); err != nil {
		return r, false, err
	}
	defer os.RemoveAll(own)
	if err := os.WriteFile(filepath.Join(own, u.File()), []byte(u.Source), 0o666); err != nil {
		return r, false, err
	}
	object := objectPath(own, u)
	args := slices.Concat([]string{b.driver(u.Lang), "-fno-crash-diagnostics"}, b.flags.Args(u.Lang),
		[]string{"-c", "-x", string(u.Lang), u.File()}, extra, []string{"-o", object})
	box, err := b.box(b.flags, own)
	if err != nil {
		return r, false, err
	}
	out, err := b.runCompiler(ctx, Command{Args: args, Dir: own, Box: box})
	var failed *CommandError
	switch {
	case err == nil:
		r = Compiled{ID: u.ID, OK: true}
		if len(extra) > 0 {
			r.reading, err = os.ReadFile(readingPath(own, u))
		}
		if isFile(object) && err == nil { // there is none of a program that is only read
			r.Object = objectPath(b.dir, u)
			err = os.Rename(object, r.Object)
		}
		return r, false, err
	case !errors.As(err, &failed), full.Match(out.Stderr):
		return r, false, fmt.Errorf("program %s: %w", u.ID, err)
	}
	text := summaryLine.ReplaceAllString(string(out.Stderr), "")
	crashed = failed.ExitCode != 1
	if crashed {
		text = crashReport.ReplaceAllString(text, "") + "the compiler was stopped: " + howStopped(failed) + "\n"
	}
	return Compiled{ID: u.ID, Diagnostics: Shortened(text)}, crashed, nil
}

// box returns the box of a compiler that works in a directory.
func (c *Compiler) box(flags Flags, work string, readOnly ...string) (*Box, error) {
	return c.tools.Box(slices.Concat(flags.dirs(), []string{c.plugin.dir}, readOnly), []string{work})
}

// howStopped says how a compiler ended that did not end by itself, in words that are the same each time.
func howStopped(failed *CommandError) string {
	switch {
	case failed.Signal != 0:
		return failed.Signal.String()
	case failed.ExitCode < 0:
		return errCompilerHangs.Error()
	}
	return fmt.Sprintf("exit status %d", failed.ExitCode)
}

// Executable makes an executable in dir with one call of the driver, compiler and linker. Its box shows
// dir, the directories of flags and readOnly besides. args are the inputs and the linker's. A
// *CommandError is about the inputs.
func (c *Compiler) Executable(ctx context.Context, dir string, lang trial.Language, flags Flags, args []string, readOnly ...string) error {
	box, err := c.box(flags, dir, readOnly...)
	if err != nil {
		return err
	}
	_, err = c.runCompiler(ctx, Command{Args: slices.Concat([]string{c.driver(lang)}, flags.Args(lang), args), Dir: dir, Box: box})
	return err
}

// full matches what the compiler or the linker says when the machine, not the program, is at
// fault. It then names no place in a source.
var full = regexp.MustCompile(`(?m)^(LLVM ERROR|fatal error|error|\S*ld(\.bfd)?): .*(No space left on device|Disk quota exceeded|unable to open output file)` +
	`|^\S+: error: unable to execute command: Bus error`) // lld, whose output is mapped memory

// DiskFull reports whether a compiler or linker failed for want of space, which is no verdict
// on its input.
func (e *CommandError) DiskFull() bool { return full.Match(e.Stderr) }

// OutOfSpace reports whether err is for want of space or quota, ours or that of a compiler or
// linker.
func OutOfSpace(err error) bool {
	var command *CommandError
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) || errors.As(err, &command) && command.DiskFull()
}

var errCompilerHangs = errors.New("compiler still waiting after " + compileWall.String())

// crashReport is what clang says when it crashes: addresses, which differ each time, and paths.
var crashReport = regexp.MustCompile(`(?s)PLEASE submit a bug report.*`)

// runCompiler runs one compiler in one of the slots. One that hangs is a *CommandError too.
func (c *Compiler) runCompiler(ctx context.Context, cmd Command) (Output, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return Output{}, context.Cause(ctx)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, compileWall, errCompilerHangs)
	defer cancel()
	cmd.Limits, cmd.Log = c.limits, c.log
	cmd.MaxOutput = 64 << 20
	out, err := Run(ctx, cmd)
	if errors.Is(err, errCompilerHangs) {
		err = &CommandError{Args: cmd.Args, Dir: cmd.Dir, ExitCode: -1, Stderr: fmt.Appendln(nil, err)}
	}
	return out, err
}

func (c *Compiler) driver(lang trial.Language) string {
	if lang == trial.CXX {
		return c.tools.ClangXX.Path
	}
	return c.tools.Clang.Path
}

func objectPath(dir string, u Unit) string { return filepath.Join(dir, u.ID+".o") }

// readingSuffix is what the plugin appends to an input's name for its reading.
const readingSuffix = ".cprog"

func readingPath(dir string, u Unit) string { return filepath.Join(dir, u.File()+readingSuffix) }

// summaryLine is the count of diagnostics.
var summaryLine = regexp.MustCompile(`(?m)^(\d+ warnings?( and \d+ errors?)?|\d+ errors?) generated\.\n`)

// cc1Args returns the arguments of clang -cc1 that the driver would use for a language and
// flags, without the ones that name the input, the output or the action.
func (c *Compiler) cc1Args(ctx context.Context, lang trial.Language, flags Flags) ([]string, error) {
	args := append([]string{c.driver(lang), "-###", "-c"}, flags.Args(lang)...)
	args = append(args, "-x", string(lang), "-", "-o", "unit.o")
	key := fmt.Sprintf("%q", args)
	c.mu.Lock()
	defer c.mu.Unlock()
	if a, ok := c.cc1[key]; ok {
		return a, nil
	}
	out, err := Run(ctx, Command{Args: args, Dir: "/", Log: c.log})
	if err != nil {
		return nil, fmt.Errorf("ask clang for its -cc1 arguments: %w", err)
	}
	a, err := parseCC1(string(out.Stderr))
	if err != nil {
		return nil, err
	}
	c.cc1[key] = a
	return a, nil
}

// parseCC1 reads what clang -### prints: one line of quoted words per command.
func parseCC1(text string) ([]string, error) {
	for line := range strings.Lines(text) {
		words := quotedWords(line)
		if len(words) < 2 || words[1] != "-cc1" {
			continue
		}
		args := words[:2]
		for i := 2; i < len(words)-1; i++ { // the last word is the input
			switch w := words[i]; {
			case w == "-o", w == "-main-file-name", w == "-ferror-limit", w == "-x", w == "-dumpdir":
				i++
			case w == "-emit-obj", strings.HasPrefix(w, "-fdebug-compilation-dir="),
				strings.HasPrefix(w, "-fcoverage-compilation-dir="):
			default:
				args = append(args, w)
			}
		}
		return args, nil
	}
	return nil, fmt.Errorf("clang -### printed no -cc1 command: %q", text)
}

var (
	quoted  = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
	escaped = regexp.MustCompile(`\\(.)`)
)

// quotedWords splits a line of words in double quotes with backslash escapes.
func quotedWords(line string) (words []string) {
	for _, m := range quoted.FindAllStringSubmatch(line, -1) {
		words = append(words, escaped.ReplaceAllString(m[1], "$1"))
	}
	return words
}

// digest returns the hex SHA-256 of parts, which cannot run into each other.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}
