package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// Config is what the executors need.
type Config struct {
	Tools *toolchain.Tools
	// Dir keeps the compiled runners; it is made if it does not exist.
	Dir string
	// ReadOnly are directories of the host that all programs may read, at the same paths, beside the
	// system's. There are none where the programs are tests, which are handed over with their libraries.
	// Programs run as another user when the harness runs as root, so what they read in
	// there must be readable by all.
	ReadOnly []string
	// Limits are those of most programs. Docker gives them to its containers.
	Limits Limits
}

// SanitizerExit is the exit status of a program that a sanitizer stopped. ASan's own
// default, 1, is what a test returns.
const SanitizerExit = 86

// environment is all that programs see of one. work and tmp are their directories.
func environment(work, tmp string, add ...string) []string {
	env := map[string]string{
		"PATH": "/usr/bin:/bin", "HOME": work, "PWD": work, "TMPDIR": tmp, "LANG": "C", "TZ": "UTC",
		"GLIBC_TUNABLES": heapTunables,
		// Forked children would append to one profile until it reaches the file size limit;
		// coverage is read from memory.
		"LLVM_PROFILE_FILE": "/dev/null",
		// Leak detection depends on the memory layout; a failing huge allocation is the
		// program's to handle, as without ASan. Symbolizing costs 100 ms. Freed memory that is kept back
		// makes every block a fresh page (docs/explanation/performance.md).
		"ASAN_OPTIONS":  fmt.Sprintf("exitcode=%d:detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=32:symbolize=0", SanitizerExit),
		"UBSAN_OPTIONS": fmt.Sprintf("exitcode=%d:halt_on_error=1:symbolize=0", SanitizerExit),
	}
	for _, e := range add {
		name, value, _ := strings.Cut(e, "=")
		env[name] = value
	}
	var list []string
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	sort.Strings(list)
	return list
}

// heapTunables let a program keep up to 64 MiB that it has freed. By default glibc gives the top of the
// heap back at 128 KiB: a test that opens and closes a stream in a loop spends a third of its time on
// getting the same pages again (docs/explanation/performance.md). Blocks from 32 MiB on are mapped alone,
// as glibc does after the first one was freed.
const heapTunables = "glibc.malloc.trim_threshold=67108864:glibc.malloc.mmap_threshold=33554432"

// perturbEnv takes glibc's per-thread cache away, which would hand out blocks without
// filling them (mallopt(3), M_PERTURB).
const perturbEnv = "GLIBC_TUNABLES=" + heapTunables + ":glibc.malloc.tcache_count=0"

// A setup is one way to put a runner into a place.
type setup struct {
	runner             string // path of the executable
	uid                int    // that programs get; -1 for the harness's own
	env                []string
	readOnly, writable []string
	at                 string // see Command
	flavour            Flavour
	limits             Limits // of the programs
}

// user returns the user and the group that programs run as.
func (s setup) user() (uid, gid int) {
	if s.uid < 0 {
		return os.Geteuid(), os.Getegid()
	}
	return s.uid, s.uid
}

// base is what the executors share: everything but how a runner is wrapped.
type base struct {
	cfg    Config
	launch func(ctx context.Context, s setup) (*process, error)
	// locate returns the path of a flavour's runner.
	locate func(ctx context.Context, flavour Flavour) (string, error)
}

// onThisMachine is a base whose runners are compiled here.
func onThisMachine(cfg Config, launch func(context.Context, setup) (*process, error)) base {
	r := &runners{cfg: cfg, paths: map[Flavour]string{}}
	return base{cfg: cfg, launch: launch, locate: r.locate}
}

// Start implements Executor.
func (b *base) Start(ctx context.Context, flavour Flavour) (Runner, error) {
	if flavour == "" {
		flavour = Plain
	}
	path, err := b.locate(ctx, flavour)
	if err != nil {
		return nil, err
	}
	w := &warmRunner{flavour: flavour, start: func(ctx context.Context, perturb bool) (*process, error) {
		uid, err := newUID()
		if err != nil {
			return nil, err
		}
		s := setup{runner: path, uid: uid, readOnly: b.cfg.ReadOnly, flavour: flavour, limits: b.cfg.Limits}
		if perturb {
			s.env = append(s.env, perturbEnv)
		}
		return b.launch(ctx, s)
	}}
	// Now rather than with the first job, so that a machine that cannot do it says so early.
	if w.plain, err = w.start(ctx, false); err != nil {
		return nil, err
	}
	return w, nil
}

// Exec implements Executor.
func (b *base) Exec(ctx context.Context, c Command) (v Ending, err error) {
	path, err := b.locate(ctx, Plain)
	if err != nil {
		return Ending{}, err
	}
	uid, err := newUID()
	if err != nil {
		return Ending{}, err
	}
	if err := giveAway(c.Writable, uid); err != nil {
		return Ending{}, err
	}
	p, err := b.launch(ctx, setup{runner: path, uid: uid, env: c.Env, writable: c.Writable, at: c.At,
		readOnly: slices.Concat(b.cfg.ReadOnly, c.ReadOnly), flavour: c.Flavour, limits: c.Limits})
	if err != nil {
		return Ending{}, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	r := request{exec: true, limits: c.Limits, stdin: c.Stdin, stdout: c.Stdout, program: c.Program, words: c.Args}
	if c.Flavour == Sanitized {
		r.limits.MemoryBytes = 0 // see Limits
	}
	if child, ok := p.body.(child); ok && c.Limits.ResidentBytes > 0 {
		var end context.CancelFunc
		ctx, end = guard(ctx, child.Process.Pid, c.Limits.ResidentBytes)
		defer end()
	}
	v, err = p.run(ctx, r)
	v.Flavour = c.Flavour
	if err != nil {
		return v, fmt.Errorf("run %s: %w", c.Args, err)
	}
	return v, nil
}

// giveAway makes a user the owner of everything in dirs, without following links.
func giveAway(dirs []string, uid int) error {
	if uid < 0 {
		return nil
	}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(path, uid, uid)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lastUID numbers the users of this process's runners.
var lastUID atomic.Uint32

// newUID returns the user id for the programs of a new runner. A harness that is root
// gives each runner an id of its own: the kernel counts processes by user, and does not
// limit root's. Any other harness's programs run as its own user: -1.
func newUID() (int, error) {
	if os.Geteuid() != 0 {
		return -1, nil
	}
	// 22 bits of process id, 8 bits of counter: beyond every real user and subordinate id.
	uid := 1<<30 | os.Getpid()<<8&(1<<30-1) | int(lastUID.Add(1)&0xff)
	ids, err := os.ReadFile("/proc/self/uid_map")
	if err != nil {
		return 0, err
	}
	if !mapped(string(ids), uid) {
		return nobody, nil
	}
	return uid, nil
}

// nobody is the user in a container that has no others.
const nobody = 65534

// mapped reports whether a uid_map (user_namespaces(7)) has the id.
func mapped(uidMap string, uid int) bool {
	for line := range strings.Lines(uidMap) {
		f := strings.Fields(line)
		if len(f) != 3 {
			continue
		}
		first, err1 := strconv.Atoi(f[0])
		count, err2 := strconv.Atoi(f[2])
		if err1 == nil && err2 == nil && first <= uid && uid-first < count {
			return true
		}
	}
	return false
}
