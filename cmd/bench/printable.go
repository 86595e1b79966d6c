package main

import (
	"bytes"
	"io"

	"github.com/lisa-bench/lisa-bench/report/doc"
)

// printable passes text on without the characters that control a terminal: titles, diagnostics and
// notes may come from a suite, a submission or a benchmark that nobody here wrote.
type printable struct{ w io.Writer }

// Write implements io.Writer. Controls but for newline and tab, those of ISO 6429 in UTF-8 (U+0080 to
// U+009F), and what turns the direction of text become U+FFFD.
func (p printable) Write(text []byte) (int, error) {
	if i := bytes.IndexFunc(text, doc.Controls); i >= 0 {
		clean := bytes.Map(func(r rune) rune {
			if doc.Controls(r) {
				return '\uFFFD'
			}
			return r
		}, text)
		if _, err := p.w.Write(clean); err != nil {
			return 0, err
		}
		return len(text), nil
	}
	return p.w.Write(text)
}
