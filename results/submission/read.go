package submission

import (
	"archive/tar"
	"bufio"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/files/bounded"
)

// A changedError names the entries of an archive that are not what its header says they are.
type changedError struct{ Files []string }

func (e *changedError) Error() string {
	const most = 5
	names, more := e.Files, ""
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf(" and %d more", len(e.Files)-most)
	}
	return fmt.Sprintf("changed after packing: the SHA-256 of %s%s is not the one listed", strings.Join(names, ", "), more)
}

// Read reads an archive and passes each entry to visit, in order; visit need not read it to
// its end. The whole archive is read and every hash checked. Errors are *InvalidError,
// *changedError (after all entries have been visited; the header is valid then), or of r or
// visit.
func Read(r io.Reader, l Limits, visit func(File, io.Reader) error) (*Header, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	unpacked, err := gzip.NewReader(in)
	if err != nil {
		return nil, invalid("not a submission: no gzip archive")
	}
	unpacked.Multistream(false)
	archive := tar.NewReader(unpacked)
	h, err := readHeader(archive, l)
	if err != nil {
		return nil, damaged(err)
	}
	var changed []string
	for _, f := range h.Files {
		same, err := readEntry(archive, f, visit)
		if err != nil {
			return nil, damaged(err)
		}
		if !same {
			changed = append(changed, f.Path)
		}
	}
	if err := readEnd(archive, unpacked, in); err != nil {
		return nil, damaged(err)
	}
	if len(changed) > 0 {
		return h, &changedError{Files: changed}
	}
	return h, nil
}

// damaged tells errors of the formats apart from others.
func damaged(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return invalid("the archive is truncated: get the file again")
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.Is(err, tar.ErrHeader), errors.As(err, &corrupt):
		return invalid("the archive is damaged (%v): get the file again", err)
	}
	return err
}

func readHeader(archive *tar.Reader, l Limits) (*Header, error) {
	e, err := archive.Next()
	if errors.Is(err, tar.ErrHeader) || err == io.EOF {
		return nil, invalid("not a submission: no tar archive in it")
	}
	if err != nil {
		return nil, err
	}
	if e.Name != HeaderFile || e.Typeflag != tar.TypeReg {
		return nil, invalid("not a submission: its first entry is %q, not the file %s: make one with `bench submission pack`", e.Name, HeaderFile)
	}
	if e.Size > l.Header {
		return nil, invalid("%s has %d bytes, and the limit is %d", HeaderFile, e.Size, l.Header)
	}
	data, err := io.ReadAll(archive)
	if err != nil {
		return nil, err
	}
	return parseHeader(data, l)
}

// readEntry passes on the entry that must come next, and reports whether it is as listed.
func readEntry(archive *tar.Reader, f File, visit func(File, io.Reader) error) (same bool, err error) {
	e, err := archive.Next()
	switch {
	case err == io.EOF:
		return false, invalid("%s is listed and not there", f.Path)
	case err != nil:
		return false, err
	case e.Typeflag != tar.TypeReg:
		return false, invalid("%q is a link, directory or special file: a submission holds plain files", e.Name)
	case e.Name != f.Path:
		return false, invalid("the entry %q is there where %s is listed: pack the run again, with `bench submission pack`", e.Name, f.Path)
	case e.Size != f.Size:
		return false, &changedError{Files: []string{f.Path}}
	}
	h := sha256.New()
	body := io.TeeReader(archive, h)
	if err := visit(f, body); err != nil {
		return false, err
	}
	if _, err := io.Copy(io.Discard, body); err != nil {
		return false, err
	}
	return hex.EncodeToString(h.Sum(nil)) == f.SHA256, nil
}

// readEnd makes sure that nothing follows: what is not listed is not looked at, and must not
// be carried along.
func readEnd(archive *tar.Reader, unpacked *gzip.Reader, in *bufio.Reader) error {
	if e, err := archive.Next(); err == nil {
		return invalid("the entry %q is not listed", e.Name)
	} else if err != io.EOF {
		return err
	}
	const padding = 1 << 16 // tar fills its last block with zeros
	rest, err := io.ReadAll(io.LimitReader(unpacked, padding))
	if err != nil {
		return err
	}
	if strings.Trim(string(rest), "\x00") != "" || len(rest) == padding {
		return invalid("something follows the last entry")
	}
	if _, err := in.ReadByte(); err != io.EOF {
		return invalid("something follows the archive")
	}
	return nil
}

// unpack writes the entries of an archive that keep wants (nil: all) below dir, which must be
// there and empty. Errors are those of Read; what was unpacked before them stays.
func unpack(r io.Reader, l Limits, dir string, keep func(File) bool) (*Header, error) {
	root, err := os.OpenRoot(dir) // it lets nothing out of dir, whatever the paths say
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return Read(r, l, func(f File, body io.Reader) error {
		if keep != nil && !keep(f) {
			return nil
		}
		if err := root.MkdirAll(path.Dir(f.Path), 0o755); err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
		to, err := root.OpenFile(f.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
		_, err = io.Copy(to, body)
		return errors.Join(err, to.Close())
	})
}

// UnpackFile is Unpack of the file at path, which the errors name.
func UnpackFile(path string, l Limits, dir string, keep func(File) bool) (*Header, error) {
	f, err := bounded.Open(path, 0)
	var special *bounded.Error
	if errors.As(err, &special) {
		return nil, fmt.Errorf("%s: %w", path, invalid("not a submission: no plain file"))
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h, err := unpack(f, l, dir, keep)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return h, err
}
