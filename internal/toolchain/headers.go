package toolchain

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Headers returns, as JSON, what the files below dirs declare and which functions they define (internal/plugin/native/headers.cc). These
// files are those that a source includes. The line "#pragma lisa_bench_values" at its end asks for the values of macros.
// Of a source with errors only the definitions are returned, with a *CommandError.
func (c *Compiler) Headers(ctx context.Context, lang trial.Language, flags Flags, dirs []string, source string) ([]byte, error) {
	cc1, err := c.cc1Args(ctx, lang, flags)
	if err != nil {
		return nil, err
	}
	var settings []string
	for _, dir := range dirs {
		settings = append(settings, "headers="+strings.TrimSuffix(dir, "/")+"/")
	}
	load, err := c.pluginArgs(ctx, settings...)
	if err != nil {
		return nil, err
	}
	args := slices.Concat(cc1, load, []string{"-fsyntax-only", "-x", string(lang), "-"})
	out, err := c.runCompiler(ctx, Command{Args: args, Stdin: strings.NewReader(source)})
	var refused *CommandError
	if errors.As(err, &refused) { // anyone can repeat clang's own command
		refused.Args = slices.Concat([]string{c.driver(lang), "-fsyntax-only"}, flags.Args(lang), []string{"-x", string(lang), "-"})
	}
	return out.Stdout, err
}
