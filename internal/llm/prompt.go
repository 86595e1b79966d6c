package llm

import (
	"errors"
	"regexp"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Shorten cuts a text that goes into a prompt to about most bytes: at a line if one ends in the
// second half, else between characters. An ellipsis says that it was cut.
func Shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	if i := strings.LastIndexByte(text[:most], '\n'); i > most/2 {
		return text[:i] + "\n…"
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// ShortenSentence is Shorten for the words of a document. It cuts behind the last sentence or
// paragraph that ends in time, so that none is quoted in part, and says that there is more.
func ShortenSentence(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := 0
	for _, m := range sentenceEnd.FindAllStringIndex(text[:most], -1) {
		end = m[0] + 1
	}
	if end == 0 {
		return Shorten(text, most)
	}
	return strings.TrimRight(text[:end], " \n") + "\n[The document goes on.]"
}

var (
	sentenceEnd  = regexp.MustCompile(`[.!?;:)](?:\s)|\n\s*\n`)
	absolutePath = regexp.MustCompile(`(?:/[^\s/:()'"]+)+/([^\s/:()'"]+)`)
	offset       = regexp.MustCompile(`\(([^()\s]+)\+0x[0-9a-f]+\)`) // in a module, of a sanitizer's trace
	address      = regexp.MustCompile(`\b0x[0-9a-f]{5,}\b`)
	reporter     = regexp.MustCompile(`==\d+==`)
	buildID      = regexp.MustCompile(` \(BuildId: [0-9a-f]+\)`)
)

// Portable leaves out of a diagnostic what differs from run to run and from machine to machine: directories but the
// system's, addresses, offsets in modules, process numbers and the build IDs of binaries. The same answers are to lead
// to the same requests everywhere.
func Portable(diagnostic string) string {
	diagnostic = absolutePath.ReplaceAllStringFunc(diagnostic, func(path string) string {
		if strings.HasPrefix(path, "/usr/") {
			return path
		}
		return path[strings.LastIndexByte(path, '/')+1:]
	})
	diagnostic = offset.ReplaceAllString(diagnostic, "($1+0x…)")
	return reporter.ReplaceAllString(buildID.ReplaceAllString(address.ReplaceAllString(diagnostic, "0x…"), ""), "")
}

// Incomplete makes trouble with the model the reason why a cell is incomplete; other errors
// are returned as they are.
func Incomplete(err error) error {
	var fault *Error
	if errors.As(err, &fault) || errors.Is(err, ErrNoRecording) {
		return &trial.IncompleteError{Kind: "model", Message: err.Error(), Err: err}
	}
	return err
}
