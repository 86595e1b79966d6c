package llm

import "regexp"

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
var Outcomes = []Outcome{Answered, Code, SeveralCode, BareCode, NoCode, Prose, Refusal, Empty, Truncated, TooLong, ContextLength}

// refusing is how the first sentence of a refusal in prose begins. Only texts without code
// are held against it.
var refusing = regexp.MustCompile(`(?i)^\W*(i['’]?m sorry|i am sorry|sorry,|i apologi[sz]e|i can(no|['’])t |i['’]m unable|i am unable|i won['’]t )`)

// Program returns the program of an answer and its outcome, which is that of the answer where
// there is no text to look at. The program is "" unless the outcome is Code, SeveralCode or
// BareCode.
func Program(a Answer) (code string, o Outcome) {
	if a.Outcome != Answered {
		return "", a.Outcome
	}
	code, o = ExtractCode(a.Text)
	if (o == Prose || o == NoCode) && refusing.MatchString(a.Text) {
		o = Refusal
	}
	return code, o
}
