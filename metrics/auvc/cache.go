package auvc

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/files/durable"
)

// rules is the version of how assertions are read and compared: counts kept under another one
// are not used.
const rules = 6

// keyOf names a unit's result. It is made of all that it depends on but the content of the include
// directories, whose paths must therefore be made from their content, unless c.Includes knows of it.
func (c *Counter) keyOf(flags toolchain.Flags, u toolchain.Unit) string {
	parts := []any{rules, flags, u.Lang, u.Source}
	if c.Includes != nil {
		parts = append(parts, c.Includes(u.Source))
	}
	data, err := json.Marshal(parts)
	if err != nil {
		panic(fmt.Sprintf("auvc: key: %v", err)) // strings and numbers only: a programming error
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])[:40]
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// recall reads the result that is kept under a key. One that is not as it was kept, with its
// hash in the first line, is as none.
func (c *Counter) recall(key string, r *Result) (ok bool, err error) {
	if c.Cache == "" {
		return false, nil
	}
	data, err := os.ReadFile(filepath.Join(c.Cache, key+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	sum, body, _ := bytes.Cut(data, []byte("\n"))
	var kept Result
	if string(sum) != sumOf(body) || json.Unmarshal(body, &kept) != nil || !kept.Compiles {
		return false, nil
	}
	*r = kept
	return true, nil
}

// keep writes a result. A reader never sees a part of it.
func (c *Counter) keep(key string, r Result) error {
	if c.Cache == "" {
		return nil
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Cache, 0o755); err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(c.Cache, key+".json"), append([]byte(sumOf(data)+"\n"), data...))
}
