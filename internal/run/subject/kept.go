package subject

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/lisa-bench/lisa-bench/internal/exec/verdicts"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/metrics"
)

// kept is what earlier evaluations of the library's programs found out; nil if that is not used.
func (l *OpenLibrary) kept() (*metrics.Kept, error) {
	if l.shop.Verdicts == nil {
		return nil, nil
	}
	in, err := readInclusions(l.shop.Includes)
	if err != nil {
		return nil, err
	}
	return &metrics.Kept{
		Store:    l.shop.Verdicts,
		Settings: trial.Key(version, l.shop.Tools.Clang.Version, l.shop.Limits, l.shop.Confinement),
		Content: func(p trial.Program) string {
			return verdicts.Key(l.Plain.HeadersHash, in.reach(p.Source), p.Lang, p.Source)
		},
	}, nil
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
	in.files, in.all = verdicts.Key(files...), verdicts.Key(all...)
	return in, nil
}

// reach is the hash of what a program can include.
func (in inclusions) reach(source string) string {
	if in.mixed || takesProgram.MatchString(source) {
		return in.all
	}
	return in.files
}
