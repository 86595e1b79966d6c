package libbuild

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// explainNeeds adds to the error of a failed build which of the Debian packages that its
// recipe needs are not installed. Where that cannot be found out the error stays as it is.
func explainNeeds(ctx context.Context, needs []string, err error) error {
	if len(needs) == 0 || ctx.Err() != nil {
		return err
	}
	// Its status is 1 when it does not know one of the packages; it still prints the others.
	args := append([]string{"dpkg-query", "--show", "--showformat=${db:Status-Status} ${Package}\\n"}, needs...)
	out, queryErr := toolchain.Run(ctx, toolchain.Command{Args: args})
	if queryErr != nil && len(out.Stdout)+len(out.Stderr) == 0 {
		return err
	}
	var installed []string
	for line := range strings.Lines(string(out.Stdout)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "installed "); ok {
			installed = append(installed, name)
		}
	}
	missing := slices.DeleteFunc(slices.Clone(needs), func(p string) bool { return slices.Contains(installed, p) })
	if len(missing) == 0 {
		return err
	}
	return fmt.Errorf("it needs packages that are not installed (apt-get install %s): %w", strings.Join(missing, " "), err)
}
