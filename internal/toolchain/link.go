package toolchain

import (
	"context"
	"debug/elf"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Linker links test programs by a process of GNU ld each: of a link by the driver nine tenths are the start of
// driver and lld, and symbols that no test uses. It is safe for concurrent use.
type Linker struct {
	tools *Tools
	log   *CommandLog

	begin, end string                      // crtbeginS.o and crtendS.o, which define __dso_handle
	libraries  map[trial.Language][]string // stubs, and what a C library has beside its shared part
	frameworks []Framework
}

// A Framework is a library of the system with which people write tests.
type Framework struct {
	Name, Package, Header string
	Marker                string   // the beginning of a symbol that every program needs from it
	Libs                  []string // paths; none if it is not installed
	Main                  string   // path of what has a main for programs without
}

// Frameworks returns those that the linker knows. Position independent archives are preferred to shared libraries, which
// not every sandbox shows.
func (l *Linker) Frameworks() []Framework { return l.frameworks }

func findFrameworks(dirs []string) []Framework {
	list := []Framework{
		{Name: "GoogleTest", Package: "libgtest-dev", Header: "gtest/gtest.h", Marker: "_ZN7testing", Libs: []string{"libgtest.a"}, Main: "libgtest_main.a"},
		{Name: "Check", Package: "check", Header: "check.h", Marker: "srunner_", Libs: []string{"libcheck_pic.a", "libsubunit.so", "libm.so.6"}},
		{Name: "cmocka", Package: "libcmocka-dev", Header: "cmocka.h", Marker: "_cmocka_run_group_tests", Libs: []string{"libcmocka.so"}},
	}
	for i := range list {
		f := &list[i]
		names := f.Libs
		f.Libs = nil
		for _, name := range names {
			f.Libs = append(f.Libs, firstFile(dirs, name))
		}
		if slices.Contains(f.Libs, "") {
			f.Libs = nil
		}
		if f.Main != "" {
			f.Main = firstFile(dirs, f.Main)
		}
	}
	return list
}

// firstFile is the path of a file in the first directory that has it, or "".
func firstFile(dirs []string, name string) string {
	for _, dir := range dirs {
		if path := filepath.Join(dir, name); isFile(path) {
			return path
		}
	}
	return ""
}

// NewLinker finds the files that every link needs. It keeps its stubs in dir, which it makes and which several
// processes may share. log may be nil.
func NewLinker(ctx context.Context, tools *Tools, dir string, log *CommandLog) (*Linker, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	dirs, err := tools.libraryDirs(ctx)
	if err != nil {
		return nil, err
	}
	files, err := libraryFiles(dirs, "crtbeginS.o", "crtendS.o", "libc_nonshared.a", "libgcc.a", "libc.so.6", "libm.so.6",
		"libstdc++.so.6", "libgcc_s.so.1")
	if err != nil {
		return nil, err
	}
	l := &Linker{tools: tools, log: log, begin: files["crtbeginS.o"], end: files["crtendS.o"], frameworks: findFrameworks(dirs)}
	var stubs []string
	for _, name := range []string{"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1"} {
		stub, err := l.makeStub(ctx, files[name], name, dir)
		if err != nil {
			return nil, fmt.Errorf("stub of %s: %w", files[name], err)
		}
		stubs = append(stubs, stub)
	}
	c := []string{stubs[0], stubs[1], files["libc_nonshared.a"], files["libgcc.a"]} // atexit, 128-bit division
	l.libraries = map[trial.Language][]string{
		trial.C: c,
		// The C++ library is named whatever of it is used: a C library does not bring it.
		trial.CXX: slices.Concat([]string{"--no-as-needed", stubs[2], "--as-needed", stubs[3]}, c),
	}
	return l, nil
}

// libraryDirs returns the directories where the compiler looks for libraries and start files.
func (t *Tools) libraryDirs(ctx context.Context) ([]string, error) {
	out, err := Run(ctx, Command{Args: []string{t.Clang.Path, "-print-search-dirs"}})
	if err != nil {
		return nil, err
	}
	_, list, found := strings.Cut(string(out.Stdout), "libraries: =")
	if !found {
		return nil, fmt.Errorf("%s -print-search-dirs names no libraries: %q", t.Clang.Path, out.Stdout)
	}
	list, _, _ = strings.Cut(list, "\n")
	return filepath.SplitList(list), nil
}

// libraryFiles returns the paths of files, each in the first directory that has it.
func libraryFiles(dirs []string, names ...string) (map[string]string, error) {
	files := map[string]string{}
	for _, name := range names {
		if files[name] = firstFile(dirs, name); files[name] == "" {
			return nil, &MissingError{Tool: name, Package: "g++", Why: "the compiler does not find it"}
		}
	}
	return files, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// LinkShared links one test object into a bare shared object. The library and the C
// library are not linked: their symbols stay undefined until the program is loaded into a
// process that has them. References inside the object are bound there (-Bsymbolic), as in
// an executable. Not bound are those to C++ variables, which a header may define for the library as
// well (inline variables, function statics): all must use one copy. with are further arguments, such as archives of
// which is linked what the object needs. A *CommandError is about the object.
func (l *Linker) LinkShared(ctx context.Context, lang trial.Language, object, out string, with ...string) error {
	symbolic := "-Bsymbolic"
	if lang == trial.CXX {
		symbolic = "-Bsymbolic-functions"
	}
	args := []string{l.tools.LD.Path, "-shared", symbolic, "--eh-frame-hdr", "--hash-style=gnu",
		"-z", "noexecstack", "-z", "relro", "-o", out, l.begin, object, "--as-needed"}
	args = slices.Concat(args, with, l.libraries[lang], []string{l.end})
	_, err := Run(ctx, Command{Args: args, Limits: linkLimits, Log: l.log})
	return err
}

// linkLimits bound a linker: the object of a hostile program may ask for a huge output.
var linkLimits = Limits{CPU: 30 * time.Second, Memory: 4 << 30, FileSize: 256 << 20}

// makeStub makes a shared object with the name and version of each symbol that a library
// has in several versions, and nothing else. An undefined symbol without a version is
// bound to the oldest (realpath of 1998 refuses a null buffer, memcpy tolerates overlaps),
// unlike one in an executable. Linking against the whole C library would give it its
// version as well, at 12 ms more for each program.
func (l *Linker) makeStub(ctx context.Context, library, soname, dir string) (string, error) {
	versions, err := versionedSymbols(library)
	if err != nil {
		return "", err
	}
	asm, script := stubSource(versions)
	return durable.Kept(dir, digest(asm, script, l.tools.LD.Version)[:16], "-"+soname, func(work string) (string, error) {
		source, versionMap, made := filepath.Join(work, "stub.s"), filepath.Join(work, "stub.map"), filepath.Join(work, "stub.so")
		if err := os.WriteFile(source, []byte(asm), 0o666); err != nil {
			return "", err
		}
		if err := os.WriteFile(versionMap, []byte(script), 0o666); err != nil {
			return "", err
		}
		args := []string{l.tools.Clang.Path, "-shared", "-nostdlib", "--ld-path=" + l.tools.LD.Path,
			"-Wl,-soname=" + soname, "-Wl,--version-script=" + versionMap, "-o", made, source}
		_, err := Run(ctx, Command{Args: args, Log: l.log})
		return made, err
	})
}

// stubSource returns the assembly and the version script of a stub.
func stubSource(versions map[string][]elf.Symbol) (asm, script string) {
	var a, s strings.Builder
	for _, v := range slices.Sorted(maps.Keys(versions)) {
		fmt.Fprintf(&s, "%s { global:", v)
		for _, sym := range versions[v] {
			kind := "function"
			if elf.ST_TYPE(sym.Info) == elf.STT_OBJECT {
				kind = "object"
			}
			fmt.Fprintf(&a, ".globl %[1]s\n.type %[1]s,@%[2]s\n.size %[1]s,%[3]d\n%[1]s:\n", sym.Name, kind, max(sym.Size, 1))
			fmt.Fprintf(&s, " %s;", sym.Name)
		}
		s.WriteString(" };\n")
	}
	a.WriteString(".byte 0\n.section .note.GNU-stack,\"\",@progbits\n")
	return a.String(), s.String()
}

// versionedSymbols returns, by version, the default versions of the symbols that a shared
// object defines in more than one version.
func versionedSymbols(path string) (map[string][]elf.Symbol, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return nil, err
	}
	count := map[string]int{}
	for _, s := range symbols {
		if defines(s) {
			count[s.Name]++
		}
	}
	byVersion := map[string][]elf.Symbol{}
	for _, s := range symbols {
		if defines(s) && count[s.Name] > 1 && s.HasVersion && !s.VersionIndex.IsHidden() && s.Version != "" {
			byVersion[s.Version] = append(byVersion[s.Version], s)
		}
	}
	return byVersion, nil
}

// defines reports whether a symbol is a definition that other objects can see.
func defines(s elf.Symbol) bool {
	bind := elf.ST_BIND(s.Info)
	return s.Section != elf.SHN_UNDEF && s.Section != elf.SHN_ABS && s.Name != "" &&
		(bind == elf.STB_GLOBAL || bind == elf.STB_WEAK) && elf.ST_VISIBILITY(s.Other) != elf.STV_HIDDEN
}

// Symbols returns the names of an object file's symbols, or of a shared object's dynamic ones, sorted: those that it defines
// for others, of which a program may have one each; the weak ones, of which the linker takes any (inline functions and
// templates of C++); and those that it needs from others, weakly or not.
func Symbols(path string) (strong, weak, undefined []string, err error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("symbols of %s: %w", path, err)
	}
	defer f.Close()
	read := f.Symbols
	if f.Type == elf.ET_DYN {
		read = f.DynamicSymbols
	}
	symbols, err := read()
	if err != nil {
		return nil, nil, nil, fmt.Errorf("symbols of %s: %w", path, err)
	}
	for _, s := range symbols {
		switch {
		case defines(s) && elf.ST_BIND(s.Info) == elf.STB_WEAK:
			weak = append(weak, s.Name)
		case defines(s):
			strong = append(strong, s.Name)
		case s.Section == elf.SHN_UNDEF && s.Name != "":
			undefined = append(undefined, s.Name)
		}
	}
	for _, list := range [][]string{strong, weak, undefined} {
		slices.Sort(list)
	}
	return strong, weak, undefined, nil
}

// Archive makes a static library of objects, the same bytes each time. log may be nil.
func (t *Tools) Archive(ctx context.Context, objects []string, out string, log *CommandLog) error {
	if err := os.RemoveAll(out); err != nil { // ar would add to it
		return err
	}
	_, err := Run(ctx, Command{Args: append([]string{t.Ar.Path, "rcsD", out}, objects...), Log: log})
	return err
}

// A LibraryLink is the link of a library under test.
type LibraryLink struct {
	Lang     trial.Language
	Objects  []string
	SONAME   string
	Out      string
	Libs     []string // e.g. -lm
	Flags    []string // further ones of the driver
	Sanitize bool
	// Coverage links the profile runtime and lays the counters out so that a shared file can
	// be mapped over them (counters.go); the objects are compiled with CoverageFlags.
	Coverage bool
}

// LinkLibrary links the shared object of a library with the driver and lld. Symbols that
// are defined nowhere are an error, but for a sanitizer's, which are the executable's.
// log may be nil.
func (t *Tools) LinkLibrary(ctx context.Context, o LibraryLink, log *CommandLog) error {
	driver := t.Clang.Path
	if o.Lang == trial.CXX {
		driver = t.ClangXX.Path
	}
	args := []string{driver, "-shared", "--ld-path=" + t.LLD.Path, "-Wl,-soname=" + o.SONAME, "-o", o.Out}
	if o.Coverage {
		layout, err := t.counterFlags(ctx, filepath.Dir(o.Out), log)
		if err != nil {
			return err
		}
		args = append(append(args, "-fprofile-instr-generate"), layout...)
	}
	if o.Sanitize {
		args = append(args, SanitizeFlags...)
	} else {
		args = append(args, "-Wl,-z,defs")
	}
	args = slices.Concat(args, o.Flags, o.Objects, o.Libs)
	if _, err := Run(ctx, Command{Args: args, Log: log}); err != nil {
		return fmt.Errorf("link %s: %w", o.SONAME, err)
	}
	return nil
}
