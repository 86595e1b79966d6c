package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/mount"
	"github.com/docker/docker/client"
	"github.com/docker/docker/pkg/stdcopy"
)

// The directories of programs in a container. The work directory is made anew for each
// program in the room, which, like the directory for temporary files, belongs to root.
const (
	dockerRoom = "/sandbox"
	dockerWork = dockerRoom + "/work"
	dockerTmp  = "/tmp"
)

const (
	// roomOptions are those of a file system in memory, as mount_tmpfs of confine.c has them.
	// The sticky bit keeps programs from renaming what leads to the directories they read.
	roomOptions = "rw,exec,nosuid,nodev,size=128m,nr_inodes=65536,mode=1777"
	roomBytes   = 128 << 20
	// runnerBytes is for the runner and what the kernel charges for: pipes, page tables.
	runnerBytes = 256 << 20
	// runnerProcesses are the runner's, as in limit_resources of confine.c.
	runnerProcesses = 4
	// sanitizerFactor is how much more memory programs take with ASan: 3.4 times on average
	// (Serebryany et al., AddressSanitizer, USENIX ATC 2012, section 5.1).
	sanitizerFactor = 4
)

// launch starts a container with a runner in it.
func (d *Docker) launch(ctx context.Context, s setup) (*process, error) {
	uid, gid := s.user()
	files, remove, err := d.etc.show(uid, gid, dockerWork)
	if err != nil {
		return nil, err
	}
	p, err := d.start(ctx, s, files)
	if err != nil {
		return nil, errors.Join(err, remove())
	}
	p.cleanup = remove
	return p, nil
}

func (d *Docker) start(ctx context.Context, s setup, etc []shown) (*process, error) {
	host, err := d.hostConfig(s, etc)
	if err != nil {
		return nil, err
	}
	uid, gid := s.user()
	command := []string{"/usr/bin/env", "-i"} // the daemon would add variables
	command = append(command, environment(dockerWork, dockerTmp, append([]string{zoneVariable}, s.env...)...)...)
	command = append(command, s.runner, "-c", dockerWork, dockerTmp, strconv.Itoa(s.uid))
	// A request that is broken off may leave a container behind: these are not.
	api, cancel := context.WithTimeout(context.WithoutCancel(ctx), apiGrace)
	defer cancel()
	created, err := d.api.ContainerCreate(api, &container.Config{
		Image: d.image, Entrypoint: command, User: fmt.Sprintf("%d:%d", uid, gid), WorkingDir: "/", Hostname: "sandbox",
		AttachStdin: true, AttachStdout: true, AttachStderr: true, OpenStdin: true, StdinOnce: true,
		Labels: map[string]string{"lisa-bench.harness": strconv.Itoa(os.Getpid())},
	}, host, nil, nil, "")
	if err != nil {
		return nil, d.explain(err)
	}
	c := &box{api: d.api, id: created.ID}
	if c.stream, err = d.api.ContainerAttach(api, c.id, container.AttachOptions{Stream: true, Stdin: true, Stdout: true, Stderr: true}); err != nil {
		return nil, errors.Join(d.explain(err), c.remove())
	}
	if err := d.api.ContainerStart(api, c.id, container.StartOptions{}); err != nil {
		c.stream.Close()
		return nil, errors.Join(d.explain(err), c.remove())
	}
	replies, output := io.Pipe()
	words := new(said)
	go func() {
		_, err := stdcopy.StdCopy(output, words, c.stream.Reader)
		_ = output.CloseWithError(err) // never fails; nil is EOF
	}()
	p := &process{body: c, jobs: boxInput{c}, replies: replies, said: words, cleanup: func() error { return nil }}
	return p.greet(ctx)
}

// hostConfig is the container's place: no privileges, no network, nothing to write but two
// directories in memory, and limits for all its processes together.
func (d *Docker) hostConfig(s setup, etc []shown) (*container.HostConfig, error) {
	mounts, err := bindMounts(s)
	if err != nil {
		return nil, err
	}
	for _, f := range etc {
		mounts = append(mounts, readOnlyMount(f.source, f.target))
	}
	no := false
	h := &container.HostConfig{
		AutoRemove: true, Init: &no, NetworkMode: "none", IpcMode: "none", // none: no /dev/shm
		ReadonlyRootfs: true, CapDrop: []string{"ALL"}, SecurityOpt: []string{"no-new-privileges"},
		Tmpfs:  map[string]string{dockerRoom: roomOptions, dockerTmp: roomOptions},
		Mounts: mounts,
		// As limit_ipc of confine.c.
		Sysctls: map[string]string{"kernel.shmall": "16384", "kernel.msgmni": "64", "kernel.sem": "250 4000 100 64"},
		// Docker's own list, and what else tells of the host.
		MaskedPaths: slices.Concat([]string{"/proc/asound", "/proc/acpi", "/proc/interrupts", "/proc/kcore", "/proc/keys", "/proc/latency_stats",
			"/proc/timer_list", "/proc/timer_stats", "/proc/sched_debug", "/proc/scsi", "/sys", "/etc/resolv.conf"}, hiddenDirs),
		ReadonlyPaths: []string{"/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"},
		LogConfig:     container.LogConfig{Type: "none"}, // replies are not for the daemon's disk
	}
	h.Ulimits = []*container.Ulimit{{Name: "core"}}
	if n := s.limits.Processes; n > 0 {
		pids := int64(n + runnerProcesses)
		h.PidsLimit = &pids
	}
	if m := max(s.limits.MemoryBytes, s.limits.ResidentBytes); m > 0 {
		if s.flavour == Sanitized {
			m *= sanitizerFactor
		}
		h.Memory = m + 2*roomBytes + runnerBytes
		h.MemorySwap = h.Memory // no swap besides
	}
	return h, nil
}

// bindMounts shows directories of the host at their own paths, and the first writable one also at s.at.
func bindMounts(s setup) (list []mount.Mount, err error) {
	for i, dirs := range [][]string{s.writable, s.readOnly} { // writable ones win
		for _, dir := range dirs {
			if dir = filepath.Clean(dir); !filepath.IsAbs(dir) || dir == "/" || dir == dockerTmp || within(dir, dockerRoom) {
				return nil, fmt.Errorf("%s cannot be shown to programs in a container", dir)
			}
			if !slices.ContainsFunc(list, func(m mount.Mount) bool { return m.Target == dir }) {
				m := readOnlyMount(dir, dir)
				m.ReadOnly = i == 1
				list = append(list, m)
			}
		}
	}
	if s.at != "" {
		m := readOnlyMount(filepath.Clean(s.writable[0]), s.at)
		m.ReadOnly = false
		list = append(list, m)
	}
	return list, nil
}

func readOnlyMount(source, target string) mount.Mount {
	return mount.Mount{Type: mount.TypeBind, Source: source, Target: target, ReadOnly: true,
		BindOptions: &mount.BindOptions{Propagation: mount.PropagationRPrivate}}
}

// A box is a body that is a container.
type box struct {
	api    *client.Client
	id     string
	stream types.HijackedResponse
}

// boxInput is a container's standard input.
type boxInput struct{ *box }

func (i boxInput) Write(b []byte) (int, error) { return i.stream.Conn.Write(b) }

func (i boxInput) Close() error { return i.stream.CloseWrite() }

func (c *box) kill() {
	ctx, cancel := context.WithTimeout(context.Background(), killGrace+pipeGrace)
	defer cancel()
	_ = c.api.ContainerKill(ctx, c.id, "KILL") // gone already, or wait says what is wrong
	c.stream.Close()                           // ends who reads from it, even if the daemon does not answer
}

func (c *box) wait() error {
	defer c.stream.Close()
	ctx, cancel := context.WithTimeout(context.Background(), apiGrace)
	defer cancel()
	removed, errs := c.api.ContainerWait(ctx, c.id, container.WaitConditionRemoved)
	select {
	case <-removed:
		return nil
	case err := <-errs:
		if errdefs.IsNotFound(err) {
			return nil
		}
		return errors.Join(fmt.Errorf("end of container %.12s: %w", c.id, err), c.remove())
	}
}

// remove removes a container that did not start or does not end.
func (c *box) remove() error {
	ctx, cancel := context.WithTimeout(context.Background(), apiGrace)
	defer cancel()
	err := c.api.ContainerRemove(ctx, c.id, container.RemoveOptions{Force: true})
	if errdefs.IsNotFound(err) || errdefs.IsConflict(err) { // being removed already
		return nil
	}
	return err
}
