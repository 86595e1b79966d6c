package llm

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// An Outcome says what became of one request that was answered. The first group is known
// when the answer comes and recorded with it. The second group, of answers that were to hold a
// program, is found by Program from the text alone. The zero value is invalid.
type Outcome string

// The outcomes of answers.
const (
	Answered      Outcome = "answered"
	Refusal       Outcome = "refusal"        // by the model, or by the endpoint's filter
	Empty         Outcome = "empty"          // nothing but white space
	Truncated     Outcome = "truncated"      // finish reason length: max_tokens were used up
	TooLong       Outcome = "too_long"       // cut off by the harness, at max_answer_bytes
	ContextLength Outcome = "context_length" // the request is longer than the model can read

	Code        Outcome = "code"         // one block of C or C++
	SeveralCode Outcome = "several_code" // more than one; see ExtractCode for which is taken
	BareCode    Outcome = "bare_code"    // no block, and the whole text is code
	NoCode      Outcome = "no_code"      // blocks, none of them of C or C++
	Prose       Outcome = "prose"        // no block, and no code
)

// Outcomes lists every outcome in the order in which tables print them.
var Outcomes = []Outcome{
	Answered, Code, SeveralCode, BareCode, NoCode, Prose, Refusal, Empty, Truncated, TooLong, ContextLength,
}

var (
	// refusing is how the first sentence of a refusal in prose begins. Only texts without code
	// are held against it.
	refusing = regexp.MustCompile(`(?i)^\W*(i['’]?m sorry|i am sorry|sorry,|i apologi[sz]e|i can(no|['’])t |i['’]m unable|i am unable|i won['’]t )`)
	// language is the info string of a fenced block that holds C or C++.
	language = regexp.MustCompile(`^(c|h|c89|c99|c11|c17|c\+\+|cpp|cc|cxx|hpp|c\+\+11|c\+\+17|c\+\+20)$`)
	// fence is an opening or closing line of a fenced block as CommonMark 0.31 (section 4.5) has
	// it: three or more backticks or tildes, and an info string. Any indent is taken, for models
	// put blocks into lists.
	fence = regexp.MustCompile("^([ \\t]*)(`{3,}|~{3,})[ \\t]*([^`]*?)[ \\t]*$")
	// definition is the head of a function's body.
	definition = regexp.MustCompile(`\)\s*(const\s*|noexcept\s*)*\{`)
	// test is the head of a test function: of C with such a name, or of GoogleTest.
	test = regexp.MustCompile(`(?im)^[\w \t*]*\btest\w*\s*\([^;{}]*\)\s*(noexcept\s*)?\{`)
	// thought is the end of what a model thinks before it answers, and thinking the beginning.
	thought  = regexp.MustCompile(`(?i)[<[]/(seed:)?(think|thinking|thought|reasoning)[>\]]`)
	thinking = regexp.MustCompile(`(?i)^\s*[<[](seed:)?(think|thinking|thought|reasoning)[>\]]`)
	// bareStart is what the first line of a source file may begin with.
	bareStart = regexp.MustCompile(`^(#\s*(include|define|if)|//|/\*|extern\b|static\b|void\b|int\b|using\b|namespace\b|template\b|struct\b|typedef\b)`)
)

// Program returns the program of an answer and its outcome, which is that of the answer where
// there is no text to look at. The program is "" unless the outcome is Code, SeveralCode or
// BareCode.
func Program(a Answer) (code string, o Outcome) {
	if a.Outcome != Answered {
		return "", a.Outcome
	}
	code, o = ExtractCode(a.Text)
	if (o == Prose || o == NoCode) && refusing.MatchString(Said(a.Text)) {
		o = Refusal
	}
	return code, o
}

// ExtractCode returns the one program of an answer's text, and how it was found.
//
// A block counts if its language is C or C++; blocks without a language count where no block
// has one of these. Among several the first that defines a test function is taken, or else the first that
// defines any, or else the first: what follows it is as a rule an example of use. A block that is never closed
// ends with the text (CommonMark, section 4.5). A text without blocks is code if it begins like a source
// file and defines a function. What a model thought before it answered does not count.
func ExtractCode(text string) (code string, o Outcome) {
	text = Said(text)
	blocks := fencedBlocks(text)
	if len(blocks) == 0 {
		bare := strings.TrimSpace(text)
		if bareStart.MatchString(bare) && definition.MatchString(bare) {
			return bare + "\n", BareCode
		}
		return "", Prose
	}
	var named, unnamed []string
	for _, b := range blocks {
		switch text := b.text.String(); {
		case strings.TrimSpace(text) == "":
		case language.MatchString(b.language):
			named = append(named, text)
		case b.language == "":
			unnamed = append(unnamed, text)
		}
	}
	counted := named
	if len(named) == 0 {
		counted = unnamed
	}
	switch len(counted) {
	case 0:
		return "", NoCode
	case 1:
		return counted[0], Code
	}
	for _, wanted := range []*regexp.Regexp{test, definition} {
		if i := slices.IndexFunc(counted, wanted.MatchString); i >= 0 {
			return counted[i], SeveralCode
		}
	}
	return counted[0], SeveralCode
}

// Said returns an answer's text without what the model thought before it: what stands between <think> and
// </think>, or before a </think> at a line's begin or end, for some endpoints take off the first tag.
func Said(text string) string {
	begun := thinking.MatchString(text)
	from := 0
	for _, at := range thought.FindAllStringIndex(text, -1) {
		before, after := strings.TrimRight(text[:at[0]], " \t"), strings.TrimLeft(text[at[1]:], " \t\r")
		atEdge := before == "" || strings.HasSuffix(before, "\n") || after == "" || strings.HasPrefix(after, "\n")
		if atEdge || begun && from == 0 {
			from = at[1]
		}
	}
	if begun && from == 0 {
		return ""
	}
	return text[from:]
}

// A block is one fenced block of Markdown.
type block struct {
	language string          // lower case, "" if it names none
	text     strings.Builder // every line with its newline
}

func fencedBlocks(text string) []*block {
	var blocks []*block
	var indent, open string // of the line that the current block began with
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		m := fence.FindStringSubmatch(line)
		switch {
		case open == "" && m != nil:
			indent, open = m[1], m[2]
			word, _, _ := strings.Cut(strings.ToLower(m[3]), " ")
			blocks = append(blocks, &block{language: strings.Trim(word, "{}.")})
		case open != "" && m != nil && m[3] == "" && strings.HasPrefix(m[2], open):
			open = ""
		case open != "":
			blocks[len(blocks)-1].text.WriteString(strings.TrimPrefix(line, indent) + "\n")
		}
	}
	return blocks
}

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
