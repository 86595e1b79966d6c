package submission

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/lisa-bench/lisa-bench/results"
)

// PackFile is Pack into a file, which is written whole or not at all. It also returns the SHA-256 of the file.
func PackFile(out string, data *results.Data, o Options) (h *Header, named []string, sum string, err error) {
	to, err := os.CreateTemp(filepath.Dir(out), ".tmp-submission-")
	if err != nil {
		return nil, nil, "", err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(to.Name()))
		}
	}()
	hash := sha256.New()
	h, named, err = packTo(io.MultiWriter(to, hash), data, o)
	if err = errors.Join(err, to.Chmod(0o644), to.Sync(), to.Close()); err != nil {
		return nil, nil, "", err
	}
	return h, named, hex.EncodeToString(hash.Sum(nil)), os.Rename(to.Name(), out)
}
