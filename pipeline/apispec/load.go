package apispec

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Load reads the public headers of t and extracts their API.
func Load(ctx context.Context, c *toolchain.Compiler, t trial.Target) (*Spec, error) {
	headers, err := FindHeaders(t)
	if err != nil {
		return nil, fmt.Errorf("library %s: %w", t.Library, err)
	}
	texts := map[string]string{}
	var dirs []string
	source := ""
	for i, h := range headers {
		text, err := os.ReadFile(h)
		if err != nil {
			return nil, fmt.Errorf("library %s: public header: %w", t.Library, err)
		}
		texts[h] = string(text)
		dirs = append(dirs, filepath.Dir(h))
		source += fmt.Sprintf("#include <%s>\n", t.Headers[i])
	}
	// The semicolon ends what the last header declares before the values are asked for.
	written, err := c.Headers(ctx, t.Language, Flags(t), dirs, source+";\n#pragma lisa_bench_values\n")
	var d declarations
	if err == nil {
		err = json.Unmarshal(written, &d)
	}
	if err == nil && !d.declare(texts) {
		err = fmt.Errorf("no function is declared in %s", strings.Join(headers, ", "))
	}
	if err != nil {
		return nil, fmt.Errorf("library %s: API of %s: %w", t.Library, strings.Join(t.Headers, ", "), err)
	}
	return &d.Spec, nil
}

// Flags are the compiler's flags for the language, directories and definitions of a target.
func Flags(t trial.Target) toolchain.Flags {
	f := toolchain.Flags{IncludeDirs: t.IncludeDirs, Defines: t.Defines, Extra: []string{"-std=gnu17"}}
	if t.Language == trial.CXX {
		f.Extra = []string{"-std=gnu++17"}
	}
	return f
}

// FindHeaders returns the path under which clang will open each public header. One that is in no directory is an error.
func FindHeaders(t trial.Target) ([]string, error) {
	var paths []string
next:
	for _, h := range t.Headers {
		for _, dir := range t.IncludeDirs {
			path := filepath.Join(dir, h)
			if _, err := os.Stat(path); err == nil {
				paths = append(paths, path)
				continue next
			}
		}
		return nil, fmt.Errorf("public header %s is in none of %s", h, strings.Join(t.IncludeDirs, ", "))
	}
	return paths, nil
}
