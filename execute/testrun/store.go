package testrun

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// compileBatch is how many programs go to the compiler at a time. It is as many as several of its
// processes take, for each set of includes.
const compileBatch = 400

// A test is a program as compiled for one set of headers and flags.
type test struct {
	Outcome    trial.Outcome // set if there is nothing to run
	Diagnostic string
	Entries    []sandbox.Entry
	Defined    []string // global symbols that are not weak
	Weak       []string
	Framework  *toolchain.Framework // that it is written with, or nil
	PassedOver []string             // tests that are not called, and why
	Plain      bool                 // only the plain way can judge it
	shared     string               // path of its shared object; "" if there is none to run
	file       string               // name under which the compiler saw the program
}

// A store keeps compiled programs by the hash of everything they were made from: their shared objects as files, which
// all may read, what else is known of them in memory.
type store struct {
	dir string

	mu    sync.Mutex
	tests map[string]*test
}

func newStore(dir string) (*store, error) {
	return &store{dir: dir, tests: map[string]*test{}}, os.MkdirAll(dir, 0o755)
}

// get returns nil for a program that is not kept.
func (s *store) get(key string) *test {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tests[key]
}

func (s *store) put(key string, t *test, lang trial.Language) {
	t.file = unitName(key) + lang.Ext()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tests[key] = t
}

// unitName is the name of a program as a compilation unit. Results show the program's ID
// in its place.
func unitName(key string) string { return "t" + key }

// compile returns every program compiled for b's headers, in order.
func (e *Engine) compile(ctx context.Context, b *libbuild.Build, programs []trial.Program) ([]*test, error) {
	flags := e.flags(b)
	tests := make([]*test, len(programs))
	keys := make([]string, len(programs))
	missing := map[string]trial.Program{} // equal programs are compiled once
	var order []string
	for i, p := range programs {
		keys[i] = testKey(e.cfg.Tools.Clang.Version, b.HeadersHash, flags, p)
		tests[i] = e.store.get(keys[i])
		if _, queued := missing[keys[i]]; tests[i] == nil && !queued {
			missing[keys[i]] = p
			order = append(order, keys[i])
		}
	}
	for part := range slices.Chunk(order, evenly(len(order), compileBatch)) {
		if err := e.compileMissing(ctx, b, flags, part, missing); err != nil {
			return nil, err
		}
	}
	for i := range tests {
		if tests[i] == nil {
			if tests[i] = e.store.get(keys[i]); tests[i] == nil {
				return nil, fmt.Errorf("program %s: its compiled form vanished from %s", programs[i].ID, e.store.dir)
			}
		}
	}
	return tests, nil
}

// evenly returns the size of the fewest equal parts of n, none of them above most. A last
// part of five programs would start as many compilers as one of two hundred.
func evenly(n, most int) int {
	parts := (n + most - 1) / most
	return max((n+parts-1)/max(parts, 1), 1)
}

// flags are those of the plain way; only the header directory differs between builds.
func (e *Engine) flags(b *libbuild.Build) toolchain.Flags {
	flags := e.cfg.Flags(b.IncludeDir)
	flags.Sanitize = b.Variant == libbuild.Sanitizer
	return flags
}

// testKey hashes what a compiled program depends on. The header directory itself is left
// out: its content is in headersHash.
func testKey(clang, headersHash string, f toolchain.Flags, p trial.Program) string {
	f.IncludeDirs = nil
	h := sha256.New()
	if err := json.NewEncoder(h).Encode([]any{clang, headersHash, f, p.Lang, p.Source}); err != nil {
		panic(fmt.Sprintf("testrun: a program cannot be hashed: %v", err)) // only strings: a programming error
	}
	return hex.EncodeToString(h.Sum(nil))[:40]
}

// compileMissing compiles and links the programs of these keys into the store.
func (e *Engine) compileMissing(ctx context.Context, b *libbuild.Build, flags toolchain.Flags, keys []string, programs map[string]trial.Program) error {
	work, err := os.MkdirTemp(e.store.dir, ".compile-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	units := make([]toolchain.Unit, len(keys))
	for i, k := range keys {
		units[i] = toolchain.Unit{ID: unitName(k), Lang: programs[k].Lang, Source: programs[k].Source}
	}
	compiled, err := e.cfg.Compiler.Compile(ctx, work, flags, units)
	if err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(e.cfg.Workers)
	for i, k := range keys {
		g.Go(func() error {
			// The name is of this call, for another cell may compile the same program.
			t, err := e.link(ctx, b, compiled[i], programs[k], filepath.Join(e.store.dir, filepath.Base(work)+"-"+k+".so"))
			compiled[i] = toolchain.Compiled{} // which holds the program
			if err != nil {
				return fmt.Errorf("link program %s: %w", programs[k].ID, err)
			}
			e.store.put(k, t, programs[k].Lang)
			return nil
		})
	}
	return g.Wait()
}

// maxObject bounds a compiled program, whose symbols are read here. The largest honest one, in C++, has 2 MB.
const maxObject = 32 << 20

// link makes a compiled program a shared object. What it does not define stays undefined
// until it is loaded together with the library.
func (e *Engine) link(ctx context.Context, b *libbuild.Build, c toolchain.Compiled, p trial.Program, out string) (*test, error) {
	if !c.OK {
		return &test{Outcome: trial.CompileError, Diagnostic: e.notInstalled(c.Diagnostics, nil) + c.Diagnostics}, nil
	}
	if info, err := os.Stat(c.Object); err != nil || info.Size() > maxObject {
		return &test{Outcome: trial.CompileError, Diagnostic: fmt.Sprintf("the program has more than %d MiB when compiled\n", maxObject>>20)}, err
	}
	strong, weak, undefined, err := toolchain.Symbols(c.Object)
	if err != nil {
		return nil, err
	}
	defined := slices.Concat(strong, weak)
	if p.Lang != trial.CXX { // weak by attribute, not as the copy of an inline function
		strong, weak = defined, nil
	}
	entries, passedOver, err := entriesOf(c, defined)
	if err != nil {
		return nil, err
	}
	used := e.framework(undefined)
	if text := e.notInstalled("", used); text != "" {
		return &test{Outcome: trial.LinkError, Diagnostic: text}, nil
	}
	var with []string
	if used != nil && len(entries) == 0 && used.Main != "" {
		entries, with, passedOver = []sandbox.Entry{mainEntry}, []string{"-u", mainEntry.Symbol, used.Main}, nil
	}
	if len(entries) == 0 {
		return &test{Outcome: trial.LinkError, Diagnostic: noEntry + passed(passedOver)}, nil
	}
	h, err := e.helpers(ctx, b)
	if err != nil {
		return nil, err
	}
	if h.archive != "" {
		with = append(with, h.archive)
	}
	if used != nil {
		with = append(with, used.Libs...)
	}
	t := &test{PassedOver: passedOver, Framework: used, Entries: entries, Defined: strong, Weak: weak, Plain: len(entries) > sandbox.MaxEntries}
	err = e.cfg.Linker.LinkShared(ctx, p.Lang, c.Object, out, with...)
	var refused *toolchain.CommandError
	if errors.As(err, &refused) && !refused.DiskFull() {
		t.Plain = true // e.g. a relocation from inline assembly that only an executable can have
		return t, nil
	}
	t.shared = out
	return t, err
}

// noEntry is why a program cannot be run.
const noEntry = "the program defines neither main nor a test function `void NAME(void)` or `int NAME(void)`"

// mainEntry is a main, the program's own or its framework's.
var mainEntry = sandbox.Entry{Symbol: "main", ReturnsInt: true}

// entriesOf returns a program's entries that its object defines: not those that are inline, and of
// a program that could not be read only main, which the object tells. passedOver says which tests are none of them and why.
func entriesOf(c toolchain.Compiled, defined []string) (entries []sandbox.Entry, passedOver []string, err error) {
	if slices.Contains(defined, mainEntry.Symbol) {
		return []sandbox.Entry{mainEntry}, nil, nil
	}
	p, err := c.Program()
	if err != nil || p == nil {
		return nil, nil, err
	}
	entries = slices.DeleteFunc(readEntries(p), func(e sandbox.Entry) bool { return !slices.Contains(defined, e.Symbol) })
	return entries, p.PassedOver(), nil
}

// passed says which tests are not called.
func passed(over []string) string {
	const most = 5
	if len(over) == 0 {
		return ""
	}
	text := ": " + strings.Join(over[:min(most, len(over))], "; ")
	if more := len(over) - most; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}

// readEntries returns what the harness calls in a program.
func readEntries(p *cprog.Program) (found []sandbox.Entry) {
	for _, f := range p.Entries() {
		found = append(found, sandbox.Entry{Symbol: f.Decl.Mangled, ReturnsInt: f.ReturnsInt})
	}
	return found
}
