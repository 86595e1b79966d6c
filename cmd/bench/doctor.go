package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// A diagnosis is one line of bench doctor.
type diagnosis struct {
	toolchain.Tool
	Fix string `json:"fix,omitempty"` // command that mends it
}

func (a *app) doctorCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is installed, in which version, what is missing and how to get it",
		Long: `Looks for every program that bench calls and prints its version, or what is
missing and the command that installs it. Exits 0 if everything that every
command needs is there, 1 otherwise.`,
		Args: exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			llvm, err := a.llvmDirs()
			if err != nil {
				return err
			}
			tools, missing := toolchain.Find(c.Context(), llvm)
			if c.Context().Err() != nil {
				return c.Context().Err()
			}
			list := append(diagnose(c, tools), a.diagnoseDocker(c.Context()))
			if asJSON {
				if err := a.printJSON(list); err != nil {
					return err
				}
			} else {
				a.printDiagnoses(list)
			}
			// bwrap is what every experiment runs programs in unless it asks for something else.
			if missing != nil || tools.Bwrap.Problem != "" {
				return errors.New("something that bench run needs is missing; scripts/install.sh installs all of it")
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// llvmDirs are the directories that the user wants to be searched first.
func (a *app) llvmDirs() ([]string, error) {
	if a.llvmDir == "" {
		return nil, nil
	}
	if err := checkDir("--llvm", a.llvmDir); err != nil {
		return nil, err
	}
	return []string{a.llvmDir}, nil
}

// checkDir refuses a flag's value that is not a directory.
func checkDir(flag, dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usageError{fmt.Errorf("%s %s: there is no such directory", flag, dir)}
	case err != nil:
		return usageError{fmt.Errorf("%s: %w", flag, err)}
	case !info.IsDir():
		return usageError{fmt.Errorf("%s %s: not a directory", flag, dir)}
	}
	return nil
}

// diagnose adds the fixes, and the check of what no single program shows.
func diagnose(c *cobra.Command, tools *toolchain.Tools) []diagnosis {
	list := []diagnosis{{Tool: toolchain.Tool{Name: "go", Version: runtime.Version(), NeededFor: "building bench"}}}
	for _, t := range tools.Describe() {
		d := diagnosis{Tool: t}
		if t.Problem != "" {
			d.Fix = "apt-get install " + t.Package
		}
		list = append(list, d)
	}
	src := diagnosis{Tool: toolchain.Tool{Name: "deb-src", NeededFor: "the debian edition", Optional: true}}
	if out, err := toolchain.Run(c.Context(), toolchain.Command{Args: []string{"apt-cache", "showsrc", "zlib"}}); err != nil || len(out.Stdout) == 0 {
		src.Problem, src.Fix = "apt sees no source packages", "scripts/install.sh"
	}
	return append(list, src)
}

// diagnoseDocker looks for the daemon and for the toolchain image.
func (a *app) diagnoseDocker(ctx context.Context) diagnosis {
	d := diagnosis{Tool: toolchain.Tool{Name: "docker", NeededFor: "sandbox: docker", Optional: true}}
	box, err := sandbox.NewDocker(ctx, sandbox.Config{}, a.getenv("DOCKER_HOST"))
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

func (a *app) printDiagnoses(list []diagnosis) {
	for _, d := range list {
		mark, what := "ok", strings.TrimSpace(d.Version+"  "+d.Path)
		switch {
		case d.Problem != "" && d.Optional:
			mark, what = "missing (optional)", d.Problem
		case d.Problem != "":
			mark, what = "MISSING", d.Problem
		}
		fmt.Fprintf(a.stdout, "%-14s %-8s %s\n", d.Name, mark, what)
		if d.Fix != "" {
			fmt.Fprintf(a.stdout, "%-14s          needed for %s; get it with: %s\n", "", d.NeededFor, d.Fix)
		}
	}
}

func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
