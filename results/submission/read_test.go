package submission

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// relist makes the header fit the entries, as a forger would.
func relist(t *testing.T, list []entry) []entry {
	t.Helper()
	h := Header{Format: format, Name: "made"}
	for _, e := range list[1:] {
		h.Files = append(h.Files, File{Path: e.Name, Size: int64(len(e.body)), SHA256: digest(e.body)})
	}
	return withHeader(t, list, h)
}

func withHeader(t *testing.T, list []entry, h any) []entry {
	t.Helper()
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	list = slices.Clone(list)
	list[0].body = text
	return list
}

func header(t *testing.T, list []entry) Header {
	t.Helper()
	var h Header
	if err := json.Unmarshal(list[0].body, &h); err != nil {
		t.Fatal(err)
	}
	return h
}

// TestReadRefuses spoils a good archive in one way each. Nothing may ever be written outside
// of the directory.
func TestReadRefuses(t *testing.T) {
	good := pack(t, madeRun(t, "tool"), Options{})
	const changed = "changed after packing"
	for _, tc := range []struct {
		name  string
		spoil func(t *testing.T, list []entry) []byte
		want  string
	}{
		{"nothing", func(*testing.T, []entry) []byte { return nil }, "no gzip archive"},
		{"text", func(*testing.T, []entry) []byte { return []byte("these are my results\n") }, "no gzip archive"},
		{"not a tar", func(t *testing.T, _ []entry) []byte { return gzipped(t, bytes.Repeat([]byte("x"), 4096)) }, "no tar archive"},
		{"another tar", func(t *testing.T, list []entry) []byte { return packEntries(t, list[1:]) }, "its first entry is \"cells/"},
		{"truncated", func(*testing.T, []entry) []byte { return good[:len(good)/2] }, "truncated"},
		{"truncated at the end", func(*testing.T, []entry) []byte { return good[:len(good)-4] }, "truncated"},
		{"bits flipped", func(*testing.T, []entry) []byte {
			bad := bytes.Clone(good)
			bad[len(bad)-6] ^= 1 // in the checksum
			return bad
		}, "damaged"},
		{"no header", func(t *testing.T, list []entry) []byte { return packEntries(t, withHeader(t, list, "hello")) }, "no header of a submission"},
		{"other version", func(t *testing.T, list []entry) []byte {
			return packEntries(t, withHeader(t, list, map[string]any{"submission": 2, "novelty": true}))
		}, "format 2, and this bench reads 1: use the bench that it was packed with"},
		{"unknown key", func(t *testing.T, list []entry) []byte {
			return packEntries(t, withHeader(t, list, map[string]any{"submission": 1, "name": "x", "nmae": "y"}))
		}, "unknown field"},
		{"bad name", func(t *testing.T, list []entry) []byte {
			h := header(t, list)
			h.Name = "\x1b[31m"
			return packEntries(t, withHeader(t, list, h))
		}, "cannot name a submission"},
		{"edited", func(t *testing.T, list []entry) []byte {
			list[1].body[5] ^= 1
			return packEntries(t, list)
		}, changed + ": the SHA-256 of " + "cells/randoop.default.cJSON.debian.1/record.json"},
		{"grown", func(t *testing.T, list []entry) []byte {
			list[1].body = append(list[1].body, '\n')
			return packEntries(t, list)
		}, changed},
		{"removed", func(t *testing.T, list []entry) []byte { return packEntries(t, slices.Delete(list, 2, 3)) }, "there where"},
		{"last removed", func(t *testing.T, list []entry) []byte { return packEntries(t, list[:len(list)-1]) }, "manifest.json is listed and not there"},
		{"added", func(t *testing.T, list []entry) []byte {
			return packEntries(t, append(list, entry{tar.Header{Name: "zzz", Mode: 0o644}, []byte("more")}))
		}, `"zzz" is not listed`},
		{"twice", func(t *testing.T, list []entry) []byte {
			return packEntries(t, relist(t, slices.Insert(list, 2, list[1])))
		}, "out of order or twice"},
		{"trailing bytes", func(*testing.T, []entry) []byte { return append(bytes.Clone(good), "more"...) }, "something follows the archive"},
		{"second stream", func(*testing.T, []entry) []byte { return append(bytes.Clone(good), good...) }, "something follows the archive"},
		{"escape", func(t *testing.T, list []entry) []byte {
			return packEntries(t, relist(t, slices.Insert(list, 1, entry{tar.Header{Name: "../escaped", Mode: 0o644}, []byte("x")})))
		}, `"../escaped", which leads out of the archive`},
		{"absolute", func(t *testing.T, list []entry) []byte {
			return packEntries(t, relist(t, slices.Insert(list, 1, entry{tar.Header{Name: "/tmp/escaped", Mode: 0o644}, []byte("x")})))
		}, "leads out of the archive"},
		{"dots inside", func(t *testing.T, list []entry) []byte {
			return packEntries(t, relist(t, slices.Insert(list, 1, entry{tar.Header{Name: "cells/../../escaped", Mode: 0o644}, []byte("x")})))
		}, "leads out of the archive"},
		{"symbolic link", func(t *testing.T, list []entry) []byte {
			list[1].Typeflag, list[1].Linkname, list[1].body = tar.TypeSymlink, "/etc/passwd", nil
			return packEntries(t, relist(t, list))
		}, "is a link, directory or special file"},
		{"hard link", func(t *testing.T, list []entry) []byte {
			list[2].Typeflag, list[2].Linkname, list[2].body = tar.TypeLink, "../../x", nil
			return packEntries(t, relist(t, list))
		}, "is a link, directory or special file"},
		{"directory", func(t *testing.T, list []entry) []byte {
			return packEntries(t, slices.Insert(list, 1, entry{tar.Header{Name: "cells/", Typeflag: tar.TypeDir, Mode: 0o755}, nil}))
		}, "is a link, directory or special file"},
		{"file as directory", func(t *testing.T, list []entry) []byte {
			return packEntries(t, relist(t, slices.Insert(list, 1, entry{tar.Header{Name: "a", Mode: 0o644}, nil}, entry{tar.Header{Name: "a/b", Mode: 0o644}, nil})))
		}, `"a", a file, and "a/b" below it`},
		{"hash that is none", func(t *testing.T, list []entry) []byte {
			h := header(t, list)
			h.Files[0].SHA256 = "x"
			return packEntries(t, withHeader(t, list, h))
		}, "a SHA-256 that is none"},
		{"negative size", func(t *testing.T, list []entry) []byte {
			h := header(t, list)
			h.Files[0].Size = -1
			return packEntries(t, withHeader(t, list, h))
		}, "with -1 bytes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			outer := t.TempDir()
			dir := filepath.Join(outer, "inner")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			_, err := unpack(bytes.NewReader(tc.spoil(t, unpackedEntries(t, good))), DefaultLimits, dir, nil)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
			var invalid *InvalidError
			var edited *changedError
			if !errors.As(err, &invalid) && !errors.As(err, &edited) {
				t.Errorf("%T: neither invalid nor changed", err)
			}
			if left, err := os.ReadDir(outer); err != nil || len(left) != 1 {
				t.Errorf("outside of the directory: %v, %v", left, err)
			}
		})
	}
}

func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(data)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gunzipped(t testing.TB, packed []byte) []byte {
	t.Helper()
	in, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestLimits(t *testing.T) {
	packed := pack(t, madeRun(t, "tool"), Options{})
	for name, l := range map[string]Limits{
		"and the limit is 10":      {Header: 10, Files: 100, File: 1 << 20, Total: 1 << 20},
		"lists 8 files":            {Header: 1 << 20, Files: 7, File: 1 << 20, Total: 1 << 20},
		"bytes, and the limit is":  {Header: 1 << 20, Files: 100, File: 20, Total: 1 << 20},
		"unpacked it would be mor": {Header: 1 << 20, Files: 100, File: 1 << 20, Total: 100},
	} {
		_, err := Read(bytes.NewReader(packed), l, func(File, io.Reader) error { return nil })
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%+v: got %v, want %q", l, err, name)
		}
	}
}

// A bomb says that it is small.
func TestBombIsNotUnpacked(t *testing.T) {
	list := unpackedEntries(t, pack(t, madeRun(t, "tool"), Options{}))
	list[1].body = make([]byte, 64<<20)
	dir := t.TempDir()
	_, err := unpack(bytes.NewReader(packEntries(t, list)), DefaultLimits, dir, nil)
	var changed *changedError
	if !errors.As(err, &changed) {
		t.Errorf("got %v", err)
	}
	if len(files(t, dir)) > 0 {
		t.Error("something was unpacked")
	}
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// FuzzRead: whatever comes in, the reader ends with an error of its types or with an archive
// whose every entry has the listed hash.
func FuzzRead(f *testing.F) {
	good := pack(f, madeRun(f, "tool"), Options{})
	list := unpackedEntries(f, good)
	list[1].Typeflag, list[1].Linkname = tar.TypeSymlink, "/etc"
	for _, packed := range [][]byte{good, good[:len(good)/3], packEntries(f, list), []byte("\x1f\x8b")} {
		f.Add(packed, false)
	}
	for _, packed := range [][]byte{good, packEntries(f, list)} {
		f.Add(gunzipped(f, packed), true)
	}
	limits := Limits{Header: 1 << 16, Files: 100, File: 1 << 16, Total: 1 << 18}
	f.Fuzz(func(t *testing.T, data []byte, unpacked bool) {
		if unpacked { // mutations of compressed bytes seldom get past the checksum
			data = gzipped(t, data)
		}
		read := map[string][]byte{}
		h, err := Read(bytes.NewReader(data), limits, func(f File, r io.Reader) error {
			body, err := io.ReadAll(r)
			read[f.Path] = body
			return err
		})
		var invalid *InvalidError
		var changed *changedError
		switch {
		case errors.As(err, &invalid), errors.As(err, &changed):
			return
		case err != nil:
			t.Fatalf("%T: %v", err, err)
		}
		for _, f := range h.Files {
			if digest(read[f.Path]) != f.SHA256 || !filepath.IsLocal(f.Path) {
				t.Errorf("%s is let through", f.Path)
			}
		}
	})
}
