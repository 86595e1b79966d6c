package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// debian returns the package with its patches but for omit, and with the edition's backports but for a fresh bug's.
func (s *Store) debian(ctx context.Context, lib *lisabench.Library, ed lisabench.Edition, omit, bug string) (Tree, error) {
	pin := *lib.Debian
	pin.Backports = lib.BackportsIn(ed, bug)
	return s.make(ctx, keyOf("debian", pin, omit), func(dir string) error {
		dsc, err := s.download(ctx, &pin)
		if err != nil {
			return err
		}
		if err := s.unpack(ctx, dsc, dir, omit); err != nil {
			return err
		}
		for _, b := range pin.Backports {
			if err := applyEdits(dir, b.Edits); err != nil {
				return fmt.Errorf("backport of the fix of %s: %w", b.Bug, err)
			}
		}
		return nil
	})
}

// download returns the path of the pinned .dsc, with the files that it names beside it. Their hashes are in it, and
// dpkg-source checks them.
func (s *Store) download(ctx context.Context, pin *lisabench.DebianPin) (dsc string, err error) {
	final := filepath.Join(s.dir, "downloads", pin.DscSHA256)
	unlock, err := s.lock(ctx, "download-"+pin.DscSHA256[:24])
	if err != nil {
		return "", err
	}
	defer unlock()
	if dsc, err := pinned(final, pin); err == nil {
		return dsc, nil
	}
	tmp, err := s.tempDir("downloads", pin.DscSHA256[:24])
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	if _, err := s.run(ctx, tmp, "apt-get", "source", "--download-only", pin.Package+"="+pin.Version); err != nil {
		return "", s.explainApt(ctx, pin, err)
	}
	if _, err := pinned(tmp, pin); err != nil {
		return "", err
	}
	if err := errors.Join(os.RemoveAll(final), os.Rename(tmp, final)); err != nil { // what is in the way is damaged
		return "", err
	}
	return pinned(final, pin)
}

// pinned returns the .dsc in a directory if it is the pinned one.
func pinned(dir string, pin *lisabench.DebianPin) (string, error) {
	found, err := filepath.Glob(filepath.Join(dir, "*.dsc"))
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("%s holds %d .dsc files, not one", dir, len(found))
	}
	have, err := durable.FileSum(found[0])
	if err == nil && have != pin.DscSHA256 {
		err = fmt.Errorf("%s has SHA-256 %s, not the pinned %s: the archive has changed, or the download is damaged; nothing was used of it",
			filepath.Base(found[0]), have, pin.DscSHA256)
	}
	return found[0], err
}

// explainApt adds to apt's words what can be done.
func (s *Store) explainApt(ctx context.Context, pin *lisabench.DebianPin, err error) error {
	var missing *toolchain.MissingError
	if errors.As(err, &missing) || ctx.Err() != nil {
		return err
	}
	out, _ := s.run(ctx, "", "apt-cache", "showsrc", pin.Package) // no output says enough
	var versions []string
	for line := range strings.Lines(string(out)) {
		if v, ok := strings.CutPrefix(line, "Version: "); ok && !slices.Contains(versions, strings.TrimSpace(v)) {
			versions = append(versions, strings.TrimSpace(v))
		}
	}
	switch {
	case len(versions) == 0:
		return fmt.Errorf("apt knows no source package %s: run scripts/install.sh, which adds the deb-src entries and updates the lists: %w", pin.Package, err)
	case !slices.Contains(versions, pin.Version):
		return fmt.Errorf("version %s of %s is not in the archive any more, which has %s: pin one of them in library.yaml, or add an archive that keeps old versions to apt: %w",
			pin.Version, pin.Package, strings.Join(versions, ", "), err)
	}
	return fmt.Errorf("apt could not fetch %s %s (is the network there? try apt-get update): %w", pin.Package, pin.Version, err)
}

// unpack unpacks a source package into the empty directory dir and leaves out the patch
// omit. What packaging leaves in the tree is removed: its patches describe the bugs.
func (s *Store) unpack(ctx context.Context, dsc, dir, omit string) error {
	if err := os.Remove(dir); err != nil { // dpkg-source wants to make it itself
		return err
	}
	args := []string{"dpkg-source", "-x"}
	if omit != "" {
		args = append(args, "--skip-patches")
	}
	if _, err := s.run(ctx, "", append(args, dsc, dir)...); err != nil {
		return err
	}
	if omit != "" {
		series := lisabench.Edit{File: "debian/patches/series", Anchor: omit + "\n"}
		if err := applyEdits(dir, []lisabench.Edit{series}); err != nil {
			return err
		}
		if _, err := s.run(ctx, dir, "dpkg-source", "--before-build", "."); err != nil {
			return fmt.Errorf("without %s, another patch does not apply: %w", omit, err)
		}
	}
	return errors.Join(os.RemoveAll(filepath.Join(dir, "debian")), os.RemoveAll(filepath.Join(dir, ".pc")))
}
