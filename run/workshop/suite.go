package workshop

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// readPrograms reads a suite's programs from its directory.
func readPrograms(dir string, entries []trial.SuiteEntry) ([]trial.Program, error) {
	programs := make([]trial.Program, len(entries))
	for i, entry := range entries {
		src, err := readGenerated(filepath.Join(dir, entry.File), entry.SHA256)
		if err != nil {
			return nil, err
		}
		programs[i] = trial.Program{ID: entry.ID, Lang: entry.Lang, Source: string(src), Oracle: entry.Oracle, Origin: entry.Origin}
	}
	return programs, nil
}

// checkInputs checks that a corpus is as it was found.
func checkInputs(dir string, inputs []trial.CorpusInput) error {
	for _, in := range inputs {
		if _, err := readGenerated(filepath.Join(dir, in.File), in.SHA256); err != nil {
			return err
		}
	}
	return nil
}

// readGenerated reads a file of a suite and refuses it if it is not what the tool made. An
// edited file, or what a power failure left of one, must not be scored as the tool's.
func readGenerated(file, sum string) ([]byte, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("suite: %w", err)
	}
	if have := sha256.Sum256(data); hex.EncodeToString(have[:]) != sum {
		return nil, fmt.Errorf("suite: %s is not what was generated, its SHA-256 differs: move its cell's directory away to generate it again", file)
	}
	return data, nil
}

// content returns what hashes a program with all that it may include. That is every file below the directories of a
// hand-written suite: a change of one makes each program another one.
func (l *OpenLibrary) content() (func(trial.Program) string, error) {
	x := l.shop.Extras
	included, err := hashFiles(slices.Concat(x.Includes, x.Helpers))
	if len(x.Defines)+len(x.Std)+len(x.Helpers) > 0 {
		included = store.Key(included, x)
	}
	return func(p trial.Program) string { return store.Key(l.Plain.HeadersHash, included, p.Lang, p.Source) }, err
}

func hashFiles(dirs []string) (string, error) {
	var files []any
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			sum := sha256.Sum256(data)
			files = append(files, path, hex.EncodeToString(sum[:]))
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return store.Key(files...), nil
}
