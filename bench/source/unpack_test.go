package source

import (
	"archive/tar"
	"compress/gzip"
	"crypto/md5"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// TestArchivesStayInside unpacks source packages that try to write beside the tree. What of them
// is unpacked, if anything, lies in it.
func TestArchivesStayInside(t *testing.T) {
	file := func(name string) tar.Header { return tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644} }
	link := func(name, to string) tar.Header {
		return tar.Header{Name: name, Typeflag: tar.TypeSymlink, Linkname: to, Mode: 0o777}
	}
	for _, tt := range []struct {
		name    string
		members []tar.Header
	}{
		{"harmless", []tar.Header{file("evil-1.0/harmless.c")}},
		{"parent", []tar.Header{file("evil-1.0/../../outside")}},
		{"bare parent", []tar.Header{file("../outside")}},
		{"absolute", []tar.Header{file("ROOT/outside")}},
		{"link to the parent", []tar.Header{link("evil-1.0/up", "../.."), file("evil-1.0/up/outside")}},
		{"absolute link", []tar.Header{link("evil-1.0/up", "ROOT"), file("evil-1.0/up/outside")}},
		{"link that is then a file", []tar.Header{link("evil-1.0/a.c", "../../outside"), file("evil-1.0/a.c")}},
		{"link where dpkg-source writes", []tar.Header{link("evil-1.0/debian/source", "ROOT")}},
		{"hard link", []tar.Header{{Name: "evil-1.0/a.c", Typeflag: tar.TypeLink, Linkname: "../victim"}, file("evil-1.0/a.c")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			victim := filepath.Join(root, "victim")
			assert.NilError(t, os.WriteFile(victim, []byte("untouched"), 0o644))
			work := filepath.Join(root, "package")
			dsc := sourcePackage(t, work, root, tt.members)
			trees := filepath.Join(root, "trees")
			dir := filepath.Join(trees, ".tmp-x")
			assert.NilError(t, os.MkdirAll(dir, 0o755))
			err := newStore(t).unpack(t.Context(), dsc, dir, "")
			t.Logf("unpack: %v", err)
			if _, found := os.Stat(filepath.Join(dir, "harmless.c")); tt.name == "harmless" && (err != nil || found != nil) {
				t.Errorf("not unpacked: %v, %v", err, found)
			}
			if text, err := os.ReadFile(victim); err != nil || string(text) != "untouched" {
				t.Errorf("a file outside is %q, %v", text, err)
			}
			walk := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
				if err == nil && (d.Name() == "outside" || d.Name() == "format") && !strings.HasPrefix(path, dir+"/") {
					t.Errorf("%s was written", path)
				}
				return err
			})
			if walk != nil {
				t.Fatal(walk)
			}
		})
	}
}

// sourcePackage writes a native source package with these members, of which regular files have
// some text, and returns its .dsc. ROOT stands for a directory.
func sourcePackage(t *testing.T, dir, root string, members []tar.Header) (dsc string) {
	t.Helper()
	assert.NilError(t, os.MkdirAll(dir, 0o755))
	archive := filepath.Join(dir, "evil_1.0.tar.gz")
	f, err := os.Create(archive)
	assert.NilError(t, err)
	defer f.Close()
	zip := gzip.NewWriter(f)
	out := tar.NewWriter(zip)
	const text = "overwritten"
	for _, name := range []string{"evil-1.0/debian/", "evil-1.0/"} { // dpkg-source writes debian/source/format itself
		members = append([]tar.Header{{Name: name, Typeflag: tar.TypeDir, Mode: 0o755}}, members...)
	}
	if !slices.ContainsFunc(members, func(h tar.Header) bool { return h.Name == "evil-1.0/debian/source" }) {
		members = append(members, tar.Header{Name: "evil-1.0/debian/source/", Typeflag: tar.TypeDir, Mode: 0o755})
	}
	for _, h := range members {
		h.Name, h.Linkname = strings.Replace(h.Name, "ROOT", root, 1), strings.Replace(h.Linkname, "ROOT", root, 1)
		if h.Typeflag == tar.TypeReg {
			h.Size = int64(len(text))
		}
		assert.NilError(t, out.WriteHeader(&h))
		if h.Typeflag == tar.TypeReg {
			if _, err := out.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []interface{ Close() error }{out, zip} {
		assert.NilError(t, c.Close())
	}
	read := func(path string) []byte {
		data, err := os.ReadFile(path)
		assert.NilError(t, err)
		return data
	}
	dsc = filepath.Join(dir, "evil_1.0.dsc")
	lines := "Format: 3.0 (native)\nSource: evil\nVersion: 1.0\nMaintainer: x <x@localhost>\n" +
		fmt.Sprintf("Checksums-Sha256:\n %x %d evil_1.0.tar.gz\n", sha256.Sum256(read(archive)), len(read(archive))) +
		fmt.Sprintf("Files:\n %x %d evil_1.0.tar.gz\n", md5.Sum(read(archive)), len(read(archive)))
	assert.NilError(t, os.WriteFile(dsc, []byte(lines), 0o644))
	return dsc
}
