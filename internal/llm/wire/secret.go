package wire

import (
	"regexp"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// A Secret is an API key. It is never printed: fmt shows it as [key].
type Secret string

// String hides the key.
func (Secret) String() string { return "[key]" }

// GoString hides the key.
func (Secret) GoString() string { return "[key]" }

// likeKey is what keys of the common endpoints look like, also half masked, as in OpenAI's
// answer to a wrong one.
var likeKey = regexp.MustCompile(`\b(sk|pk|gsk|xai|key)-[A-Za-z0-9_*-]{6,}`)

// In reports whether a text holds the key; not one that is but a word, as endpoints on one's own machine have.
func (s Secret) In(text string) bool {
	const word = 12 // bytes
	return len(s) > word && strings.Contains(text, string(s))
}

// Message makes one line of at most 300 bytes, without keys, of an endpoint's error.
func (s Secret) Message(text string) string {
	if s != "" {
		text = strings.ReplaceAll(text, string(s), "[key]")
	}
	text = likeKey.ReplaceAllString(text, "[key]")
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if len(text) > 300 {
		text = llm.Cut(text, 297) + "…"
	}
	return text
}
