package toolchain

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"syscall"

	"github.com/lisa-bench/lisa-bench/internal/files/bounded"
	"github.com/lisa-bench/lisa-bench/internal/files/durable"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A pch is a precompiled preamble.
type pch struct {
	Source string       `json:"-"` // path of the preamble's text
	File   string       `json:"file"`
	SHA256 string       `json:"sha256"` // of File
	Deps   []dependency `json:"deps"`
	// Layout is the digest of the file names in the include directories: a header that
	// appears there can hide one of Deps.
	Layout string `json:"layout"`
	// Noisy means that compiling the preamble printed warnings, which the plain way prints
	// with every program.
	Noisy bool `json:"noisy,omitempty"`
	// Pragmas means that a macro of the headers may expand to a pragma for diagnostics, so
	// that programs must not share a process (see sharesProcess).
	Pragmas bool `json:"pragmas,omitempty"`
	// Broken means that the preamble does not compile: its programs are compiled alone.
	Broken bool `json:"-"`
}

// A dependency is a header that a preamble pulled in.
type dependency struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// A pchCache keeps precompiled preambles in a directory that several processes may share.
// An entry is a manifest, replaced by rename, that names an immutable PCH file; it counts
// only while all headers that it lists still have the same content.
type pchCache struct {
	dir    string
	hashes fileHashes

	mu    sync.Mutex
	locks map[string]*pchSlot
}

// A pchSlot makes sure that one process builds a preamble once at a time.
type pchSlot struct {
	mu     sync.Mutex
	asked  int    // units that wanted this preamble so far
	broken string // state of the headers in which it was found not to compile
}

func newPCHCache(dir string) *pchCache {
	return &pchCache{dir: dir, locks: map[string]*pchSlot{}, hashes: fileHashes{known: map[string]fileHash{}}}
}

func (p *pchCache) slot(key string) *pchSlot {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.locks[key]
	if s == nil {
		s = &pchSlot{}
		p.locks[key] = s
	}
	return s
}

// pchWorth is from how many units on a preamble is precompiled. Measured: 40 ms in C and
// 410 in C++, as much as one unit compiled alone. Then it takes 35 ms for the batch to start and 6
// or 120 for each unit.
const pchWorth = 3

// pch returns the precompiled preamble for n more units, building it if that pays; nil
// means that the units are better compiled alone.
func (c *Compiler) pch(ctx context.Context, lang trial.Language, flags Flags, text string, n int) (*pch, error) {
	cc1, err := c.cc1Args(ctx, lang, flags)
	if err != nil {
		return nil, err
	}
	cache := c.cache
	layout, err := layoutOf(flags.dirs())
	if err != nil {
		return nil, err
	}
	key := digest(append([]string{text, string(lang), c.tools.Clang.Version}, cc1...)...)
	slot := cache.slot(key)
	slot.mu.Lock()
	defer slot.mu.Unlock()
	slot.asked += n
	if p, err := cache.load(key, layout, text); err != nil || p != nil {
		return p, err
	}
	if slot.asked < pchWorth || slot.broken == layout {
		return nil, nil
	}
	p, err := c.buildPCH(ctx, lang, flags, cc1, key, text)
	if err != nil {
		return nil, fmt.Errorf("precompile includes: %w", err)
	}
	if p.Broken {
		slot.broken = layout
		return nil, nil
	}
	p.Layout = layout
	return p, cache.store(key, p)
}

// load returns the entry of that key if it is still true and whole, else nil. text is the
// preamble's.
func (p *pchCache) load(key, layout, text string) (*pch, error) {
	manifest, err := os.ReadFile(filepath.Join(p.dir, key+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var e pch
	if json.Unmarshal(manifest, &e) != nil || e.Layout != layout {
		return nil, nil // a manifest of another version of the harness is no entry
	}
	e.Source, e.File = p.source(key), filepath.Join(p.dir, filepath.Base(e.File))
	own := []dependency{{e.Source, fmt.Sprintf("%x", sha256.Sum256([]byte(text)))}, {e.File, e.SHA256}}
	for _, d := range slices.Concat(own, e.Deps) {
		if sum, err := p.hashes.sum(d.Path); err != nil || sum != d.SHA256 {
			return nil, nil
		}
	}
	return &e, nil
}

func (p *pchCache) store(key string, e *pch) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(p.dir, key+".json"), text)
}

func (p *pchCache) source(key string) string { return filepath.Join(p.dir, key+".h") }

// buildPCH compiles a preamble. The PCH's name holds the digest of the headers' content,
// so that a process that still uses an older one is not disturbed.
func (c *Compiler) buildPCH(ctx context.Context, lang trial.Language, flags Flags, cc1 []string, key, text string) (*pch, error) {
	cache := c.cache
	work, err := os.MkdirTemp(cache.dir, durable.TempPrefix)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	p := &pch{Source: cache.source(key)}
	if err := durable.WriteFile(p.Source, []byte(text)); err != nil {
		return nil, err
	}
	made, deps := filepath.Join(work, "pch"), filepath.Join(work, "deps")
	args := append(slices.Clone(cc1), "-emit-pch", "-fvalidate-ast-input-files-content",
		"-dependency-file", deps, "-MT", "pch", "-sys-header-deps", "-o", made)
	if lang == trial.CXX {
		args = append(args, "-fpch-instantiate-templates")
	}
	args = append(args, "-x", string(lang)+"-header", p.Source)
	box, err := c.box(flags, work, p.Source)
	if err != nil {
		return nil, err
	}
	out, err := c.runCompiler(ctx, Command{Args: args, Env: batchEnv, Dir: work, Box: box})
	var failed *CommandError
	if errors.As(err, &failed) || errors.Is(err, errCompilerHangs) {
		p.Broken = true // or the machine is: compiling alone will tell
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	p.Noisy = len(out.Stderr) > 0
	err = p.readDeps(deps, &cache.hashes)
	var refused *bounded.Error
	if errors.As(err, &refused) {
		p.Broken = true
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	var content []string
	for _, d := range p.Deps {
		content = append(content, d.Path, d.SHA256)
	}
	p.File = filepath.Join(cache.dir, key+"-"+digest(content...)[:16]+".pch")
	if p.SHA256, err = durable.FileSum(made); err != nil {
		return nil, err
	}
	return p, durable.Settle(made, p.File)
}

// pragmaMacro matches a pragma for diagnostics that a macro could expand to, that is
// anywhere but in a #pragma line, which acts where the header is read.
var (
	diagnosticPragma = regexp.MustCompile(`(?m)^.*\b(GCC|clang)\s+diagnostic\b.*$`)
	pragmaLine       = regexp.MustCompile(`^\s*#\s*pragma\b`)
)

// maxHeader is the most that a header or a precompiled preamble may have, in bytes: programs with a larger
// one are compiled alone.
const maxHeader = 256 << 20

// readDeps fills Deps and Pragmas from the dependency file.
func (p *pch) readDeps(depFile string, hashes *fileHashes) error {
	text, err := os.ReadFile(depFile)
	if err != nil {
		return err
	}
	for _, path := range ParseDepfile(string(text)) {
		if path == p.Source {
			continue
		}
		content, err := bounded.ReadFile(path, maxHeader)
		if err != nil {
			return err
		}
		p.Deps = append(p.Deps, dependency{path, fmt.Sprintf("%x", sha256.Sum256(content))})
		if !bytes.Contains(content, []byte("diagnostic")) {
			continue // most have none, and the pattern is slow
		}
		for _, line := range diagnosticPragma.FindAll(content, -1) {
			p.Pragmas = p.Pragmas || !pragmaLine.Match(line)
		}
	}
	return nil
}

// ParseDepfile returns the prerequisites of a make rule as clang -MD writes it.
func ParseDepfile(text string) []string {
	_, rest, _ := strings.Cut(strings.ReplaceAll(text, "\\\n", " "), ":")
	var paths []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			paths = append(paths, word.String())
			word.Reset()
		}
	}
	for i := 0; i < len(rest); i++ {
		next := byte(0)
		if i+1 < len(rest) {
			next = rest[i+1]
		}
		switch ch := rest[i]; {
		case ch == '\\' && (next == ' ' || next == '#'), ch == '$' && next == '$':
			word.WriteByte(next)
			i++
		case ch == ' ' || ch == '\n' || ch == '\t':
			flush()
		default:
			word.WriteByte(ch)
		}
	}
	flush()
	return paths
}

// layoutOf returns a digest of the paths of all files below dirs.
func layoutOf(dirs []string) (string, error) {
	var names []string
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // the compiler ignores it as well
			}
			names = append(names, path)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	sort.Strings(names)
	return digest(names...), nil
}

// fileHashes remembers the content hash of files whose inode has not changed.
type fileHashes struct {
	mu    sync.Mutex
	known map[string]fileHash
}

type fileHash struct {
	inode, size  uint64
	mtime, ctime syscall.Timespec
	sum          string
}

func (h *fileHashes) sum(path string) (string, error) {
	var st syscall.Stat_t
	if err := syscall.Stat(path, &st); err != nil {
		return "", err
	}
	now := fileHash{inode: st.Ino, size: uint64(st.Size), mtime: st.Mtim, ctime: st.Ctim}
	h.mu.Lock()
	defer h.mu.Unlock()
	old := h.known[path]
	now.sum = old.sum
	if now == old {
		return old.sum, nil
	}
	content, err := bounded.ReadFile(path, maxHeader)
	if err != nil {
		return "", err
	}
	now.sum = fmt.Sprintf("%x", sha256.Sum256(content))
	h.known[path] = now
	return now.sum, nil
}
