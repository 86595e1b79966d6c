package toolchain

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// A Box is a place for one compiler process that reads text which nobody here wrote. It is bubblewrap with the
// toolchain, the system's headers and libraries, and the named paths, each at its own path. Nothing else of the
// host is there: no /proc, device, network or capability. It costs 4 ms of CPU time a process,
// not a program: a batch is one process.
type Box struct {
	// ReadOnly and Writable are files and directories. Those that do not exist are left out.
	ReadOnly, Writable []string

	bwrap  string   // path
	system []string // bubblewrap's arguments for what every box shows
}

// Box returns a box that shows these paths, or nil where there is no bubblewrap: a command then runs
// as the harness itself.
func (t *Tools) Box(readOnly, writable []string) (*Box, error) {
	if t.Bwrap.Require() != nil {
		return nil, nil
	}
	t.boxOnce.Do(func() { t.boxSystem, t.boxErr = t.systemArgs() })
	return &Box{ReadOnly: readOnly, Writable: writable, bwrap: t.Bwrap.Path, system: t.boxSystem}, t.boxErr
}

// systemArgs are bubblewrap's arguments for what every box shows.
func (t *Tools) systemArgs() ([]string, error) {
	args := []string{"--die-with-parent", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL", "--ro-bind", "/usr", "/usr"}
	for _, dir := range []string{"/usr/share", "/usr/src"} { // documents and sources: their changelogs name bugs
		if isDir(dir) {
			args = append(args, "--tmpfs", dir)
		}
	}
	for _, dir := range []string{"/bin", "/lib", "/lib32", "/lib64", "/libx32"} {
		if target, err := os.Readlink(dir); err == nil {
			args = append(args, "--symlink", target, dir)
		} else if isDir(dir) {
			args = append(args, "--ro-bind", dir, dir)
		}
	}
	// What is called /usr/bin/clang may lead into /opt.
	for _, p := range []Program{t.Clang, t.ClangXX, t.LLD, t.LD} {
		path, err := filepath.EvalSymlinks(p.Path)
		if err != nil {
			return nil, err
		}
		if root := filepath.Dir(filepath.Dir(path)); !strings.HasPrefix(root+"/", "/usr/") && root != "/" {
			args = append(args, "--ro-bind", root, root)
		}
	}
	return append(args, "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache", "--tmpfs", "/tmp"), nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// args returns bubblewrap's arguments but for the command.
func (b *Box) args(dir string) []string {
	args := slices.Clone(b.system)
	for _, bind := range []struct {
		option string
		paths  []string
	}{{"--ro-bind-try", b.ReadOnly}, {"--bind", b.Writable}} {
		paths := slices.Clone(bind.paths)
		slices.Sort(paths) // what contains others first
		for _, p := range slices.Compact(paths) {
			args = append(args, bind.option, p, p)
		}
	}
	args = append(args, "--remount-ro", "/")
	if dir != "" {
		args = append(args, "--chdir", dir)
	}
	return args
}

// enter makes cmd the same command in the box, and returns what lets it go. Bubblewrap waits for its
// arguments, so that the process has its limits before it starts another.
func (b *Box) enter(cmd *exec.Cmd) (release func() error, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	text := strings.Join(b.args(cmd.Dir), "\x00") + "\x00"
	cmd.Args = slices.Concat([]string{b.bwrap, "--args", "3", "--", cmd.Path}, cmd.Args[1:])
	cmd.Path, cmd.Dir, cmd.ExtraFiles = b.bwrap, "/", []*os.File{r}
	return func() error {
		_, err := w.WriteString(text)
		if errors.Is(err, syscall.EPIPE) {
			err = nil // it has ended, which says why
		}
		return errors.Join(err, w.Close(), r.Close())
	}, nil
}

// trouble returns what bubblewrap itself could not do. Nothing that a compiler says begins like that.
func (b *Box) trouble(stderr []byte) error {
	if b == nil || !bytes.HasPrefix(stderr, []byte("bwrap: ")) {
		return nil
	}
	line, _, _ := bytes.Cut(stderr, []byte("\n"))
	return fmt.Errorf("the compiler cannot be confined: %s", line)
}

// maxDiagnostics is the most that is kept of what the compiler says about one program, in bytes:
// the first and the last half of it. It goes into records, reports and prompts.
const maxDiagnostics = 64 << 10

// Shortened returns what a compiler said about a program, cut to 64 KiB.
func Shortened(text string) string {
	if len(text) <= maxDiagnostics {
		return text
	}
	const half = maxDiagnostics / 2
	return strings.ToValidUTF8(fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", text[:half], len(text)-maxDiagnostics, text[len(text)-half:]), "")
}
