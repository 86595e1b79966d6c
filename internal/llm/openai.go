package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	openai "github.com/sashabaranov/go-openai"
)

// An endpoint is an OpenAI-compatible API. It makes one try for each request.
type endpoint struct {
	client *openai.Client
	limits Limits
	secret secret
	url    string
	now    func() time.Time
}

func newEndpoint(c Config, key string, now func() time.Time) *endpoint {
	config := openai.DefaultConfig(key)
	config.BaseURL = c.BaseURL
	config.EmptyMessagesLimit = math.MaxUint32 // comments that keep a connection alive; the idle timeout and the byte limit bound them
	connections := http.DefaultTransport.(*http.Transport).Clone()
	connections.MaxIdleConnsPerHost = c.Limits.Concurrency
	config.HTTPClient = &transport{
		client: &http.Client{Transport: connections},
		idle:   c.Limits.IdleTimeout,
		now:    now,
	}
	return &endpoint{client: openai.NewClientWithConfig(config), limits: c.Limits, secret: secret(key), url: c.BaseURL, now: now}
}

// Complete implements Client.
func (e *endpoint) Complete(ctx context.Context, r Request) (Answer, error) {
	// A stream wraps each token, of some four bytes, in some 250 bytes of JSON.
	about := &reply{maxBytes: 64<<10 + 64*int64(e.limits.MaxAnswerBytes)}
	ctx = context.WithValue(ctx, replyKey{}, about)
	try, cancel := context.WithTimeoutCause(ctx, e.limits.RequestTimeout, errRequestTimeout)
	defer cancel()
	ask := e.chat
	if len(r.Texts) > 0 {
		ask = e.embed
	}
	start := e.now()
	a, err := ask(try, r)
	if err != nil && ctx.Err() != nil {
		return Answer{}, context.Cause(ctx)
	}
	ok := err == nil
	if !ok {
		a, ok = outcomeOf(err)
	}
	if ok {
		e.secret.hideIn(&a)
		a.clean()
		a.WallMs = float64(e.now().Sub(start)) / float64(time.Millisecond)
		return a, nil
	}
	fault := e.fault(causeOf(try, err), r)
	fault.RetryAfter = about.retryAfter
	return Answer{}, fault
}

// chatRequest is the request as the API has it.
func chatRequest(r Request) (openai.ChatCompletionRequest, error) {
	out := openai.ChatCompletionRequest{Model: r.Model, ReasoningEffort: r.ReasoningEffort}
	out.MaxTokens = r.MaxTokens //nolint:staticcheck // servers other than OpenAI's know only this name
	for _, m := range r.Messages {
		out.Messages = append(out.Messages, openai.ChatCompletionMessage{Role: m.Role, Content: m.Content})
	}
	if r.Temperature != nil {
		out.Temperature = max(float32(*r.Temperature), math.SmallestNonzeroFloat32)
	}
	if r.Seed != nil {
		seed := int(*r.Seed)
		out.Seed = &seed
	}
	// The reasoning models have another name for the limit, and go-openai knows which they are.
	err := openai.NewReasoningValidator().Validate(out)
	if errors.Is(err, openai.ErrReasoningModelMaxTokensDeprecated) {
		out.MaxTokens, out.MaxCompletionTokens = 0, r.MaxTokens //nolint:staticcheck // see above
		err = openai.NewReasoningValidator().Validate(out)
	}
	if err != nil {
		return out, &Error{
			Failure: Failure{FaultRequest, 0, fmt.Sprintf("model %q: %v", r.Model, err)},
			Hint:    fmt.Sprintf("change the settings of stage %q in llm.stages", r.Stage),
		}
	}
	return out, nil
}

func (e *endpoint) chat(ctx context.Context, r Request) (Answer, error) {
	req, err := chatRequest(r)
	if err != nil {
		return Answer{}, err
	}
	req.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	stream, err := e.client.CreateChatCompletionStream(ctx, req)
	if err != nil {
		return Answer{}, err
	}
	defer stream.Close()
	var a Answer
	var usage *openai.Usage
	var text, refusal strings.Builder
	long := false
	for !long {
		event, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, errTooLong) {
			long = true
			break
		}
		if err != nil {
			return Answer{}, err
		}
		if event.Usage != nil {
			usage = event.Usage
		}
		if event.Model != "" {
			a.Model = event.Model
		}
		for _, c := range event.Choices {
			text.WriteString(c.Delta.Content)
			refusal.WriteString(c.Delta.Refusal)
			if c.FinishReason != "" && c.FinishReason != openai.FinishReasonNull {
				a.FinishReason = string(c.FinishReason)
			}
		}
		long = text.Len() > e.limits.MaxAnswerBytes
	}
	if a.FinishReason == "" && !long {
		return Answer{}, io.ErrUnexpectedEOF
	}
	a.Text, a.Detail = text.String(), refusal.String()
	a.settle(r, usage, e.limits.MaxAnswerBytes, long)
	return a, nil
}

func (e *endpoint) embed(ctx context.Context, r Request) (Answer, error) {
	resp, err := e.client.CreateEmbeddings(ctx, openai.EmbeddingRequestStrings{
		Input: r.Texts, Model: openai.EmbeddingModel(r.Model), EncodingFormat: openai.EmbeddingEncodingFormatFloat,
	})
	if err != nil {
		return Answer{}, err
	}
	return embeddingAnswer(resp, r)
}

func embeddingAnswer(resp openai.EmbeddingResponse, r Request) (Answer, error) {
	a := Answer{Outcome: Answered, Model: string(resp.Model), Vectors: make([][]float32, len(r.Texts))}
	for _, d := range resp.Data {
		if d.Index >= 0 && d.Index < len(a.Vectors) {
			a.Vectors[d.Index] = d.Embedding
		}
	}
	for i, v := range a.Vectors {
		if len(v) == 0 {
			return Answer{}, &malformedError{fmt.Sprintf("no embedding of text %d of %d", i+1, len(r.Texts))}
		}
	}
	a.Usage = usageOf(&resp.Usage, r, 0)
	a.Usage.OutputTokens = 0
	return a, nil
}

// settle fills in the outcome and the usage of an answer whose texts are there.
func (a *Answer) settle(r Request, usage *openai.Usage, maxBytes int, long bool) {
	a.Usage = usageOf(usage, r, len(a.Text))
	if len(a.Text) > maxBytes {
		long = true
		a.Text = cutText(a.Text, maxBytes)
	}
	switch {
	case long:
		a.Outcome = TooLong
	case a.FinishReason == string(openai.FinishReasonContentFilter), a.Detail != "" && strings.TrimSpace(a.Text) == "":
		a.Outcome = Refusal
	case a.FinishReason == string(openai.FinishReasonLength):
		a.Outcome = Truncated
	case strings.TrimSpace(a.Text) == "":
		a.Outcome = Empty
	default:
		a.Outcome = Answered
	}
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

// usageOf is what the endpoint reported, or an estimate if it reported nothing.
func usageOf(u *openai.Usage, r Request, answerBytes int) Usage {
	if u == nil || u.PromptTokens == 0 && u.CompletionTokens == 0 {
		return Usage{InputTokens: r.inputTokens(), OutputTokens: tokensOf(answerBytes), Estimated: true}
	}
	out := Usage{InputTokens: int64(max(0, u.PromptTokens)), OutputTokens: int64(max(0, u.CompletionTokens))}
	if d := u.PromptTokensDetails; d != nil {
		out.CachedTokens = min(int64(max(0, d.CachedTokens)), out.InputTokens)
	}
	if d := u.CompletionTokensDetails; d != nil {
		out.ReasoningTokens = int64(max(0, d.ReasoningTokens))
	}
	return out
}
