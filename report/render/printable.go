package render

import (
	"bytes"
	"io"
	"regexp"

	"github.com/lisa-bench/lisa-bench/report/doc"
)

// Printable passes text on without the characters that control a terminal: titles, diagnostics and
// notes may come from a suite, a submission or a benchmark that nobody here wrote.
func Printable(w io.Writer) io.Writer { return printable{w} }

type printable struct{ w io.Writer }

// ownStyles are the sequences that Headline writes: bold, green, and neither.
var ownStyles = regexp.MustCompile("\x1b\\[(0|1|32)m")

// Write implements io.Writer. Controls but for newline, tab and ownStyles, those of ISO 6429 in UTF-8 (U+0080 to
// U+009F), and what turns the direction of text become U+FFFD.
func (p printable) Write(text []byte) (int, error) {
	var clean []byte
	next := 0
	for _, style := range append(ownStyles.FindAllIndex(text, -1), []int{len(text), len(text)}) {
		clean = append(clean, bytes.Map(visible, text[next:style[0]])...)
		clean = append(clean, text[style[0]:style[1]]...)
		next = style[1]
	}
	if _, err := p.w.Write(clean); err != nil {
		return 0, err
	}
	return len(text), nil
}

func visible(r rune) rune {
	if doc.Controls(r) {
		return '\uFFFD'
	}
	return r
}
