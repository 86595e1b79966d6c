package libbuild

import (
	"context"
	"os"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// link makes the archive and the shared object of build and, for a coverage build, the
// template of its profile.
func (b *Builder) link(ctx context.Context, r Request, recipe lisabench.Recipe, objects []string, build *Build, log *toolchain.CommandLog) error {
	if err := b.tools.Archive(ctx, objects, build.StaticLib, log); err != nil {
		return err
	}
	if err := b.tools.LinkLibrary(ctx, toolchain.LibraryLink{
		Lang: r.Library.Language, Objects: objects, SONAME: recipe.SONAME, Out: build.SharedLib, Libs: recipe.Link,
		Sanitize: r.Variant == Sanitizer || r.Variant == Fuzzer, Coverage: r.Variant == Coverage,
	}, log); err != nil {
		return err
	}
	if r.Variant != Coverage {
		return nil
	}
	var err error
	if build.CountersAt, build.Counters, err = toolchain.CounterRange(build.SharedLib); err != nil {
		return err
	}
	work, err := os.MkdirTemp(build.Dir, ".profile-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	profile, err := b.tools.Profile(ctx, build.SharedLib, work, log)
	if err != nil {
		return err
	}
	return os.WriteFile(build.Profile, profile, 0o644)
}
