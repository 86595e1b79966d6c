package knowledge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// maxDaikonOutput is more than Daikon prints of any library here.
const maxDaikonOutput = 64 << 20

// runDaikon gives a trace to daikon.jar and returns the invariants that it prints. dir is for its
// files. The error says what Java or Daikon said.
func runDaikon(ctx context.Context, jar, dir string, t *trace) ([]likely, error) {
	text, err := daikonText(ctx, jar, dir, t)
	return parseDaikon(text), err
}

// daikonText is what Daikon prints of a trace.
func daikonText(ctx context.Context, jar, dir string, t *trace) (string, error) {
	if _, err := os.Stat(jar); err != nil {
		return "", fmt.Errorf("--daikon: %w", err)
	}
	file := filepath.Join(dir, "calls.dtrace")
	out, err := os.Create(file)
	if err != nil {
		return "", err
	}
	if err := errors.Join(t.Write(out), out.Close()); err != nil {
		return "", err
	}
	res, err := toolchain.Run(ctx, toolchain.Command{
		Args: []string{"java", "-cp", jar, "daikon.Daikon", "--noversion", "-o", filepath.Join(dir, "calls.inv.gz"), file}, Dir: dir, MaxOutput: maxDaikonOutput,
	})
	if err != nil {
		return "", fmt.Errorf("%s on %s: %w", jar, file, err)
	}
	return string(res.Stdout), nil
}

// parseDaikon reads the text that Daikon prints: blocks that begin with a line of = and the name
// of a program point. Those of single exits repeat what is said of all.
func parseDaikon(text string) []likely {
	var list []likely
	point, named := "", false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "=====") && strings.Trim(line, "=") == "":
			point, named = "", true
		case strings.Contains(line, ":::") && (named || strings.HasSuffix(line, ":::ENTER") || strings.HasSuffix(line, ":::EXIT")):
			point, named = line, false
		case line == "" || strings.HasPrefix(line, "Exiting Daikon") || point == "" || !strings.HasSuffix(point, ":::ENTER") && !strings.HasSuffix(point, ":::EXIT"):
			named = false
		default:
			list = append(list, parseLikely(point, line))
		}
	}
	return list
}
