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

// A hashError is a fetched file that is not the pinned one.
type hashError struct {
	File       string
	Want, Have string // SHA-256
}

func (e *hashError) Error() string {
	return fmt.Sprintf("%s has SHA-256 %s, not the pinned %s: the archive has changed, or the download is damaged; nothing was used of it",
		e.File, e.Have, e.Want)
}

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

// download returns the path of the pinned .dsc, with the files it names beside it, all
// checked.
func (s *Store) download(ctx context.Context, pin *lisabench.DebianPin) (dsc string, err error) {
	final := filepath.Join(s.dir, "downloads", pin.DscSHA256)
	unlock, err := s.lock(ctx, "download-"+pin.DscSHA256[:24])
	if err != nil {
		return "", err
	}
	defer unlock()
	if dsc, err := verified(final, pin); err == nil {
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
	if _, err := verified(tmp, pin); err != nil {
		return "", err
	}
	// What is in the way did not verify.
	if err := os.RemoveAll(final); err != nil {
		return "", err
	}
	if err := os.Rename(tmp, final); err != nil {
		return "", err
	}
	return verified(final, pin)
}

// verified checks a download directory and returns its .dsc.
func verified(dir string, pin *lisabench.DebianPin) (string, error) {
	found, err := filepath.Glob(filepath.Join(dir, "*.dsc"))
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%s holds %d .dsc files, not one", dir, len(found))
	}
	if err := checkHash(found[0], pin.DscSHA256); err != nil {
		return "", err
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		return "", err
	}
	files := parseDsc(string(text))
	if len(files) == 0 {
		return "", fmt.Errorf("%s names no files", found[0])
	}
	for _, f := range files {
		if err := checkHash(filepath.Join(dir, f.name), f.sha256); err != nil {
			return "", err
		}
	}
	return found[0], nil
}

// A dscFile is an entry of a .dsc's Checksums-Sha256.
type dscFile struct{ name, sha256 string }

// parseDsc returns the files that a .dsc lists (deb-src-control(5)): indented lines of
// hash, size and name after the field's own line. Names with a slash are left out.
func parseDsc(text string) []dscFile {
	var files []dscFile
	inside := false
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, " ") {
			inside = strings.HasPrefix(line, "Checksums-Sha256:")
			continue
		}
		if f := strings.Fields(line); inside && len(f) == 3 && !strings.ContainsRune(f[2], '/') {
			files = append(files, dscFile{name: f[2], sha256: f[0]})
		}
	}
	return files
}

func checkHash(file, want string) error {
	have, err := durable.FileSum(file)
	if err != nil {
		return err
	}
	if have != want {
		return &hashError{File: filepath.Base(file), Want: want, Have: have}
	}
	return nil
}

// explainApt adds to apt's words what can be done.
func (s *Store) explainApt(ctx context.Context, pin *lisabench.DebianPin, err error) error {
	var missing *toolchain.MissingError
	if errors.As(err, &missing) || ctx.Err() != nil {
		return err
	}
	out, _ := s.run(ctx, "", "apt-cache", "showsrc", pin.Package)
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
	args := []string{"dpkg-source", "--no-check"}
	if omit != "" {
		args = append(args, "--skip-patches")
	}
	if _, err := s.run(ctx, "", append(args, "-x", dsc, dir)...); err != nil {
		return err
	}
	if omit != "" {
		if err := s.applyPatches(ctx, dir, omit); err != nil {
			return err
		}
	}
	for _, packaging := range []string{"debian", ".pc"} {
		if err := os.RemoveAll(filepath.Join(dir, packaging)); err != nil {
			return err
		}
	}
	return nil
}

// applyPatches applies the package's series without omit, as dpkg-source would: no fuzz.
func (s *Store) applyPatches(ctx context.Context, dir, omit string) error {
	patches := filepath.Join(dir, "debian", "patches")
	series, err := os.ReadFile(filepath.Join(patches, "series"))
	if err != nil {
		return err
	}
	names := parseSeries(string(series))
	if !slices.Contains(names, omit) {
		return lisabench.NewUnknownError("patch", omit, names)
	}
	for _, name := range names {
		if name == omit {
			continue
		}
		args := []string{"patch", "-p1", "-F0", "-N", "-s", "-E", "--no-backup-if-mismatch", "-i", filepath.Join(patches, name)}
		if _, err := s.run(ctx, dir, args...); err != nil {
			return fmt.Errorf("without %s, patch %s does not apply: %w", omit, name, err)
		}
	}
	return nil
}

// parseSeries returns the names in a quilt series file, without comments and options.
func parseSeries(text string) []string {
	var names []string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		if f := strings.Fields(line); len(f) > 0 {
			names = append(names, f[0])
		}
	}
	return names
}
