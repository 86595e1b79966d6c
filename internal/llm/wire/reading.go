package wire

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// A MalformedError is an answer that is not what the protocol asks for.
type MalformedError string

func (e MalformedError) Error() string { return string(e) }

// shownBytes is how much of something unexpected is shown.
const shownBytes = 100

// Malformed says why data is not the JSON of an answer, and how it begins.
func Malformed(err error, data []byte) error {
	return MalformedError(fmt.Sprintf("%v in %s", err, llm.Cut(string(data), shownBytes)))
}

// parse reads JSON of which nothing is promised: what is needed of it is asked for by its path, and may be missing or of
// another type.
func parse(data []byte) (gjson.Result, error) {
	if !json.Valid(data) {
		var v any
		return gjson.Result{}, Malformed(json.Unmarshal(data, &v), data)
	}
	return gjson.ParseBytes(data), nil
}

// words are a text, or those of a part or of a list of parts. What is none of them, and what the model thought, has none.
func words(v gjson.Result) string {
	switch {
	case v.Type == gjson.String:
		return v.Str
	case v.IsArray():
		var all strings.Builder
		for _, part := range v.Array() {
			all.WriteString(words(part))
		}
		return all.String()
	case v.IsObject():
		if kind := kindOf(v); kind != "thinking" && kind != "reasoning" && !v.Get("thought").Bool() {
			return words(v.Get("text")) + words(v.Get("content"))
		}
	}
	return ""
}

// kindOf is the type of an item or a part; "" of a text.
func kindOf(v gjson.Result) string {
	if !v.IsObject() {
		return ""
	}
	return v.Get("type").String()
}

// firstWords are those of the first of some fields that has any.
func firstWords(v gjson.Result, fields ...string) string {
	for _, name := range fields {
		if text := words(v.Get(name)); text != "" {
			return text
		}
	}
	return ""
}

// count returns the first of some numbers that is there and positive. It may be a text or a fraction.
func count(v gjson.Result, paths ...string) int64 {
	for _, path := range paths {
		const most = 1e15 // more is none
		if n, err := strconv.ParseFloat(v.Get(path).String(), 64); err == nil && n >= 1 && n < most {
			return int64(n)
		}
	}
	return 0
}

// usageOf reads what an answer cost, under the names of OpenAI, DeepSeek, Moonshot, Anthropic and Google. Some report
// what the model thought in the total only.
func usageOf(v gjson.Result) llm.Usage {
	if !v.IsObject() {
		return llm.Usage{}
	}
	u := llm.Usage{
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
var ends = map[string]llm.Outcome{
	"": llm.Answered, "stop": llm.Answered, "eos": llm.Answered, "eos_token": llm.Answered, "end_turn": llm.Answered,
	"stop_sequence": llm.Answered, "pause_turn": llm.Answered, "complete": llm.Answered, "completed": llm.Answered, "tool_calls": llm.Answered,
	"tool_use": llm.Answered, "function_call": llm.Answered,

	"length": llm.Truncated, "incomplete": llm.Truncated, "max_tokens": llm.Truncated, "max_output_tokens": llm.Truncated,
	"model_length": llm.Truncated, "model_context_window_exceeded": llm.Truncated,

	"content_filter": llm.Refusal, "content_filtered": llm.Refusal, "safety": llm.Refusal, "refusal": llm.Refusal, "sensitive": llm.Refusal,
	"recitation": llm.Refusal, "blocklist": llm.Refusal, "prohibited_content": llm.Refusal, "spii": llm.Refusal,
	"guardrail_intervened": llm.Refusal, "error_toxic": llm.Refusal,
}

// A reading is an answer of any API of which parts are there.
type reading struct {
	answer                  llm.Answer
	text, refusal, thoughts strings.Builder
	came                    int  // bytes of deltas that are not read, because all of it comes again
	begun                   bool // there is something of an answer
}

// add takes a whole answer, or the next event of a stream. It is an error if it reports one.
func (a *reading) add(data []byte) error {
	v, err := parse(data)
	if err != nil || !v.IsObject() {
		return err
	}
	a.take(v)
	refusal := cmp.Or(RefusalOf(v.Get("error")), RefusalOf(v.Get("response.error")))
	if kindOf(v) == "error" {
		refusal = RefusalOf(v)
	}
	if refusal != nil {
		return refusal
	}
	return nil
}

// take takes what there is of an answer. An event of a response or of a message may have all of it so far.
func (a *reading) take(v gjson.Result) {
	for _, field := range []string{"response", "message"} {
		if whole := v.Get(field); whole.IsObject() {
			a.take(whole)
		}
	}
	choice, candidate, delta := v.Get("choices.0"), v.Get("candidates.0"), v.Get("delta")
	a.begun = a.begun || choice.Exists() || slices.ContainsFunc([]string{"content", "output", "candidates", "promptFeedback"},
		func(field string) bool { return v.Get(field).Exists() })
	a.answer.Model = cmp.Or(words(v.Get("model")), a.answer.Model)
	a.answer.Usage = most(most(a.answer.Usage, usageOf(v.Get("usage"))), usageOf(v.Get("usageMetadata")))
	status := v.Get("status")
	if text := status.String(); text != "completed" && text != "incomplete" {
		status = gjson.Result{} // of an answer that goes on
	}
	for _, reason := range []gjson.Result{status, v.Get("incomplete_details.reason"), v.Get("stop_reason"), delta.Get("stop_reason"),
		choice.Get("finish_reason"), candidate.Get("finishReason")} {
		if text := words(reason); text != "" && text != "null" {
			a.answer.FinishReason = text
		}
	}
	a.piece(choice.Get("message"))
	a.piece(choice.Get("delta"))
	a.parts(candidate.Get("content.parts"))
	for _, whole := range []gjson.Result{v.Get("content"), v.Get("output")} {
		if len(whole.Array()) > 0 {
			a.text.Reset()
			a.answer.ToolCalls = nil
			a.parts(whole)
		}
	}
	switch last := len(a.answer.ToolCalls) - 1; kindOf(v) {
	case "response.output_item.done":
		a.part(v.Get("item"))
	case "content_block_start":
		a.part(v.Get("content_block"))
		if len(a.answer.ToolCalls) > last+1 {
			a.answer.ToolCalls[last+1].Function.Arguments = "" // the deltas have them
		}
	case "content_block_delta":
		a.text.WriteString(words(delta.Get("text")))
		if last >= 0 {
			a.answer.ToolCalls[last].Function.Arguments += words(delta.Get("partial_json"))
		}
		fallthrough
	default:
		a.came += len(delta.Raw)
	}
}

// piece takes the message of chat completions, or what an event adds to it.
func (a *reading) piece(p gjson.Result) {
	a.text.WriteString(words(p.Get("content")))
	a.refusal.WriteString(words(p.Get("refusal")))
	a.thoughts.WriteString(firstWords(p, "reasoning_content", "reasoning"))
	a.calls(p.Get("tool_calls"))
}

// calls takes the calls of a message of chat completions, or what an event adds to them.
func (a *reading) calls(list gjson.Result) {
	for n, c := range list.Array() {
		if index := c.Get("index"); index.Exists() {
			n = int(index.Int())
		}
		a.call(n, words(c.Get("id")), c.Get("function"), "arguments")
	}
}

func (a *reading) parts(list gjson.Result) {
	for _, p := range list.Array() {
		a.part(p)
	}
}

// part takes a part of a message, or an item of a response: a text or a call.
func (a *reading) part(p gjson.Result) {
	n := len(a.answer.ToolCalls)
	switch kindOf(p) {
	case "tool_use", "custom_tool_call":
		a.call(n, firstWords(p, "call_id", "id"), p, "input")
	case "function_call":
		a.call(n, words(p.Get("call_id")), p, "arguments")
	default:
		if f := p.Get("functionCall"); p.IsObject() && f.Exists() {
			a.call(n, words(f.Get("id")), f, "args")
			return
		}
		a.text.WriteString(words(p))
	}
}

// call takes the n-th call, or what an event adds to it: its function's name and its arguments, which are a text or, of
// some servers, the object itself.
func (a *reading) call(n int, id string, function gjson.Result, arguments string) {
	const most = 128 // of OpenAI's API
	if n < 0 || n >= most {
		return
	}
	for k := len(a.answer.ToolCalls); k <= n; k++ {
		a.answer.ToolCalls = append(a.answer.ToolCalls, llm.ToolCall{ID: fmt.Sprintf("call_%d", k+1), Type: "function"})
	}
	c := &a.answer.ToolCalls[n]
	c.ID = cmp.Or(id, c.ID)
	c.Function.Name += words(function.Get("name"))
	switch given := function.Get(arguments); given.Type {
	case gjson.String:
		c.Function.Arguments += given.Str
	case gjson.JSON:
		c.Function.Arguments += given.Raw
	}
}

// paid is what an answer has cost so far: as the endpoint reports it, or as it is estimated.
func (a *reading) paid(r llm.Request) llm.Usage {
	read := a.text.Len() + a.thoughts.Len()
	for _, c := range a.answer.ToolCalls {
		read += len(c.Function.Name) + len(c.Function.Arguments)
	}
	came := max(read, a.came)
	if u := a.answer.Usage; u.Tokens() > 0 || came == 0 {
		return u
	}
	return llm.Usage{InputTokens: r.InputTokens(), OutputTokens: llm.TokensOf(came), Estimated: true}
}

// OnlyThoughts is the detail of an answer that was cut off before it began.
const OnlyThoughts = "all of max_tokens was spent on reasoning"

// end returns the answer with its outcome, and with its usage estimated if the endpoint reported none. long
// says that it was cut off. An answer that ended for a reason which is no end is an error.
func (a *reading) end(r llm.Request, maxBytes int, long bool) (llm.Answer, error) {
	out := a.answer
	out.Text, out.Detail, out.Usage = a.text.String(), a.refusal.String(), a.paid(r)
	if out.Usage.Tokens() == 0 {
		out.Usage = llm.Usage{InputTokens: r.InputTokens(), Estimated: true}
	}
	outcome, known := ends[strings.ToLower(out.FinishReason)]
	if outcome == llm.Answered && out.Detail == "" && len(out.ToolCalls) == 0 && strings.TrimSpace(out.Text) == "" {
		out.Text = a.thoughts.String() // servers that take all of an answer for the thoughts before it
	}
	if len(out.Text) > maxBytes {
		long = true
		out.Text = llm.Cut(out.Text, maxBytes)
	}
	blank := strings.TrimSpace(llm.Said(out.Text)) == "" && len(out.ToolCalls) == 0
	switch {
	case long:
		out.Outcome = llm.TooLong
	case !known:
		return llm.Answer{Usage: out.Usage}, &Refusal{Message: fmt.Sprintf("finish reason %q", out.FinishReason), api: true}
	case outcome == llm.Refusal, out.Detail != "" && blank:
		out.Outcome = llm.Refusal
	case outcome == llm.Truncated && blank:
		out.Outcome, out.Detail = llm.Truncated, OnlyThoughts
	case outcome == llm.Answered && blank:
		out.Outcome = llm.Empty
	default:
		out.Outcome = outcome
	}
	return out, nil
}

// embeddings returns the answer to a request with texts.
func (a *reading) embeddings(v gjson.Result, r llm.Request) (llm.Answer, error) {
	out := a.answer
	out.Outcome, out.Vectors = llm.Answered, make([][]float32, len(r.Texts))
	for _, d := range v.Get("data").Array() {
		i := d.Get("index").Int()
		if i < 0 || i >= int64(len(r.Texts)) {
			continue
		}
		for _, x := range d.Get("embedding").Array() {
			out.Vectors[i] = append(out.Vectors[i], float32(x.Float()))
		}
	}
	for i, vector := range out.Vectors {
		if len(vector) == 0 {
			return llm.Answer{}, MalformedError(fmt.Sprintf("no embedding of text %d of %d", i+1, len(r.Texts)))
		}
	}
	if out.Usage.OutputTokens = 0; out.Usage.InputTokens == 0 {
		out.Usage = llm.Usage{InputTokens: r.InputTokens(), Estimated: true}
	}
	return out, nil
}

// ReadWhole returns the answer that a response which is no stream holds. With an error it has what was paid.
func ReadWhole(data []byte, r llm.Request, maxBytes int) (llm.Answer, error) {
	var a reading
	if err := a.add(data); err != nil {
		return llm.Answer{Usage: a.paid(r)}, err
	}
	v := gjson.ParseBytes(data)
	switch {
	case len(r.Texts) > 0 && v.Get("data.0").Exists():
		return a.embeddings(v, r)
	case a.begun:
		return a.end(r, maxBytes, false)
	}
	if refusal := RefusalOf(v); refusal != nil {
		return llm.Answer{Usage: a.paid(r)}, refusal
	}
	return llm.Answer{Usage: a.paid(r)}, Malformed(errors.New("a response without choices"), data)
}

// ReadShort returns the answer that a text and the calls of functions make, which may be none.
func ReadShort(text string, calls gjson.Result, r llm.Request, maxBytes int) (llm.Answer, error) {
	a := reading{answer: llm.Answer{FinishReason: "stop"}}
	a.text.WriteString(text)
	a.calls(calls)
	return a.end(r, maxBytes, false)
}

// most returns the larger value of each field.
func most(u, v llm.Usage) llm.Usage {
	return llm.Usage{
		InputTokens: max(u.InputTokens, v.InputTokens), CachedTokens: max(u.CachedTokens, v.CachedTokens),
		OutputTokens: max(u.OutputTokens, v.OutputTokens), ReasoningTokens: max(u.ReasoningTokens, v.ReasoningTokens),
	}
}
