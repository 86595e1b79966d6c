package exttool

import (
	_ "embed" // driver.tmpl
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// harnessOne is the function of a libFuzzer harness.
const harnessOne = "LLVMFuzzerTestOneInput"

// program makes the program that a line stands for; read reads a file of the output directory. A file with
// a main or test functions, and nothing to feed it, is the program. A harness, and a main with arguments or
// input files, become one by a main of ours behind them.
func (l suiteLine) program(read func(name string) ([]byte, error)) (p trial.Program, err error) {
	src, err := read(l.File)
	if err != nil {
		return p, fmt.Errorf("%s: %w", l.File, cause(err))
	}
	p = trial.Program{Lang: languageOf(l.File), Source: string(src), Oracle: l.Oracle, Origin: l.File, Refused: l.Refused}
	defined := definitions(p.Source)
	d := driver{Source: p.Source, One: harnessOne, Main: defined["main"], Initialize: defined["LLVMFuzzerInitialize"]}
	one := defined[harnessOne]
	for name := range defined {
		if strings.HasPrefix(name, harnessOne) && !one && !d.Main && p.Refused == "" {
			p.Refused = fmt.Sprintf("it defines %s, and libFuzzer calls %s: give the harness that name", name, harnessOne)
			return p, nil
		}
	}
	switch fed := len(l.Inputs) > 0 || len(l.Args) > 0; {
	case l.Refused != "" || !fed && (d.Main || !one):
		return p, nil
	case !d.Main && !one:
		return p, fmt.Errorf("%s defines neither main nor %s: only these can be given inputs and args", l.File, harnessOne)
	case !d.Main && len(l.Args) > 0:
		return p, fmt.Errorf("%s is a harness, which takes inputs and no args", l.File)
	}
	for _, name := range l.Inputs {
		data, err := read(name)
		if err != nil {
			return p, fmt.Errorf("input %s: %w", name, cause(err))
		}
		d.Inputs = append(d.Inputs, input{name, data})
	}
	if len(l.Inputs) == 1 {
		p.Origin += " " + l.Inputs[0]
	}
	if !d.Main && len(d.Inputs) == 0 {
		d.Inputs = []input{{}} // the empty one
	}
	d.Args = append([]string{strings.TrimSuffix(l.File, filepath.Ext(l.File))}, l.Args...)
	var b strings.Builder
	if err := drivers.Execute(&b, d); err != nil {
		return p, err
	}
	if p.Source = b.String(); len(p.Source) > maxSourceBytes {
		const words = "%s with what it is fed has %d bytes as a program, and may have %d: feed it less in one line"
		return p, fmt.Errorf(words, l.File, len(p.Source), maxSourceBytes)
	}
	return p, nil
}

// definitions are the functions that a text defines, at any depth, for extern "C" may have braces. A main that a
// preprocessor's condition may leave out, which harnesses have for use without a fuzzer, is none.
func definitions(src string) map[string]bool {
	found := map[string]bool{}
	var last, word clex.Token
	conditions, depth, head := 0, 0, "" // head is the function whose parameters are read
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
				found[head] = true
			}
			head = ""
		case head != "" && t.Text == "(":
			depth++
		case head != "" && t.Text == ")":
			depth--
		case t.Text == "(" && last.Kind == clex.Word && !t.Directive && word.Kind == clex.Word &&
			word.Text != "return" && word.Text != "else":
			if last.Text != "main" || conditions == 0 {
				head, depth = last.Text, 1
			}
		}
		word, last = last, t
	}
	return found
}

// A driver is a text whose main or harness is called by a main of ours.
type driver struct {
	Source           string
	Main, Initialize bool   // that it defines
	One              string // harnessOne
	Inputs           []input
	Args             []string // with the program's name
}

// An input is a file that a driver is fed.
type input struct {
	Name string
	Data []byte
}

// Directories are those that the inputs lie in, each after the one it lies in.
func (d driver) Directories() (dirs []string) {
	for _, in := range d.Inputs {
		for dir := path.Dir(in.Name); dir != "."; dir = path.Dir(dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// driverText writes the main of a driver. A driver's own main finds its files in the working directory, where they
// lie as in the output directory. A harness gets its inputs as libFuzzer gives them: each in memory of its size.
//
//go:embed driver.tmpl
var driverText string

var drivers = template.Must(template.New("").Funcs(template.FuncMap{"quote": quoted[string], "data": quoted[[]byte]}).Parse(driverText))

// quoted writes bytes as a C string. Three octal digits cannot run into what follows, and no mark is left that
// could begin a trigraph.
func quoted[T string | []byte](data T) string {
	const line = 100 // bytes of the text
	var b strings.Builder
	b.WriteByte('"')
	for i, c := range []byte(data) {
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
