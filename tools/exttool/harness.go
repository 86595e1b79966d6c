package exttool

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A harness is one of the library's official libFuzzer harnesses as a command is given it.
type harness struct {
	Name       string   `json:"name"`
	Source     string   `json:"source"`
	Seeds      []string `json:"seeds"` // files and directories
	Dictionary string   `json:"dictionary,omitempty"`
	Options    []string `json:"options"` // libFuzzer's
}

// writeHarnesses writes the harnesses into dir, each in a file that is compiled as a test program is. A public
// header that it includes by its place in the library's tree is included by its name. One that cannot
// be had here is left out.
func writeHarnesses(dir string, t trial.Target) ([]harness, error) {
	found := []harness{}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, f := range t.FuzzTargets {
		if f.Missing != "" {
			continue
		}
		text, err := os.ReadFile(f.Source)
		if err != nil {
			return nil, fmt.Errorf("harness %s: %w", f.Name, err)
		}
		source := filepath.Join(dir, f.Name+filepath.Ext(f.Source))
		h := harness{Name: f.Name, Source: source, Seeds: list(f.Seeds), Options: list(f.Options)}
		if err := writeReadable(h.Source, []byte(byPublicNames(string(text), t.Headers))); err != nil {
			return nil, err
		}
		if f.Dictionary != "" {
			h.Dictionary = filepath.Join(dir, f.Name+".dict")
			data, err := os.ReadFile(f.Dictionary)
			if err := cmp.Or(err, writeReadable(h.Dictionary, data)); err != nil {
				return nil, fmt.Errorf("harness %s: %w", f.Name, err)
			}
		}
		found = append(found, h)
	}
	return found, nil
}

// byPublicNames includes public headers by the names that users include them by.
func byPublicNames(text string, headers []string) string {
	for _, in := range slices.Backward(clex.Includes(text)) {
		at := slices.IndexFunc(headers, func(h string) bool { return path.Base(h) == path.Base(in.Name) })
		if in.Quoted && at >= 0 {
			text = text[:in.Start] + strings.Replace(text[in.Start:in.End], in.Name, headers[at], 1) + text[in.End:]
		}
	}
	return text
}
