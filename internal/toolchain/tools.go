package toolchain

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// llvmMajor is the only major version of LLVM that is accepted: the arguments of clang -cc1 and the
// interface of its plugins are those of this one.
const llvmMajor = 19

// A Program is one program that the harness calls.
type Program struct {
	Name      string `json:"name"`
	Path      string `json:"path,omitempty"`    // absolute; "" if it is missing
	Version   string `json:"version,omitempty"` // e.g. "19.1.7"
	NeededFor string `json:"needed_for"`
	Package   string `json:"package"`            // Debian package that installs it
	Optional  bool   `json:"optional,omitempty"` // only some commands or editions need it
	Problem   string `json:"problem,omitempty"`  // why it cannot be used; "" if it can
}

// Require returns nil, or a *MissingError that says how to get the tool.
func (t Program) Require() error {
	if t.Problem == "" {
		return nil
	}
	return &MissingError{Tool: t.Name, Package: t.Package, Why: t.Problem}
}

// A MissingError is a tool that is not installed, or only in a version that is refused.
type MissingError struct {
	Tool    string
	Package string // Debian package that has it; "" if unknown
	Why     string
}

func (e *MissingError) Error() string {
	if e.Package == "" {
		return fmt.Sprintf("%s cannot be used: %s", e.Tool, e.Why)
	}
	return fmt.Sprintf("%s cannot be used: %s; install it with: apt-get install %s", e.Tool, e.Why, e.Package)
}

// Tools are the programs that were found. Optional ones may be missing: ask Require.
type Tools struct {
	Clang, ClangXX, Ccache  Program
	LLD, LD                 Program // ld.lld, GNU ld (ld.bfd)
	Ar, Profdata, Cov       Program // llvm-ar, llvm-profdata, llvm-cov
	Runtime                 Program // compiler-rt: profile and sanitizer runtimes; Path is its directory
	ClangDev                Program // headers of clang, with libraries beside them, for its plugin; Path is their directory
	Bwrap                   Program
	Git, AptGet, DpkgSource Program

	boxOnce   sync.Once
	boxSystem []string // see Box
	boxErr    error
}

// Describe lists the tools in a fixed order, for bench doctor and the manifest.
func (t *Tools) Describe() (list []Program) {
	for _, p := range t.all() {
		list = append(list, *p)
	}
	return list
}

func (t *Tools) all() []*Program {
	return []*Program{&t.Clang, &t.ClangXX, &t.Ccache, &t.LLD, &t.LD, &t.Ar, &t.Profdata, &t.Cov, &t.Runtime,
		&t.ClangDev, &t.Bwrap, &t.Git, &t.AptGet, &t.DpkgSource}
}

// newTools returns the table of what is looked for.
func newTools() *Tools {
	return &Tools{
		Clang:      Program{Name: "clang", Package: "clang-19", NeededFor: "compiling libraries and tests"},
		ClangXX:    Program{Name: "clang++", Package: "clang-19", NeededFor: "compiling C++ libraries and tests"},
		Ccache:     Program{Name: "ccache", Package: "ccache", NeededFor: "compiling no library's source twice"},
		LLD:        Program{Name: "ld.lld", Package: "lld-19", NeededFor: "linking libraries"},
		LD:         Program{Name: "ld.bfd", Package: "binutils", NeededFor: "linking tests"},
		Ar:         Program{Name: "llvm-ar", Package: "llvm-19", NeededFor: "archiving libraries"},
		Profdata:   Program{Name: "llvm-profdata", Package: "llvm-19", NeededFor: "merging coverage"},
		Cov:        Program{Name: "llvm-cov", Package: "llvm-19", NeededFor: "reading coverage"},
		Runtime:    Program{Name: "compiler-rt", Package: "libclang-rt-19-dev", NeededFor: "coverage, sanitizers and libFuzzer"},
		ClangDev:   Program{Name: "libclang-dev", Package: "libclang-19-dev llvm-19-dev", NeededFor: "reading programs"},
		Bwrap:      Program{Name: "bwrap", Package: "bubblewrap", NeededFor: "the bwrap sandbox, and to confine the compiler of tests", Optional: true},
		Git:        Program{Name: "git", Package: "git", NeededFor: "the upstream edition", Optional: true},
		AptGet:     Program{Name: "apt-get", Package: "apt", NeededFor: "the debian edition", Optional: true},
		DpkgSource: Program{Name: "dpkg-source", Package: "dpkg-dev", NeededFor: "the debian edition", Optional: true},
	}
}

// standardDirs are searched after the caller's.
var standardDirs = []string{
	fmt.Sprintf("/usr/lib/llvm-%d/bin", llvmMajor), "/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin",
}

// Find looks for the tools in dirs, then in the standard places. The error joins one
// *MissingError for each tool that every command needs; the Tools are returned with it, so
// that bench doctor can show what there is.
func Find(ctx context.Context, dirs []string) (*Tools, error) {
	t := newTools()
	search := slices.Concat(dirs, standardDirs)
	var wg sync.WaitGroup
	for _, tool := range t.all() {
		if tool != &t.Runtime && tool != &t.ClangDev {
			wg.Go(func() { tool.find(ctx, search) })
		}
	}
	wg.Wait()
	// One file stands for all of a package that installs them together. -print-runtime-dir names a directory that
	// Debian does not use.
	t.Runtime.beside(t.Clang, "libclang_rt.profile*.a", func() (string, error) {
		out, err := Run(ctx, Command{Args: []string{t.Clang.Path, "-rtlib=compiler-rt", "-print-libgcc-file-name"}})
		return filepath.Dir(string(out.Stdout)), err
	})
	t.ClangDev.beside(t.ClangXX, "clang/Frontend/FrontendPluginRegistry.h", func() (string, error) {
		program, err := filepath.EvalSymlinks(t.ClangXX.Path)
		return filepath.Join(filepath.Dir(filepath.Dir(program)), "include"), err
	})
	var errs []error
	for _, tool := range t.all() {
		if !tool.Optional {
			errs = append(errs, tool.Require())
		}
	}
	return t, errors.Join(errs...)
}

// beside sets Path to the directory of a part of clang, if that has a file that matches a pattern.
func (t *Program) beside(clang Program, pattern string, where func() (string, error)) {
	if clang.Path == "" {
		t.Problem = "there is no " + clang.Name + " to ask for it"
		return
	}
	dir, err := where()
	if err != nil {
		t.Problem = err.Error()
	} else if found, err := filepath.Glob(filepath.Join(dir, pattern)); err != nil || len(found) == 0 {
		t.Problem = fmt.Sprintf("there is no %s in %s", pattern, dir)
	} else {
		t.Path, t.Version = dir, clang.Version
	}
}

// isLLVM reports whether the tool must be of llvmMajor.
func (t *Program) isLLVM() bool { return strings.HasSuffix(t.Package, fmt.Sprint("-", llvmMajor)) }

// find sets Path and Version from the first usable candidate. A candidate of another
// LLVM version is passed over and named in Problem if there is no better one.
func (t *Program) find(ctx context.Context, dirs []string) {
	names := []string{t.Name}
	if t.isLLVM() {
		names = []string{fmt.Sprint(t.Name, "-", llvmMajor), t.Name}
	}
	t.Problem = "it is not installed"
	for _, name := range names {
		for _, dir := range dirs {
			path := findProgram([]string{dir}, name)
			if path == "" {
				continue
			}
			version, err := toolVersion(ctx, path)
			switch {
			case err != nil:
				t.Problem = fmt.Sprintf("%s --version: %v", path, err)
			case t.isLLVM() && !strings.HasPrefix(version, fmt.Sprint(llvmMajor, ".")):
				t.Problem = fmt.Sprintf("%s is version %s and only LLVM %d is supported", path, version, llvmMajor)
			default:
				t.Path, t.Version, t.Problem = path, version, ""
				return
			}
		}
	}
}

var versionPattern = regexp.MustCompile(`\b\d+\.\d+(?:\.\d+)*`)

func toolVersion(ctx context.Context, path string) (string, error) {
	out, err := Run(ctx, Command{Args: []string{path, "--version"}})
	if err != nil {
		return "", err
	}
	v := versionPattern.Find(out.Stdout)
	if v == nil {
		return "", errors.New("no version in its output")
	}
	return string(v), nil
}

// missing returns the error for a program by its file name.
func missing(name, why string) error {
	base := strings.TrimSuffix(name, fmt.Sprint("-", llvmMajor))
	for _, t := range newTools().all() {
		if t.Name == base {
			return &MissingError{Tool: name, Package: t.Package, Why: why}
		}
	}
	return &MissingError{Tool: name, Why: why}
}
