package llm

import (
	"regexp"
	"strings"
)

// languages are the info strings of fenced blocks that hold C or C++, in lower case.
var languages = map[string]bool{
	"c": true, "h": true, "c89": true, "c99": true, "c11": true, "c17": true,
	"c++": true, "cpp": true, "cc": true, "cxx": true, "hpp": true, "c++11": true, "c++17": true, "c++20": true,
}

// fence is an opening or closing line of a fenced block as CommonMark 0.31 (section 4.5) has
// it: three or more backticks or tildes, and an info string. Any indent is taken, for models
// put blocks into lists.
var fence = regexp.MustCompile("^([ \\t]*)(`{3,}|~{3,})[ \\t]*([^`]*?)[ \\t]*$")

// definition is the head of a function's body.
var definition = regexp.MustCompile(`\)\s*(const\s*|noexcept\s*)*\{`)

// bareStart is what the first line of a source file may begin with.
var bareStart = regexp.MustCompile(`^(#\s*(include|define|if)|//|/\*|extern\b|static\b|void\b|int\b|using\b|namespace\b|template\b|struct\b|typedef\b)`)

// ExtractCode returns the one program of an answer's text, and how it was found.
//
// A block counts if its language is C or C++; blocks without a language count where no block
// has one of these. Among several the first that defines a function is taken, or else the
// first: what follows it is as a rule an example of use. A block that is never closed ends
// with the text (CommonMark, section 4.5). A text without blocks is code if it begins like a source
// file and defines a function.
func ExtractCode(text string) (code string, o Outcome) {
	blocks := fencedBlocks(text)
	if len(blocks) == 0 {
		bare := strings.TrimSpace(text)
		if bareStart.MatchString(bare) && definition.MatchString(bare) {
			return bare + "\n", BareCode
		}
		return "", Prose
	}
	counted := chosen(blocks, func(b block) bool { return languages[b.language] })
	if len(counted) == 0 {
		counted = chosen(blocks, func(b block) bool { return b.language == "" })
	}
	switch len(counted) {
	case 0:
		return "", NoCode
	case 1:
		return counted[0].text, Code
	}
	for _, b := range counted {
		if definition.MatchString(b.text) {
			return b.text, SeveralCode
		}
	}
	return counted[0].text, SeveralCode
}

// A block is one fenced block of Markdown.
type block struct {
	language string // lower case, "" if it names none
	text     string // every line with its newline
}

// chosen returns the blocks that pass and are not blank.
func chosen(blocks []block, pass func(block) bool) []block {
	var out []block
	for _, b := range blocks {
		if pass(b) && strings.TrimSpace(b.text) != "" {
			out = append(out, b)
		}
	}
	return out
}

func fencedBlocks(text string) []block {
	var blocks []block
	var indent, open string // of the line that the current block began with
	var body strings.Builder
	closeBlock := func() {
		blocks[len(blocks)-1].text = body.String()
		body.Reset()
		open = ""
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		m := fence.FindStringSubmatch(line)
		switch {
		case open == "" && m != nil:
			indent, open = m[1], m[2]
			language, _, _ := strings.Cut(strings.ToLower(m[3]), " ")
			blocks = append(blocks, block{language: strings.Trim(language, "{}.")})
		case open != "" && m != nil && m[3] == "" && strings.HasPrefix(m[2], open):
			closeBlock()
		case open != "":
			body.WriteString(strings.TrimPrefix(line, indent))
			body.WriteByte('\n')
		}
	}
	if open != "" {
		closeBlock()
	}
	return blocks
}
