package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// The endpoints of the Batch API that requests are made for.
const (
	chatURL      = "/v1/chat/completions"
	embeddingURL = "/v1/embeddings"
)

// A batchRequest is one line of an input file of OpenAI's Batch API
// (platform.openai.com/docs/guides/batch).
type batchRequest struct {
	CustomID string          `json:"custom_id"`
	Method   string          `json:"method"`
	URL      string          `json:"url"`
	Body     json.RawMessage `json:"body"`
}

// customID names a request in a batch. It is its id, for people, and the beginning of its key, so
// that an answer to another request is never taken for one to this.
func customID(r Request) string {
	safe := strings.Map(func(c rune) rune {
		if c < 128 && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-", c)) {
			return c
		}
		return '_'
	}, r.ID)
	return strings.TrimLeft(safe, ".") + "-" + r.Key()[:12]
}

func batchLine(r Request) ([]byte, error) {
	line := batchRequest{CustomID: customID(r), Method: "POST", URL: chatURL}
	var body any
	if len(r.Texts) > 0 {
		line.URL = embeddingURL
		body = map[string]any{"input": r.Texts, "model": r.Model}
	} else {
		chat, err := chatRequest(r)
		if err != nil {
			return nil, err
		}
		if body, err = readable(chat); err != nil {
			return nil, err
		}
	}
	data, err := encode(body)
	if err != nil {
		return nil, err
	}
	line.Body = withZeroTemperature(data)
	return encode(line)
}

// readable returns the same JSON without the escapes for HTML that go-openai's types make.
func readable(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var out any
	err = dec.Decode(&out)
	return out, err
}

// prompt is a request as a person reads it.
func prompt(r Request) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- %s, stage %s, model %s -->\n", customID(r), r.Stage, r.Model)
	for _, m := range r.Messages {
		fmt.Fprintf(&b, "\n<!-- %s -->\n\n%s\n", m.Role, m.Content)
	}
	for _, t := range r.Texts {
		fmt.Fprintf(&b, "\n<!-- text to embed -->\n\n%s\n", t)
	}
	return b.String()
}

// A batchAnswer is one line of an output or error file: the Batch API's own, or the short
// form {"custom_id": …, "text": …} of whoever answers in its place.
type batchAnswer struct {
	CustomID string  `json:"custom_id"`
	Text     *string `json:"text"`
	Response *struct {
		StatusCode int             `json:"status_code"`
		Body       json.RawMessage `json:"body"`
	} `json:"response"`
	Error *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// A batchProblem is what is wrong with an answer that somebody put into the directory.
type batchProblem struct {
	File string
	Line int // 0 for a file that is one answer
	Text string
}

func (p batchProblem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
}

// parseBatchAnswers reads an output file; each answer has the number of its line. A last line
// without its newline counts if it is whole, for then nothing can follow but the newline.
func parseBatchAnswers(file string, data []byte) (answers map[int]batchAnswer, problems []batchProblem) {
	answers = map[int]batchAnswer{}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		text := bytes.TrimSpace(line)
		if len(text) == 0 {
			continue
		}
		var a batchAnswer
		err := json.Unmarshal(text, &a)
		switch {
		case err != nil && !bytes.HasSuffix(line, []byte("\n")):
			return answers, problems // still being written
		case err != nil:
			problems = append(problems, batchProblem{file, n, "no answer in JSON: " + err.Error()})
		case a.CustomID == "":
			problems = append(problems, batchProblem{file, n, "an answer without custom_id"})
		default:
			answers[n] = a
		}
	}
	return answers, problems
}

// answer makes the answer to r of a line. The error says why the line is none, in words for
// the person who has to mend it.
func (b batchAnswer) answer(r Request, maxBytes int) (Answer, error) {
	var refusal refused
	switch {
	case b.Text != nil && len(r.Texts) > 0:
		return Answer{}, errors.New("a text where embeddings were asked for")
	case b.Text != nil:
		return textAnswer(*b.Text, r, maxBytes), nil
	case b.Response != nil && b.Response.StatusCode == 200:
		return responseAnswer(b.Response.Body, r, maxBytes)
	case b.Response != nil:
		refusal.status = b.Response.StatusCode
		var body openai.ErrorResponse
		if err := json.Unmarshal(b.Response.Body, &body); err == nil && body.Error != nil {
			refusal.message = body.Error.Message
			refusal.code, _ = body.Error.Code.(string)
		}
	case b.Error != nil:
		refusal.code, refusal.message = b.Error.Code, b.Error.Message
	default:
		return Answer{}, errors.New("neither response, nor error, nor text")
	}
	if a, ok := refusal.outcome(); ok {
		a.clean()
		return a, nil
	}
	return Answer{}, fmt.Errorf("not answered: %d %s %s: answer it again, in this file or another", refusal.status, refusal.code, secret("").message(refusal.message))
}

func textAnswer(text string, r Request, maxBytes int) Answer {
	a := Answer{Text: text, FinishReason: "stop"}
	a.settle(r, nil, maxBytes, false)
	a.clean()
	return a
}

func responseAnswer(body []byte, r Request, maxBytes int) (Answer, error) {
	if len(r.Texts) > 0 {
		var resp openai.EmbeddingResponse
		if err := json.Unmarshal(body, &resp); err != nil {
			return Answer{}, err
		}
		return embeddingAnswer(resp, r)
	}
	var resp openai.ChatCompletionResponse
	if err := json.Unmarshal(body, &resp); err != nil {
		return Answer{}, err
	}
	if len(resp.Choices) == 0 {
		return Answer{}, errors.New("a response without choices")
	}
	c := resp.Choices[0]
	a := Answer{Text: c.Message.Content, Detail: c.Message.Refusal, FinishReason: string(c.FinishReason), Model: resp.Model}
	a.settle(r, &resp.Usage, maxBytes, false)
	a.clean()
	return a, nil
}
