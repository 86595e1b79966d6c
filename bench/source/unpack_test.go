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
			if err := os.WriteFile(victim, []byte("untouched"), 0o644); err != nil {
				t.Fatal(err)
			}
			work := filepath.Join(root, "package")
			dsc := sourcePackage(t, work, root, tt.members)
			trees := filepath.Join(root, "trees")
			dir := filepath.Join(trees, ".tmp-x")
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
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
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(dir, "evil_1.0.tar.gz")
	f, err := os.Create(archive)
	if err != nil {
		t.Fatal(err)
	}
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
		if err := out.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if _, err := out.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []interface{ Close() error }{out, zip} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	read := func(path string) []byte {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	dsc = filepath.Join(dir, "evil_1.0.dsc")
	lines := "Format: 3.0 (native)\nSource: evil\nVersion: 1.0\nMaintainer: x <x@localhost>\n" +
		fmt.Sprintf("Checksums-Sha256:\n %x %d evil_1.0.tar.gz\n", sha256.Sum256(read(archive)), len(read(archive))) +
		fmt.Sprintf("Files:\n %x %d evil_1.0.tar.gz\n", md5.Sum(read(archive)), len(read(archive)))
	if err := os.WriteFile(dsc, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	return dsc
}
