package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The directories of a program inside bubblewrap.
const (
	bwrapWork = "/sandbox" // working directory and HOME; no host directory has this name
	bwrapTmp  = "/tmp"
)

// Bwrap confines programs with bubblewrap, for root and for ordinary users.
type Bwrap struct{ base }

// NewBwrap returns the executor. Tools.Bwrap must be there.
func NewBwrap(cfg Config) (*Bwrap, error) {
	if err := cfg.Tools.Bwrap.Require(); err != nil {
		return nil, err
	}
	bwrap, etc := cfg.Tools.Bwrap.Path, newEtc(cfg.Dir)
	return &Bwrap{onThisMachine(cfg, func(ctx context.Context, s setup) (*process, error) { return wrap(ctx, bwrap, etc, s) })}, nil
}

func wrap(ctx context.Context, bwrap string, etc *etc, s setup) (*process, error) {
	uid, gid := s.user()
	files, remove, err := etc.show(uid, gid, bwrapWork)
	if err != nil {
		return nil, err
	}
	args, err := bwrapArgs(s, files)
	if err != nil {
		return nil, errors.Join(err, remove())
	}
	p, err := startProcess(ctx, append([]string{bwrap}, args...), []string{"PATH=/usr/bin:/bin"}, remove)
	if err == nil && !p.isolates {
		// Programs could then signal their runner.
		return nil, errors.Join(errors.New("this machine allows no namespaces inside bubblewrap"), p.close())
	}
	return p, err
}

// bwrapArgs returns bubblewrap's arguments, the runner's command line last.
func bwrapArgs(s setup, etc []shown) ([]string, error) {
	args := []string{"--die-with-parent", "--new-session", "--unshare-pid", "--unshare-net", "--unshare-ipc",
		"--unshare-uts", "--unshare-cgroup-try", "--hostname", "sandbox", "--clearenv"}
	if s.uid < 0 {
		// The runner needs its capabilities to make namespaces; programs lose them.
		args = append(args, "--unshare-user", "--cap-add", "ALL")
	}
	for _, e := range environment(bwrapWork, bwrapTmp, append([]string{zoneVariable}, s.env...)...) {
		name, value, _ := strings.Cut(e, "=")
		args = append(args, "--setenv", name, value)
	}
	system, err := systemDirs()
	if err != nil {
		return nil, err
	}
	args = append(args, system...)
	for _, f := range etc {
		args = append(args, "--ro-bind", f.source, f.target)
	}
	args = append(args, "--proc", "/proc", "--dev", "/dev", "--dir", bwrapWork, "--dir", bwrapTmp, "--ro-bind", s.runner, "/runner")
	args = append(args, parentDirs(slices.Concat(s.readOnly, s.writable))...)
	var below []string
	for _, bind := range []struct {
		option string
		dirs   []string
	}{{"--ro-bind", s.readOnly}, {"--bind", s.writable}} {
		dirs := slices.Clone(bind.dirs)
		slices.Sort(dirs) // what contains others first
		for _, dir := range slices.Compact(dirs) {
			if dir = filepath.Clean(dir); !filepath.IsAbs(dir) || dir == "/" || dir == bwrapTmp || within(dir, bwrapWork) {
				return nil, fmt.Errorf("%s cannot be shown to programs in a sandbox", dir)
			}
			args = append(args, bind.option, dir, dir)
			if within(dir, bwrapTmp) {
				below = append(below, dir)
			}
		}
	}
	if s.at != "" {
		args = append(args, "--bind", s.writable[0], s.at)
	}
	args = append(args, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/")
	args = append(args, "--", "/runner", bwrapWork, bwrapTmp, strconv.Itoa(s.uid))
	return append(args, below...), nil
}

// parentDirs makes the directories above binds passable. bubblewrap makes them for its own
// user only, whom programs are not.
func parentDirs(dirs []string) (args []string) {
	var parents []string
	for _, dir := range dirs {
		for p := filepath.Dir(filepath.Clean(dir)); p != "/" && p != "." && p != bwrapTmp; p = filepath.Dir(p) {
			parents = append(parents, p)
		}
	}
	slices.Sort(parents) // what contains others first
	for _, p := range slices.Compact(parents) {
		args = append(args, "--perms", "0755", "--dir", p)
	}
	return args
}

// within reports whether path is dir or in it.
func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

// systemDirs shows the host's programs and libraries, and nothing else of it.
func systemDirs() ([]string, error) {
	args := []string{"--ro-bind", "/usr", "/usr"}
	for _, dir := range hiddenDirs {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() {
			args = append(args, "--tmpfs", dir, "--remount-ro", dir)
		}
	}
	for _, dir := range []string{"/bin", "/lib", "/lib32", "/lib64", "/sbin"} {
		info, err := os.Lstat(dir)
		switch {
		case os.IsNotExist(err):
		case err != nil:
			return nil, err
		case info.Mode()&os.ModeSymlink != 0:
			target, err := os.Readlink(dir)
			if err != nil {
				return nil, err
			}
			args = append(args, "--symlink", target, dir)
		default:
			args = append(args, "--ro-bind", dir, dir)
		}
	}
	// Without alternatives there is no awk. /etc itself must be passable for programs.
	return append(args, "--perms", "0755", "--dir", "/etc", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
		"--ro-bind-try", "/etc/alternatives", "/etc/alternatives"), nil
}
