package sandbox

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/durable"
)

// etcFiles are the databases that functions of libc read: the same for every executor and on
// every machine. zoneinfo.zip is the one of Go 1.26, lib/time/zoneinfo.zip: IANA's 2025c, which is
// in the public domain.
//
//go:embed etc
var etcFiles embed.FS

// zoneDir is where programs find time zones, as a variable of glibc's tells: /usr is the machine's.
const (
	zoneDir      = "/etc/zoneinfo"
	zoneVariable = "TZDIR=" + zoneDir
)

// userName is the name of the one user, and of the one group, that programs find.
const userName = "tester"

// systemFiles returns what programs find in /etc, as paths without order. Besides, bubblewrap
// shows the machine's linker cache and alternatives, docker what the image has.
func systemFiles() []string {
	paths := []string{zoneDir, "/etc/passwd", "/etc/group"}
	entries, _ := etcFiles.ReadDir("etc") // embedded: cannot fail
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".zip" {
			paths = append(paths, "/etc/"+e.Name())
		}
	}
	return paths
}

// hiddenDirs are directories of the machine whose documents name bugs and fixes: the changelogs of
// Debian's packages, among them the libraries under test, and sources. A tool is given the
// library's own documents, and nothing else.
var hiddenDirs = []string{"/usr/share/doc", "/usr/share/man", "/usr/share/info", "/usr/share/doc-base", "/usr/src", "/usr/local/src", "/usr/lib/debug"}

// etc are the databases as files of the host, which is where mounts need them.
type etc struct {
	dir string // for what is below; may be shared with other processes
	// place returns the directory with those that are the same for all programs.
	place func() (string, error)
}

func newEtc(dir string) *etc {
	return &etc{dir: dir, place: sync.OnceValues(func() (string, error) { return placeEtc(dir) })}
}

// A shown file, or directory, of the host is at another path for programs.
type shown struct{ source, target string }

// show returns what to mount for programs of a user whose home is given. remove removes the
// part that is this user's.
func (e *etc) show(uid, gid int, home string) (list []shown, remove func() error, err error) {
	all, err := e.place()
	if err != nil {
		return nil, nil, err
	}
	own, err := os.MkdirTemp(e.dir, durable.TempPrefix)
	if err != nil {
		return nil, nil, err
	}
	remove = func() error { return os.RemoveAll(own) }
	err = errors.Join(
		writeShown(filepath.Join(own, "passwd"), fmt.Appendf(nil, "%s:x:%d:%d::%s:/bin/sh\n", userName, uid, gid, home)),
		writeShown(filepath.Join(own, "group"), fmt.Appendf(nil, "%s:x:%d:\n", userName, gid)))
	if err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	for _, path := range systemFiles() {
		from, name := all, filepath.Base(path)
		if name == "passwd" || name == "group" {
			from = own
		}
		list = append(list, shown{filepath.Join(from, name), path})
	}
	return list, remove, nil
}

// placeEtc writes what is the same for all programs below dir, unless it is there, whole.
func placeEtc(dir string) (string, error) {
	files, err := etcContents()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	err = fs.WalkDir(etcFiles, "etc", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := etcFiles.ReadFile(path)
		fmt.Fprintf(sum, "%s %d\n%s", path, len(text), text)
		return err
	})
	if err != nil {
		return "", err
	}
	place := filepath.Join(dir, "etc-"+hex.EncodeToString(sum.Sum(nil)[:8]))
	if isPlaced(place, files) {
		return place, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(dir, durable.TempPrefix)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	made := filepath.Join(work, "etc")
	for name, text := range files {
		if err := writeShown(filepath.Join(made, name), text); err != nil {
			return "", err
		}
	}
	_ = os.Rename(place, filepath.Join(work, "damaged")) // if there is one
	if err := os.Rename(made, place); err != nil && !isPlaced(place, files) {
		return "", err // and no other process has made it meanwhile
	}
	return place, nil
}

// etcContents returns the files of etcFiles, with the time zones unpacked into zoneinfo.
func etcContents() (map[string][]byte, error) {
	files := map[string][]byte{}
	entries, err := etcFiles.ReadDir("etc")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if files[e.Name()], err = etcFiles.ReadFile("etc/" + e.Name()); err != nil {
			return nil, err
		}
	}
	const zones = "zoneinfo.zip"
	archive, err := zip.NewReader(bytes.NewReader(files[zones]), int64(len(files[zones])))
	if err != nil {
		return nil, err
	}
	delete(files, zones)
	for _, f := range archive.File {
		if f.FileInfo().IsDir() {
			continue
		}
		if files["zoneinfo/"+f.Name], err = fs.ReadFile(archive, f.Name); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// isPlaced reports whether dir has all files with their contents.
func isPlaced(dir string, files map[string][]byte) bool {
	for name, text := range files {
		if have, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(have, text) {
			return false
		}
	}
	return true
}

// writeShown writes a file that every user can read, whatever this process's umask.
func writeShown(path string, text []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return errors.Join(os.Chmod(dir, 0o755), os.WriteFile(path, text, 0o644), os.Chmod(path, 0o644))
}
