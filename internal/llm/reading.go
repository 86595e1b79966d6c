package llm

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A response is an answer of the API, whole or one event of a stream. Only what is needed has to have the type
// that the API promises.
type response struct {
	Model   words    `json:"model"`
	Choices []choice `json:"choices"`
	Data    []struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
	Usage any `json:"usage"`
	Error any `json:"error"`
}

type choice struct {
	Message      piece `json:"message"` // of a whole answer
	Delta        piece `json:"delta"`   // of an event
	FinishReason words `json:"finish_reason"`
}

type piece struct {
	Content   words      `json:"content"`
	Refusal   words      `json:"refusal"`
	Reasoning words      `json:"reasoning_content"`
	Thoughts  words      `json:"reasoning"` // the same under another name
	ToolCalls []callPart `json:"tool_calls"`
}

// words are a text, or a list of parts with texts. What is neither holds none.
type words string

// UnmarshalJSON implements json.Unmarshaler.
func (w *words) UnmarshalJSON(data []byte) error {
	var v any
	err := json.Unmarshal(data, &v)
	*w = wordsOf(v)
	return err
}

func wordsOf(v any) words {
	var all words
	switch v := v.(type) {
	case string:
		return words(v)
	case []any:
		for _, part := range v {
			all += wordsOf(part)
		}
	case map[string]any:
		if kind := v["type"]; kind != "thinking" && kind != "reasoning" {
			return wordsOf(v["text"])
		}
	}
	return all
}

// count returns the first of some numbers that is there and positive. Each is named by its path, and may be
// a text or a fraction.
func count(v any, paths ...string) int64 {
	for _, path := range paths {
		at := v
		for name := range strings.SplitSeq(path, ".") {
			fields, _ := at.(map[string]any)
			at = fields[name]
		}
		const most = 1e15 // more is none
		if n, err := strconv.ParseFloat(fmt.Sprint(at), 64); err == nil && n >= 1 && n < most {
			return int64(n)
		}
	}
	return 0
}

// usageOf reads what an answer cost, under the names of OpenAI, DeepSeek, Moonshot and Anthropic. Some report
// what the model thought in the total only.
func usageOf(v any) Usage {
	u := Usage{
		InputTokens:  count(v, "prompt_tokens", "input_tokens", "promptTokenCount"),
		OutputTokens: count(v, "completion_tokens", "output_tokens", "candidatesTokenCount"),
		CachedTokens: count(v, "prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens",
			"prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens", "cachedContentTokenCount"),
		ReasoningTokens: count(v, "completion_tokens_details.reasoning_tokens",
			"output_tokens_details.reasoning_tokens", "reasoning_tokens"),
	}
	if count(v, "prompt_tokens") == 0 { // Anthropic's input is what was in no cache
		u.InputTokens += count(v, "cache_read_input_tokens") + count(v, "cache_creation_input_tokens")
	}
	u.CachedTokens = min(u.CachedTokens, u.InputTokens)
	if thought := count(v, "total_tokens", "totalTokenCount") - u.Tokens(); thought > 0 && u.InputTokens > 0 {
		u.OutputTokens += thought
		u.ReasoningTokens = max(u.ReasoningTokens, thought)
	}
	return u
}

// ends has the outcome of each finish reason, in lower case, by OpenAI, Anthropic, Google, Mistral, Zhipu and
// Cohere. Any other is an end that is none.
var ends = map[string]Outcome{
	"": Answered, "null": Answered, "stop": Answered, "eos": Answered, "eos_token": Answered, "end_turn": Answered,
	"stop_sequence": Answered, "pause_turn": Answered, "complete": Answered, "completed": Answered, "tool_calls": Answered,
	"tool_use": Answered, "function_call": Answered,

	"length": Truncated, "incomplete": Truncated, "max_tokens": Truncated, "max_output_tokens": Truncated, "model_length": Truncated,
	"model_context_window_exceeded": Truncated,

	"content_filter": Refusal, "content_filtered": Refusal, "safety": Refusal, "refusal": Refusal, "sensitive": Refusal,
	"recitation": Refusal, "blocklist": Refusal, "prohibited_content": Refusal, "spii": Refusal,
	"guardrail_intervened": Refusal, "error_toxic": Refusal,
}

// A reading is an answer of which parts are there.
type reading struct {
	answer                  Answer
	text, refusal, thoughts strings.Builder
	items                   []item // of responses and of Anthropic's messages
	came                    int    // bytes of deltas so far
}

// add takes a whole answer, or the next event of a stream.
func (a *reading) add(p response) {
	a.answer.Model = cmp.Or(string(p.Model), a.answer.Model)
	for _, c := range p.Choices {
		for _, part := range []piece{c.Message, c.Delta} {
			a.text.WriteString(string(part.Content))
			a.refusal.WriteString(string(part.Refusal))
			a.thoughts.WriteString(string(cmp.Or(part.Reasoning, part.Thoughts)))
			for n, call := range part.ToolCalls {
				a.addCall(n, call)
			}
		}
		if c.FinishReason != "null" {
			a.answer.FinishReason = cmp.Or(string(c.FinishReason), a.answer.FinishReason)
		}
	}
	if u := usageOf(p.Usage); u.Tokens() > 0 {
		a.answer.Usage = u
	}
}

// paid is what an answer has cost so far: as the endpoint reports it, or as it is estimated.
func (a *reading) paid(r Request) Usage {
	came := a.text.Len() + a.thoughts.Len() + a.came
	for _, c := range a.answer.ToolCalls {
		came += len(c.Function.Name) + len(c.Function.Arguments)
	}
	if u := a.answer.Usage; u.Tokens() > 0 || came == 0 {
		return u
	}
	return Usage{InputTokens: r.InputTokens(), OutputTokens: tokensOf(came), Estimated: true}
}

// onlyThoughts is the detail of an answer that was cut off before it began.
const onlyThoughts = "all of max_tokens was spent on reasoning"

// end returns the answer with its outcome, and with its usage estimated if the endpoint reported none. long
// says that it was cut off. An answer that ended for a reason which is no end is an error.
func (a *reading) end(r Request, maxBytes int, long bool) (Answer, error) {
	a.gather()
	out := a.answer
	out.Text, out.Detail, out.Usage = a.text.String(), a.refusal.String(), a.paid(r)
	if out.Usage.Tokens() == 0 {
		out.Usage = Usage{InputTokens: r.InputTokens(), Estimated: true}
	}
	outcome, known := ends[strings.ToLower(out.FinishReason)]
	if outcome == Answered && out.Detail == "" && len(out.ToolCalls) == 0 && strings.TrimSpace(out.Text) == "" {
		out.Text = a.thoughts.String() // servers that take all of an answer for the thoughts before it
	}
	if len(out.Text) > maxBytes {
		long = true
		out.Text = cutText(out.Text, maxBytes)
	}
	blank := strings.TrimSpace(Said(out.Text)) == "" && len(out.ToolCalls) == 0
	switch {
	case long:
		out.Outcome = TooLong
	case !known:
		return Answer{Usage: out.Usage}, &refused{message: fmt.Sprintf("finish reason %q", out.FinishReason), api: true}
	case outcome == Refusal, out.Detail != "" && blank:
		out.Outcome = Refusal
	case outcome == Truncated && blank:
		out.Outcome, out.Detail = Truncated, onlyThoughts
	case outcome == Truncated:
		out.Outcome = Truncated
	case blank:
		out.Outcome = Empty
	default:
		out.Outcome = Answered
	}
	return out, nil
}

// embeddings returns the answer to a request with texts.
func (p response) embeddings(r Request) (Answer, error) {
	var read reading
	read.add(p)
	a := read.answer
	a.Outcome, a.Vectors = Answered, make([][]float32, len(r.Texts))
	for _, d := range p.Data {
		if d.Index >= 0 && d.Index < len(a.Vectors) {
			a.Vectors[d.Index] = d.Embedding
		}
	}
	for i, v := range a.Vectors {
		if len(v) == 0 {
			return Answer{}, &malformedError{fmt.Sprintf("no embedding of text %d of %d", i+1, len(r.Texts))}
		}
	}
	if a.Usage.OutputTokens = 0; a.Usage.InputTokens == 0 {
		a.Usage = Usage{InputTokens: r.InputTokens(), Estimated: true}
	}
	return a, nil
}

// whole returns the answer that a response which is no stream holds. With an error it has what was paid.
func whole(data []byte, r Request, maxBytes int) (Answer, error) {
	var p response
	var a reading
	if r.API.eventful() {
		if err := a.addEvent(data); err != nil {
			return Answer{Usage: a.paid(r)}, err
		}
		return a.end(r, maxBytes, false)
	}
	err := json.Unmarshal(data, &p)
	if err == nil {
		p.Choices = p.Choices[:min(1, len(p.Choices))]
		a.add(p)
	}
	refusal := refusalIn(data)
	switch {
	case refusal != nil && (refusal.api || err != nil || len(p.Choices)+len(p.Data) == 0):
		return Answer{Usage: a.paid(r)}, refusal
	case err != nil:
		return Answer{}, malformed(err, data)
	case len(r.Texts) > 0:
		return p.embeddings(r)
	case len(p.Choices) == 0:
		return Answer{Usage: a.paid(r)}, &malformedError{"a response without choices"}
	}
	return a.end(r, maxBytes, false)
}

// cutText returns at most n bytes of s, and no part of a character.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
