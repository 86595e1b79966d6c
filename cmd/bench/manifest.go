package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/exttool"
	"github.com/lisa-bench/lisa-bench/internal/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/subject"
	"github.com/lisa-bench/lisa-bench/results"
)

// version is the program's version in manifests and reports.
const version = "0.1.0"

// manifest says what the run is made with.
func (r *execution) manifest(shop *subject.Workshop) results.Manifest {
	m := results.Manifest{
		Schema: results.ManifestSchema, Name: r.exp.Name, Bench: versionString(), Corpus: r.bench.Version, Created: r.now(),
		Seed: r.exp.Seed, Jobs: r.jobs, Host: host(), Tools: map[string]string{}, Sources: map[string]string{},
	}
	for _, t := range shop.Tools.Describe() {
		if t.Version != "" {
			m.Tools[t.Name] = t.Version
		}
	}
	for _, t := range r.exp.Externals() {
		m.Tools["tool "+t.Name] = exttool.NewCommand(exttool.Command{Spec: t}).Version()
	}
	if d, ok := shop.Sandbox.(*sandbox.Docker); ok {
		m.Image, m.Tools["docker"] = d.Image(), d.Daemon()
	}
	for _, l := range r.exp.Subjects() {
		lib, err := r.bench.Library(l.Name)
		if err != nil {
			continue // the experiment was checked against the same benchmark
		}
		m.Sources[l.Name+" "+string(l.Edition)] = pinOf(lib, l.Edition)
	}
	return m
}

// pinOf is the version and hash of a library's source.
func pinOf(lib *lisabench.Library, e lisabench.Edition) string {
	switch {
	case e == lisabench.Debian && lib.Debian != nil:
		return lib.Debian.Package + " " + lib.Debian.Version + " (.dsc SHA-256 " + lib.Debian.DscSHA256 + ")"
	case lib.Upstream != nil:
		return lib.Upstream.Repo + " at " + lib.Upstream.Commit
	}
	return ""
}

// versionString is the version with the commit it was built from, where Go knows it.
func versionString() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return version + " " + s.Value[:min(12, len(s.Value))]
		}
	}
	return version
}

func host() results.Host {
	h := results.Host{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU()}
	if name, err := os.Hostname(); err == nil {
		h.Name = name
	}
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		h.Kernel = unix.ByteSliceToString(u.Release[:])
	}
	cpuinfo, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return h
	}
	for line := range strings.Lines(string(cpuinfo)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			h.CPU = strings.TrimSpace(value)
			break
		}
	}
	return h
}
