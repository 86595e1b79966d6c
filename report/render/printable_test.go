package render

import (
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 日本 ± –\n\tx":         "plain é 日本 ± –\n\tx",
		"a\x1b]0;title\x07\x1b[2Jb":   "a\uFFFD]0;title\uFFFD\uFFFD[2Jb",
		"\x1b[1manswer\x1b[0m\x1b[5m": "\x1b[1manswer\x1b[0m\uFFFD[5m", // our own styles
		"\u009b31m\u202egnp.exe\r":    "\uFFFD31m\uFFFDgnp.exe\uFFFD",
	} {
		var got strings.Builder
		if n, err := (printable{&got}).Write([]byte(in)); n != len(in) || err != nil || got.String() != want {
			t.Errorf("%q becomes %q (%d, %v), want %q", in, got.String(), n, err, want)
		}
	}
}
