package llm

import (
	"regexp"
	"strings"
)

// A secret is an API key. It is never printed: fmt shows it as [key].
type secret string

func (secret) String() string   { return "[key]" }
func (secret) GoString() string { return "[key]" }

// likeKey is what keys of the common endpoints look like, also half masked, as in OpenAI's
// answer to a wrong one.
var likeKey = regexp.MustCompile(`\b(sk|pk|gsk|xai|key)-[A-Za-z0-9_*-]{6,}`)

// hide takes the key out of what an endpoint said.
func (s secret) hide(text string) string {
	if s != "" {
		text = strings.ReplaceAll(text, string(s), "[key]")
	}
	return text
}

// in reports whether a text holds the key; not one that is but a word, as endpoints on one's own machine have.
func (s secret) in(text string) bool {
	const word = 12 // bytes
	return len(s) > word && strings.Contains(text, string(s))
}

// message makes one line of at most 300 bytes, without keys, of an endpoint's error.
func (s secret) message(text string) string {
	text = likeKey.ReplaceAllString(s.hide(text), "[key]")
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if len(text) > 300 {
		text = cutText(text, 297) + "…"
	}
	return text
}
