package workshop

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// content returns what hashes a program with all that it includes.
func (l *OpenLibrary) content() (func(trial.Program) string, error) {
	in, err := readInclusions(l.shop.Includes)
	return func(p trial.Program) string {
		return store.Key(l.Plain.HeadersHash, in.reach(p.Source), p.Lang, p.Source)
	}, err
}

// inclusions are what programs can include from the directories of a hand-written suite.
type inclusions struct {
	files string // hash of all files but programs
	all   string // hash of all files
	// mixed says that a file that is no program may include one.
	mixed bool
}

// isProgram matches the files that are tests themselves (exttool.Directory).
var isProgram = regexp.MustCompile(`\.(?:c|cc|cpp|cxx)$`)

// takesProgram matches what may include the text of a program: a directive with its name, or one whose
// name is computed, or an assembler's.
var takesProgram = regexp.MustCompile(`(?:#|%:|\?\?=)\s*(?:include|include_next|embed|import)\b\s*(?:[^\s<"]|[<"][^>"\n]*\.(?:c|cc|cpp|cxx)[>"])|incbin|__has_include|__has_embed|\\\n`)

func readInclusions(dirs []string) (in inclusions, err error) {
	var files, all []any
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			entry := []any{dir, name, fmt.Sprintf("%x", sha256.Sum256(data))}
			all = append(all, entry)
			if !isProgram.MatchString(name) {
				files = append(files, entry)
				in.mixed = in.mixed || takesProgram.Match(data)
			}
			return nil
		})
		if err != nil {
			return in, err
		}
	}
	in.files, in.all = store.Key(files...), store.Key(all...)
	return in, nil
}

// reach is the hash of what a program can include.
func (in inclusions) reach(source string) string {
	if in.mixed || takesProgram.MatchString(source) {
		return in.all
	}
	return in.files
}
