// Package durable writes files atomically: after a crash or a power failure a file has its old content or its
// new one, never a part, and a log its whole lines.
package durable

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"github.com/lisa-bench/lisa-bench/internal/bounded"
)

// TempPrefix begins the names of what is not finished yet. It is renamed when it is; what a
// killed process leaves can be told by it, and swept.
const TempPrefix = ".tmp-"

// Kept returns the file that is made once and kept in dir, which must exist, under the name prefix-<sum>suffix.
// The function make makes it in an empty directory and returns its path. prefix identifies everything that went
// into the file; sum is its CRC-32C, so a damaged file is made again.
func Kept(dir, prefix, suffix string, make func(work string) (file string, err error)) (string, error) {
	named := func(sum string) string { return filepath.Join(dir, prefix+"-"+sum+suffix) }
	found, err := filepath.Glob(named("????????"))
	if err != nil {
		return "", err
	}
	for _, path := range found {
		if sum, err := fileSum(path, crc32.New(castagnoli)); err == nil && path == named(sum) {
			return path, nil
		}
	}
	work, err := os.MkdirTemp(dir, TempPrefix)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	file, err := make(work)
	if err != nil {
		return "", err
	}
	sum, err := fileSum(file, crc32.New(castagnoli))
	if err != nil {
		return "", err
	}
	return named(sum), settle(file, named(sum))
}

// settle moves a finished file to its place, which another one may have: after a crash, of the
// power too, either is there, whole.
func settle(file, place string) error {
	if err := Sync(file); err != nil {
		return err
	}
	if err := os.Rename(file, place); err != nil {
		return err
	}
	return Sync(filepath.Dir(place))
}

// WriteFile replaces a file as settle does.
func WriteFile(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), TempPrefix)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = settle(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // gone if it was moved
	}
	return err
}

// FileSum returns the SHA-256 of a file, in hexadecimal.
func FileSum(path string) (string, error) { return fileSum(path, sha256.New()) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli) // which processors compute

// fileSum returns the sum of a file's content in hexadecimal digits.
func fileSum(path string, h hash.Hash) (string, error) {
	f, err := bounded.Open(path, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// Sync puts a file, or the names in a directory, on disk.
func Sync(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
