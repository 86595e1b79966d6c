package exttool

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// The functions of a libFuzzer harness.
const (
	harnessOne  = "LLVMFuzzerTestOneInput"
	harnessInit = "LLVMFuzzerInitialize"
)

// driverMain is what a driver's main is called in the program that calls it.
const driverMain = "lisa_bench_driver"

// program makes the program that a line stands for; read reads a file of the output directory. A file with
// a main or test functions, and nothing to feed it, is the program. A harness, and a main with arguments or
// input files, become one by a main of ours behind them.
func (l suiteLine) program(read func(name string) ([]byte, error)) (p trial.Program, err error) {
	src, err := read(l.File)
	if err != nil {
		return p, fmt.Errorf("%s: %w", l.File, cause(err))
	}
	p = trial.Program{Lang: languageOf(l.File), Source: string(src), Oracle: l.Oracle, Origin: l.File, Refused: l.Refused}
	d := driverOf(p.Source)
	switch fed := len(l.Inputs) > 0 || len(l.Args) > 0; {
	case l.Refused != "" || !fed && (d.main || !d.one):
		return p, nil
	case !d.main && !d.one:
		return p, fmt.Errorf("%s defines neither main nor %s: only these can be given inputs and args", l.File, harnessOne)
	case !d.main && len(l.Args) > 0:
		return p, fmt.Errorf("%s is a harness, which takes inputs and no args", l.File)
	}
	var inputs []input
	for _, name := range l.Inputs {
		data, err := read(name)
		if err != nil {
			return p, fmt.Errorf("input %s: %w", name, cause(err))
		}
		inputs = append(inputs, input{name, data})
	}
	if len(inputs) == 1 {
		p.Origin += " " + inputs[0].name
	}
	var b strings.Builder
	if d.main {
		fmt.Fprintf(&b, "#define main %s\n%s\n#undef main\n", driverMain, p.Source)
		callMain(&b, strings.TrimSuffix(l.File, filepath.Ext(l.File)), l.Args, inputs)
	} else {
		b.WriteString(p.Source)
		callHarness(&b, d, inputs)
	}
	if p.Source = b.String(); len(p.Source) > maxSourceBytes {
		return p, fmt.Errorf("%s with what it is fed has %d bytes as a program, and may have %d: feed it less in one line", l.File, len(p.Source), maxSourceBytes)
	}
	return p, nil
}

// An input is a file that a driver is fed.
type input struct {
	name string
	data []byte
}

// A driver is what a text defines of the functions that can be fed.
type driver struct{ main, one, initialize bool }

// driverOf looks for definitions at any depth, for extern "C" may have braces. It does not look for a main
// that a preprocessor's condition may leave out, which harnesses have for use without a fuzzer.
func driverOf(src string) (d driver) {
	var last, word clex.Token
	conditions, depth, head := 0, 0, "" // of the function whose parameters are read
	for t := range clex.Tokens(src) {
		if t.Kind == clex.Comment {
			continue
		}
		switch {
		case t.Directive && last.Kind == clex.Directive && strings.HasPrefix(t.Text, "if"):
			conditions++
		case t.Directive && last.Kind == clex.Directive && t.Text == "endif":
			conditions--
		case head != "" && depth == 0: // what comes behind the parameters: a declaration has no body
			if t.Text != ";" && t.Text != "," {
				d.define(head)
			}
			head = ""
		case head != "" && t.Text == "(":
			depth++
		case head != "" && t.Text == ")":
			depth--
		case t.Text == "(" && last.Kind == clex.Word && !t.Directive && word.Kind == clex.Word && word.Text != "return" && word.Text != "else":
			if last.Text != "main" || conditions == 0 {
				head, depth = last.Text, 1
			}
		}
		word, last = last, t
	}
	return d
}

// define notes that the text defines a function.
func (d *driver) define(name string) {
	d.main = d.main || name == "main"
	d.one = d.one || name == harnessOne
	d.initialize = d.initialize || name == harnessInit
}

// callHarness writes the main of a harness: as libFuzzer, which gives each input to it in memory of the
// input's size, and the empty one where there is none.
func callHarness(b *strings.Builder, d driver, inputs []input) {
	if len(inputs) == 0 {
		inputs = []input{{}}
	}
	b.WriteString("\n// Written by bench: gives the harness its inputs, one after the other.\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n")
	b.WriteString("static const struct { size_t size; const char *data; } lisa_bench_inputs[] = {\n")
	for _, in := range inputs {
		fmt.Fprintf(b, "\t{%d, %s},\n", len(in.data), quoted(in.data))
	}
	b.WriteString("};\n\nint main(int argc, char **argv) {\n")
	if d.initialize {
		fmt.Fprintf(b, "\t%s(&argc, &argv);\n", harnessInit)
	} else {
		b.WriteString("\t(void)argc, (void)argv;\n")
	}
	fmt.Fprintf(b, `	for (size_t i = 0; i < %d; i++) {
		size_t size = lisa_bench_inputs[i].size;
		uint8_t *data = (uint8_t *)malloc(size ? size : 1);
		memcpy(data, lisa_bench_inputs[i].data, size);
		%s(data, size);
		free(data);
	}
	return 0;
}
`, len(inputs), harnessOne)
}

// callMain writes a main that writes the input files into the working directory, where they lie
// as in the output directory, and calls the driver's own with its arguments.
func callMain(b *strings.Builder, name string, args []string, inputs []input) {
	b.WriteString("\n// Written by bench: leaves the driver its files, and calls it with its arguments.\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/stat.h>\n")
	if len(inputs) > 0 {
		b.WriteString("static const struct { const char *name; size_t size; const char *data; } lisa_bench_files[] = {\n")
		for _, in := range inputs {
			fmt.Fprintf(b, "\t{%s, %d, %s},\n", quoted([]byte(in.name)), len(in.data), quoted(in.data))
		}
		b.WriteString("};\n")
	}
	argv := append([]string{name}, args...)
	for i, a := range argv {
		fmt.Fprintf(b, "static char lisa_bench_arg%d[] = %s;\n", i, quoted([]byte(a)))
	}
	b.WriteString("\nint main(void) {\n")
	for _, dir := range directories(inputs) {
		fmt.Fprintf(b, "\tmkdir(%s, 0777);\n", quoted([]byte(dir)))
	}
	if len(inputs) > 0 {
		fmt.Fprintf(b, `	for (size_t i = 0; i < %d; i++) {
		FILE *file = fopen(lisa_bench_files[i].name, "wb");
		if (!file || fwrite(lisa_bench_files[i].data, 1, lisa_bench_files[i].size, file) != lisa_bench_files[i].size || fclose(file)) {
			perror(lisa_bench_files[i].name);
			exit(125);
		}
	}
`, len(inputs))
	}
	b.WriteString("\tchar *argv[] = {")
	for i := range argv {
		fmt.Fprintf(b, "lisa_bench_arg%d, ", i)
	}
	fmt.Fprintf(b, "0};\n\treturn ((int (*)(int, char **))%s)(%d, argv);\n}\n", driverMain, len(argv))
}

// directories are those that the inputs lie in, each after the one it lies in.
func directories(inputs []input) (dirs []string) {
	for _, in := range inputs {
		for dir := path.Dir(in.name); dir != "."; dir = path.Dir(dir) {
			if !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	slices.Sort(dirs)
	return dirs
}

// quoted writes bytes as a C string. Three octal digits cannot run into what follows, and no mark is left that
// could begin a trigraph.
func quoted(data []byte) string {
	const line = 100 // bytes of the text
	var b strings.Builder
	b.WriteByte('"')
	for i, c := range data {
		if i > 0 && i%line == 0 {
			b.WriteString("\"\n\t\t\"")
		}
		if c < ' ' || c > '~' || c == '"' || c == '\\' || c == '?' {
			fmt.Fprintf(&b, "\\%03o", c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
