package toolchain

import (
	"context"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
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

	begin, end string                     // crtbeginS.o and crtendS.o, which define __dso_handle
	static     []input                    // what a C library has beside its shared part: atexit, 128-bit division
	stubs      map[trial.Language][]input // see makeStub
	cxx        string                     // the stub of the C++ library

}

// An input is a library in a link, or what stands for one.
type input struct {
	path  string
	names map[string]bool // symbols it has; nil if that is not known
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
	l := &Linker{tools: tools, log: log, stubs: map[trial.Language][]input{}}
	if l.begin, err = tools.libraryFile(ctx, "crtbeginS.o"); err != nil {
		return nil, err
	}
	if l.end, err = tools.libraryFile(ctx, "crtendS.o"); err != nil {
		return nil, err
	}
	for _, name := range []string{"libc_nonshared.a", "libgcc.a"} {
		in := input{}
		if in.path, err = tools.libraryFile(ctx, name); err != nil {
			return nil, err
		}
		if in.names, err = archiveSymbols(in.path); err != nil {
			return nil, err
		}
		l.static = append(l.static, in)
	}
	libraries := map[trial.Language][]string{
		trial.C:   {"libc.so.6", "libm.so.6"},
		trial.CXX: {"libstdc++.so.6", "libgcc_s.so.1"},
	}
	for lang, names := range libraries {
		for _, name := range names {
			path, err := tools.libraryFile(ctx, name)
			if err != nil {
				return nil, err
			}
			st, err := l.makeStub(ctx, path, name, dir)
			if err != nil {
				return nil, fmt.Errorf("stub of %s: %w", path, err)
			}
			if len(st.names) > 0 {
				l.stubs[lang] = append(l.stubs[lang], st)
			}
			if name == "libstdc++.so.6" {
				l.cxx = st.path
			}
		}
	}
	// A C++ program has both kinds.
	l.stubs[trial.CXX] = append(l.stubs[trial.CXX], l.stubs[trial.C]...)
	return l, nil
}

// libraryFile returns the path of a library or start file in the first directory that has it of those
// where the compiler looks.
func (t *Tools) libraryFile(ctx context.Context, name string) (string, error) {
	dirs, err := t.searchDirs(ctx)
	if err != nil {
		return "", err
	}
	for _, dir := range dirs {
		if path := filepath.Join(dir, name); isFile(path) {
			return path, nil
		}
	}
	return "", &MissingError{Tool: name, Package: "g++", Why: "the compiler does not find it"}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// searchDirs are the directories in which the compiler looks for libraries. It is asked once: to ask
// for each file costs its start again (18 ms).
func (t *Tools) searchDirs(ctx context.Context) ([]string, error) {
	t.searchMu.Lock()
	defer t.searchMu.Unlock()
	if t.search != nil {
		return t.search, nil
	}
	out, err := Run(ctx, Command{Args: []string{t.Clang.Path, "-print-search-dirs"}, Repeatable: true})
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out.Stdout)) {
		if list, ok := strings.CutPrefix(line, "libraries: ="); ok {
			t.search = filepath.SplitList(strings.TrimSpace(list))
			return t.search, nil
		}
	}
	return nil, fmt.Errorf("%s -print-search-dirs names no libraries: %q", t.Clang.Path, out.Stdout)
}

// LinkShared links one test object into a bare shared object. The library and the C
// library are not linked: their symbols stay undefined until the program is loaded into a
// process that has them. References inside the object are bound there (-Bsymbolic), as in
// an executable. Not bound are those to C++ variables, which a header may define for the library as
// well (inline variables, function statics): all must use one copy. A *CommandError is
// about the object.
func (l *Linker) LinkShared(ctx context.Context, lang trial.Language, object, out string) error {
	symbolic := "-Bsymbolic"
	if lang == trial.CXX {
		symbolic = "-Bsymbolic-functions"
	}
	args := []string{l.tools.LD.Path, "-shared", symbolic, "--eh-frame-hdr", "--hash-style=gnu",
		"-z", "noexecstack", "-z", "relro", "-o", out, l.begin, object, "--as-needed"}
	_, undefined, err := ObjectSymbols(object)
	if err != nil {
		return err
	}
	if lang == trial.CXX && l.cxx != "" { // which a C library does not bring
		args = append(args, "--no-as-needed", l.cxx, "--as-needed")
	}
	for _, in := range slices.Concat(l.stubs[lang], l.static) {
		// One that has nothing for this object would only cost time.
		if in.names == nil || slices.ContainsFunc(undefined, func(name string) bool { return in.names[name] }) {
			args = append(args, in.path)
		}
	}
	return l.run(ctx, append(args, l.end))
}

// linkLimits bound a linker: the object of a hostile program may ask for a huge output.
var linkLimits = Limits{CPU: 30 * time.Second, Memory: 4 << 30, FileSize: 256 << 20}

func (l *Linker) run(ctx context.Context, args []string) error {
	_, err := Run(ctx, Command{Args: args, Limits: linkLimits, Log: l.log, Repeatable: true})
	return err
}

// makeStub makes a shared object with the name and version of each symbol that a library
// has in several versions, and nothing else. An undefined symbol without a version is
// bound to the oldest (realpath of 1998 refuses a null buffer, memcpy tolerates overlaps),
// unlike one in an executable. Linking against the whole C library would give it its
// version as well, at 9 ms instead of 1 for each program. The stub has no names, and no
// file, if the library has no such symbols.
func (l *Linker) makeStub(ctx context.Context, library, soname, dir string) (input, error) {
	versions, err := versionedSymbols(library)
	if err != nil || len(versions) == 0 {
		return input{}, err
	}
	asm, script := stubSource(versions)
	st := input{names: map[string]bool{}}
	for _, symbols := range versions {
		for _, s := range symbols {
			st.names[s.Name] = true
		}
	}
	st.path, err = durable.Kept(dir, digest(asm, script, l.tools.LD.Version)[:16], "-"+soname, func(work string) (string, error) {
		source, versionMap, made := filepath.Join(work, "stub.s"), filepath.Join(work, "stub.map"), filepath.Join(work, "stub.so")
		if err := os.WriteFile(source, []byte(asm), 0o666); err != nil {
			return "", err
		}
		if err := os.WriteFile(versionMap, []byte(script), 0o666); err != nil {
			return "", err
		}
		args := []string{l.tools.Clang.Path, "-shared", "-nostdlib", "--ld-path=" + l.tools.LD.Path,
			"-Wl,-soname=" + soname, "-Wl,--version-script=" + versionMap, "-o", made, source}
		_, err := Run(ctx, Command{Args: args, Log: l.log, Repeatable: true})
		return made, err
	})
	return st, err
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

// archiveSymbols returns the names in the symbol table of a static library. System V's ar
// writes them as a member called "/" of a big-endian count, as many offsets, and the names. It
// returns nil for a file without one.
func archiveSymbols(path string) (map[string]bool, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	const magic, header = "!<arch>\n", 60
	if len(data) < len(magic)+header+4 || !strings.HasPrefix(string(data), magic+"/ ") {
		return nil, nil
	}
	size, err := strconv.Atoi(strings.TrimSpace(string(data[len(magic)+48 : len(magic)+58])))
	table := data[len(magic)+header:]
	if err != nil || size < 4 || size > len(table) {
		return nil, nil
	}
	n := int(binary.BigEndian.Uint32(table))
	if n > (size-4)/4 {
		return nil, nil
	}
	names := map[string]bool{}
	for name := range strings.SplitSeq(string(table[4+4*n:size]), "\x00") {
		names[name] = true
	}
	delete(names, "") // after the last one
	return names, nil
}

// defines reports whether a symbol is a definition that other objects can see.
func defines(s elf.Symbol) bool {
	bind := elf.ST_BIND(s.Info)
	return s.Section != elf.SHN_UNDEF && s.Section != elf.SHN_ABS && s.Name != "" &&
		(bind == elf.STB_GLOBAL || bind == elf.STB_WEAK) && elf.ST_VISIBILITY(s.Other) != elf.STV_HIDDEN
}

// ObjectSymbols returns the names that an object file or shared object defines for others
// and those it needs from others, sorted. Weak references count as needed.
func ObjectSymbols(path string) (defined, undefined []string, err error) {
	symbols, err := symbolsOf(path)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range symbols {
		switch {
		case defines(s):
			defined = append(defined, s.Name)
		case s.Section == elf.SHN_UNDEF && s.Name != "":
			undefined = append(undefined, s.Name)
		}
	}
	sort.Strings(defined)
	sort.Strings(undefined)
	return defined, undefined, nil
}

// Definitions returns the names that an object file or shared object defines for others,
// sorted. They are the strong ones, of which a program may have one each, and the weak ones, of
// which the linker takes any (inline functions and templates of C++).
func Definitions(path string) (strong, weak []string, err error) {
	symbols, err := symbolsOf(path)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range symbols {
		switch {
		case !defines(s):
		case elf.ST_BIND(s.Info) == elf.STB_WEAK:
			weak = append(weak, s.Name)
		default:
			strong = append(strong, s.Name)
		}
	}
	sort.Strings(strong)
	sort.Strings(weak)
	return strong, weak, nil
}

// symbolsOf returns all symbols of an object file and the dynamic ones of a shared object.
func symbolsOf(path string) ([]elf.Symbol, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, fmt.Errorf("symbols of %s: %w", path, err)
	}
	defer f.Close()
	read := f.Symbols
	if f.Type == elf.ET_DYN {
		read = f.DynamicSymbols
	}
	symbols, err := read()
	if err != nil {
		return nil, fmt.Errorf("symbols of %s: %w", path, err)
	}
	return symbols, nil
}

// Archive makes a static library of objects, the same bytes each time. log may be nil.
func (t *Tools) Archive(ctx context.Context, objects []string, out string, log *CommandLog) error {
	if err := os.RemoveAll(out); err != nil { // ar would add to it
		return err
	}
	_, err := Run(ctx, Command{Args: append([]string{t.Ar.Path, "rcsD", out}, objects...), Log: log, Repeatable: true})
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
	if _, err := Run(ctx, Command{Args: args, Log: log, Repeatable: true}); err != nil {
		return fmt.Errorf("link %s: %w", o.SONAME, err)
	}
	return nil
}
