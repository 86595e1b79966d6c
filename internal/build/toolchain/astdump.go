package toolchain

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// DumpAST writes clang's JSON AST of a small source that includes the headers of interest
// to w, without a limit: it is tens of megabytes. All comments are attached to their
// declarations, not only documentation comments.
func (t *Tools) DumpAST(ctx context.Context, lang trial.Language, flags Flags, source string, w io.Writer, log *CommandLog) error {
	driver := t.Clang.Path
	if lang == trial.CXX {
		driver = t.ClangXX.Path
	}
	args := append([]string{driver, "-fsyntax-only", "-fparse-all-comments", "-Xclang", "-ast-dump=json"}, flags.Args()...)
	args = append(args, "-x", string(lang), "-")
	_, err := Run(ctx, Command{Args: args, Stdin: strings.NewReader(source), Stdout: w, Log: log})
	if err != nil {
		return fmt.Errorf("dump the AST of %q: %w", source, err)
	}
	return nil
}
