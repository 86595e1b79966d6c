package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/versions"
	"github.com/docker/docker/client"
)

// ToolchainImage is the image that `make image` builds.
const ToolchainImage = "lisa-bench-toolchain"

const (
	// runnerLabel is the image's label with the hash of the sources of its runners.
	runnerLabel = "lisa-bench.runner"
	// imageRunners is where they are, see Dockerfile.toolchain.
	imageRunners = "/opt/lisa-bench/runner/runner-"
	// oldestAPI is that of Docker 20.10, which Debian 12 has.
	oldestAPI = "1.41"
	// apiGrace is how long the daemon may take for one request, on a machine that is busy.
	apiGrace = 60 * time.Second
)

// A DockerError says why programs cannot be run in containers on this machine.
type DockerError struct {
	Problem string
	Fix     string // a command or a setting
	Err     error  // what the daemon or its client said; may be nil
}

func (e *DockerError) Error() string { return "docker: " + e.Problem + "; mend it with: " + e.Fix }

func (e *DockerError) Unwrap() error { return e.Err }

// Docker confines programs in containers of the toolchain image: a warm one for each runner, and one for each
// stand-alone executable. A container ends with its harness, whose end closes its standard input.
type Docker struct {
	base
	api           *client.Client
	etc           *etc
	image, daemon string
}

// NewDocker connects to the daemon at host (a URL; "" is the usual socket) and looks for the
// toolchain image. What is missing is a *DockerError.
func NewDocker(ctx context.Context, cfg Config, host string) (*Docker, error) {
	options := []client.Opt{client.WithAPIVersionNegotiation()}
	if host != "" {
		options = append(options, client.WithHost(host))
	}
	api, err := client.NewClientWithOpts(options...)
	if err != nil {
		return nil, &DockerError{"DOCKER_HOST: " + err.Error(), "a URL like unix:///var/run/docker.sock", err}
	}
	d := &Docker{api: api, etc: newEtc(cfg.Dir)}
	d.base = base{cfg: cfg, launch: d.launch, locate: func(_ context.Context, f Flavour) (string, error) { return imageRunners + string(f), nil }}
	ctx, cancel := context.WithTimeout(ctx, apiGrace)
	defer cancel()
	if err := d.findDaemon(ctx); err != nil {
		return nil, errors.Join(err, api.Close())
	}
	if err := d.findImage(ctx); err != nil {
		return nil, errors.Join(err, api.Close())
	}
	return d, nil
}

// Image is the image's digest, sha256:….
func (d *Docker) Image() string { return d.image }

// Daemon is the version of the docker daemon.
func (d *Docker) Daemon() string { return d.daemon }

// findDaemon checks that the daemon can do what containers need.
func (d *Docker) findDaemon(ctx context.Context) error {
	ping, err := d.api.Ping(ctx)
	if err != nil {
		return d.explain(err)
	}
	if versions.LessThan(ping.APIVersion, oldestAPI) {
		return &DockerError{fmt.Sprintf("the daemon speaks API version %s, and %s or newer is needed", ping.APIVersion, oldestAPI),
			"Docker 20.10 or newer, which Debian 12 has as docker.io", nil}
	}
	info, err := d.api.Info(ctx)
	if err != nil {
		return d.explain(err)
	}
	d.daemon = info.ServerVersion
	for _, o := range info.SecurityOptions {
		if strings.HasPrefix(o, "name=userns") || strings.HasPrefix(o, "name=rootless") {
			return &DockerError{"the daemon maps user ids (" + o + "), so that programs would not be the users that directories are given to",
				"--sandbox bwrap, or a daemon without", nil}
		}
	}
	return nil
}

// findImage checks that the image is there and has this harness's runners.
func (d *Docker) findImage(ctx context.Context) error {
	src, err := sources()
	if err != nil {
		return err
	}
	image, err := d.api.ImageInspect(ctx, ToolchainImage)
	switch {
	case errdefs.IsNotFound(err):
		return &DockerError{"there is no image " + ToolchainImage, "make image", err}
	case err != nil:
		return d.explain(err)
	case image.Config == nil || image.Config.Labels[runnerLabel] != src.hash():
		return &DockerError{"the image " + ToolchainImage + " was built for another version of bench", "make image", nil}
	}
	d.image = image.ID
	return nil
}

// explain makes one clear line of what the client says when the daemon is not usable.
func (d *Docker) explain(err error) error {
	text := err.Error()
	switch host := d.api.DaemonHost(); {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, fs.ErrPermission) || strings.Contains(text, "permission denied"):
		return &DockerError{"permission denied on " + host, "adduser $USER docker and a new login, or run as root", err}
	case client.IsErrConnectionFailed(err) || errors.Is(err, context.DeadlineExceeded):
		return &DockerError{"no daemon answers at " + host, "systemctl start docker, or as root: dockerd >/tmp/dockerd.log 2>&1 &", err}
	case strings.Contains(text, "client version"): // API version negotiation has no agreement
		return &DockerError{strings.TrimPrefix(text, "Error response from daemon: "), "another version of Docker", err}
	}
	return err
}

// Close ends the connection to the daemon. Runners are closed by who started them.
func (d *Docker) Close() error { return d.api.Close() }
