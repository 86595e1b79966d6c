package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// fakeDaemon answers the requests of NewDocker: with an API version, with security options
// and with the image's label ("" for no image). It returns the daemon's URL.
func fakeDaemon(t *testing.T, version, option, label string) string {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "docker.sock")
	l, err := net.Listen("unix", socket)
	assert.NilError(t, err)
	answer := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Api-Version", version)
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.HasSuffix(r.URL.Path, "/_ping"):
		case strings.HasSuffix(r.URL.Path, "/info"):
			fmt.Fprintf(w, `{"ServerVersion": "20.10", "SecurityOptions": ["name=seccomp,profile=default"%s]}`, option)
		case label == "":
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"message": "No such image"}`)
		default:
			fmt.Fprintf(w, `{"Id": "sha256:1234", "Config": {"Labels": {%q: %q}}}`, runnerLabel, label)
		}
	}
	server := &http.Server{Handler: http.HandlerFunc(answer)}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return "unix://" + socket
}

func TestDockerErrors(t *testing.T) {
	src, err := sources()
	assert.NilError(t, err)
	cases := []struct{ name, host, want string }{
		{"no daemon", "unix://" + filepath.Join(t.TempDir(), "none"), "no daemon answers"},
		{"not a URL", "nonsense", "DOCKER_HOST"},
		{"an old daemon", fakeDaemon(t, "1.30", "", ""), "speaks API version 1.30, and 1.41"},
		{"user namespaces", fakeDaemon(t, "1.41", `, "name=userns"`, ""), "maps user ids"},
		{"no image", fakeDaemon(t, "1.41", "", ""), "there is no image lisa-bench-toolchain; mend it with: make image"},
		{"another image", fakeDaemon(t, "1.41", "", "0000"), "another version of bench; mend it with: make image"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := NewDocker(t.Context(), Config{}, c.host)
			var missing *DockerError
			if !errors.As(err, &missing) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q, want one line with %q", err, c.want)
			}
		})
	}
	d, err := NewDocker(t.Context(), Config{}, fakeDaemon(t, "1.41", "", src.hash()))
	assert.Check(t, err == nil && d.Image() == "sha256:1234" && d.Daemon() == "20.10", "%v, error %v", d, err)
}

func TestDockerPermissionDenied(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may connect to every socket; TestOrdinaryUser runs this")
	}
	host := fakeDaemon(t, "1.41", "", "")
	assert.NilError(t, os.Chmod(strings.TrimPrefix(host, "unix://"), 0))
	if _, err := NewDocker(t.Context(), Config{}, host); err == nil || !strings.Contains(err.Error(), "permission denied on unix://") {
		t.Errorf("error %v", err)
	}
}

// containersOf returns the ids of this process's containers.
func containersOf(t *testing.T, d *Docker) (ids []string) {
	t.Helper()
	list, err := d.api.ContainerList(context.WithoutCancel(t.Context()), container.ListOptions{All: true,
		Filters: filters.NewArgs(filters.Arg("label", fmt.Sprintf("lisa-bench.harness=%d", os.Getpid())))})
	assert.NilError(t, err)
	for _, c := range list {
		ids = append(ids, c.ID)
	}
	return ids
}

// TestDockerExecLeavesNoContainer shows that a command's container ends with it.
func TestDockerExecLeavesNoContainer(t *testing.T) {
	w := newWorkshop(t)
	d := w.executor(t, "docker").(*Docker)
	object, _ := w.program(t, "test.c", good)
	for _, env := range [][]string{nil, {"NAME=value"}} {
		v, err := d.Exec(t.Context(), Command{Args: []string{w.executable(t, object)}, Limits: testLimits, Env: env})
		assert.Check(t, err == nil && Classify(v).Outcome == trial.OK, "%+v, error %v", v, err)
	}
	if left := containersOf(t, d); len(left) != 0 {
		t.Errorf("containers left: %q", left)
	}
}

// TestContainerIsConfined reads back what the daemon was told.
func TestContainerIsConfined(t *testing.T) {
	w := newWorkshop(t)
	d := w.executor(t, "docker").(*Docker)
	r := start(t, d, Plain)
	info, err := d.api.ContainerInspect(t.Context(), r.(*warmRunner).plain.body.(*box).id)
	assert.NilError(t, err)
	h := info.HostConfig
	if !h.ReadonlyRootfs || h.NetworkMode != "none" || h.Privileged || len(h.CapAdd) > 0 || len(h.CapDrop) != 1 || h.CapDrop[0] != "ALL" ||
		len(h.SecurityOpt) != 1 || h.SecurityOpt[0] != "no-new-privileges" || h.PidsLimit == nil || *h.PidsLimit != int64(testLimits.Processes+runnerProcesses) ||
		h.Memory != testLimits.MemoryBytes+2*roomBytes+runnerBytes || info.Image != d.Image() || info.Config.User == "" || strings.HasPrefix(info.Config.User, "0:") {
		t.Errorf("%+v, user %q, image %s", h, info.Config.User, info.Image)
	}
	v := run(t, r, w.job(t, `int main(void) {
		FILE *f = fopen("/proc/self/status", "r");
		for (char line[256]; fgets(line, sizeof line, f);) if (!strncmp(line, "Cap", 3) || !strncmp(line, "NoNewPrivs", 10) || !strncmp(line, "Seccomp:", 8)) fputs(line, stdout);
		return 0;
	}`))
	none := "0000000000000000\n"
	want := "CapInh:\t" + none + "CapPrm:\t" + none + "CapEff:\t" + none + "CapBnd:\t" + none + "CapAmb:\t" + none + "NoNewPrivs:\t1\nSeccomp:\t2\n"
	assert.Check(t, string(v.Stdout) == want, "a program's status is %q", v.Stdout)
}

// TestContainerEndsWithItsHarness closes the connection as the end of this process would.
func TestContainerEndsWithItsHarness(t *testing.T) {
	w := newWorkshop(t)
	d := w.executor(t, "docker").(*Docker)
	r, err := d.Start(t.Context(), Plain)
	assert.NilError(t, err)
	assert.NilError(t, r.(*warmRunner).plain.body.(*box).stream.Conn.Close())
	for began := time.Now(); len(containersOf(t, d)) > 0; time.Sleep(20 * time.Millisecond) {
		assert.Assert(t, time.Since(began) <= grace, "the container goes on without its harness")
	}
	_ = r.Close() // the connection is closed already
}
