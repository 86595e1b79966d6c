package harness

import (
	"context"
	"errors"
	"runtime"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// A Diagnosis says of one program or service whether it is there.
type Diagnosis struct {
	toolchain.Program
	Fix string `json:"fix,omitempty"` // command that mends it
}

// Diagnose looks for everything that a command may need. It reports whether all is there that
// every experiment needs unless it asks for something else.
func (e *Env) Diagnose(ctx context.Context) (list []Diagnosis, sound bool, err error) {
	llvm, err := e.llvmDirs()
	if err != nil {
		return nil, false, err
	}
	tools, missing := toolchain.Find(ctx, llvm)
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	list = []Diagnosis{{Program: toolchain.Program{Name: "go", Version: runtime.Version(), NeededFor: "building bench"}}}
	for _, t := range tools.Describe() {
		d := Diagnosis{Program: t}
		if t.Problem != "" {
			d.Fix = "apt-get install " + t.Package
		}
		list = append(list, d)
	}
	src := Diagnosis{Program: toolchain.Program{Name: "deb-src", NeededFor: "the debian edition", Optional: true}}
	if out, err := toolchain.Run(ctx, toolchain.Command{Args: []string{"apt-cache", "showsrc", "zlib"}}); err != nil || len(out.Stdout) == 0 {
		src.Problem, src.Fix = "apt sees no source packages", "scripts/install.sh"
	}
	return append(list, src, e.diagnoseDocker(ctx)), missing == nil && tools.Bwrap.Problem == "", nil
}

// diagnoseDocker looks for the daemon and for the toolchain image.
func (e *Env) diagnoseDocker(ctx context.Context) Diagnosis {
	d := Diagnosis{Program: toolchain.Program{Name: "docker", NeededFor: "sandbox: docker", Optional: true}}
	box, err := sandbox.NewDocker(ctx, sandbox.Config{}, e.Getenv("DOCKER_HOST"))
	var missing *sandbox.DockerError
	switch {
	case errors.As(err, &missing):
		d.Problem, d.Fix = missing.Problem, missing.Fix
	case err != nil:
		d.Problem = err.Error()
	default:
		d.Version, d.Path = box.Daemon(), sandbox.ToolchainImage+" "+box.Image()
		_ = box.Close() // nothing was started
	}
	return d
}
