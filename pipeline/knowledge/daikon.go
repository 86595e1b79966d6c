package knowledge

import (
	"bufio"
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

// runDaikon gives calls to daikon.jar and returns what it prints of the exits of each function, by probe. dir is for
// its files. The error says what Java or Daikon said.
func runDaikon(ctx context.Context, jar, dir string, list []*probe, calls []call) (map[*probe][]string, error) {
	if _, err := os.Stat(jar); err != nil {
		return nil, fmt.Errorf("--daikon: %w", err)
	}
	file := filepath.Join(dir, "calls.dtrace")
	if err := writeTrace(file, list, calls); err != nil {
		return nil, err
	}
	res, err := toolchain.Run(ctx, toolchain.Command{
		Args: []string{"java", "-cp", jar, "daikon.Daikon", "--noversion", "-o", filepath.Join(dir, "calls.inv.gz"), file},
		Dir:  dir, MaxOutput: maxDaikonOutput,
	})
	if err != nil {
		return nil, fmt.Errorf("%s on %s: %w", jar, file, err)
	}
	return parseDaikon(string(res.Stdout), list), nil
}

// parseDaikon reads blocks that begin with a line of = and the name of a program point. Those of single exits, as in
// EXIT1, repeat what is said of all.
func parseDaikon(text string, list []*probe) map[*probe][]string {
	exits := map[string]*probe{}
	for _, p := range list {
		exits[p.point()+":::EXIT"] = p
	}
	found := map[*probe][]string{}
	var at *probe
	for line := range strings.Lines(text) {
		switch line = strings.TrimSpace(line); {
		case strings.Contains(line, ":::"):
			at = exits[line]
		case strings.HasPrefix(line, "====") || strings.HasPrefix(line, "Exiting Daikon"):
			at = nil
		case at != nil && line != "":
			found[at] = append(found[at], line)
		}
	}
	return found
}

// escape is how declarations spell a name.
var escape = strings.NewReplacer(`\`, `\\`, " ", `\_`)

// writeTrace writes declarations and calls in Daikon's file format version 2.0 (Daikon developer manual, appendix
// "File formats").
func writeTrace(file string, list []*probe, calls []call) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(out)
	b.WriteString("decl-version 2.0\nvar-comparability implicit\n")
	for _, p := range list {
		declare(b, p.point()+":::ENTER", "enter", p.enter)
		declare(b, p.point()+":::EXIT1", "subexit", p.exit)
	}
	for i, c := range calls {
		p := list[c.probe]
		visit(b, p.point()+":::ENTER", i, p.enter, c.enter)
		visit(b, p.point()+":::EXIT1", i, p.exit, c.exit)
	}
	return errors.Join(b.Flush(), out.Close())
}

func declare(b *bufio.Writer, point, kind string, vars []variable) {
	fmt.Fprintf(b, "\nppt %s\nppt-type %s\n", escape.Replace(point), kind)
	for _, v := range vars {
		kind := "variable"
		switch {
		case v.field != "":
			kind = "field " + escape.Replace(v.field)
		case v.name == "return":
			kind = "return"
		}
		fmt.Fprintf(b, "variable %s\n var-kind %s\n", escape.Replace(v.name), kind)
		if v.enclosing != "" {
			fmt.Fprintf(b, " enclosing-var %s\n", escape.Replace(v.enclosing))
		}
		// Daikon relates variables of one declared type only, and knows none of C but int: what may be compared is
		// said by comparability.
		fmt.Fprintf(b, " dec-type %s\n rep-type %[1]s\n", v.rep)
		if v.param {
			b.WriteString(" flags is_param\n")
		}
		fmt.Fprintf(b, " comparability %d\n", v.comparability)
	}
}

func visit(b *bufio.Writer, point string, nonce int, vars []variable, values []string) {
	fmt.Fprintf(b, "\n%s\nthis_invocation_nonce\n%d\n", point, nonce)
	for i, v := range vars {
		value, modified := values[i], 1
		if value == unknown {
			value, modified = "nonsensical", 2
		}
		fmt.Fprintf(b, "%s\n%s\n%d\n", v.name, value, modified)
	}
}
