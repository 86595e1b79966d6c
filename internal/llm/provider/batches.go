package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/sashabaranov/go-openai"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/batch"
	"github.com/lisa-bench/lisa-bench/internal/llm/wire"
)

// batches returns the endpoint's Batch API; nil without an endpoint.
func (e *endpoint) batches() *batch.Endpoint {
	if e == nil {
		return nil
	}
	c := openai.DefaultConfig("") // the key stays here
	c.BaseURL, c.HTTPClient = strings.TrimRight(e.config.BaseURL, "/"), wholeAnswers{e}
	retry := func(ctx context.Context, what string, do func() error) error {
		_, err := e.retry(ctx, what, e.config.Limits.Tries, do)
		if err == nil {
			e.pace.answered()
		}
		return err
	}
	return &batch.Endpoint{API: openai.NewClientWithConfig(c), Retry: retry, Mask: e.key.Message}
}

// wholeAnswers calls an endpoint with its key and reads the whole answer: JSON, but for the content of a file. Errors are
// *llm.Error.
type wholeAnswers struct{ *endpoint }

// Do implements openai.HTTPDoer.
func (e wholeAnswers) Do(call *http.Request) (*http.Response, error) {
	const most = 256 << 20 // bytes
	ctx, end := context.WithTimeoutCause(call.Context(), e.config.Limits.RequestTimeout, errRequestTimeout)
	defer end()
	e.key.Sign(call, llm.Chat)
	resp, err := e.do(call.WithContext(ctx), 0)
	if err != nil {
		return nil, e.trouble(llm.Request{}, err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, most))
	if err == nil && !strings.HasSuffix(call.URL.Path, "/content") {
		var v json.RawMessage
		if syntax := json.Unmarshal(data, &v); syntax != nil {
			err = wire.Malformed(syntax, data)
		}
	}
	if err != nil {
		return nil, e.trouble(llm.Request{}, err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(data))
	return resp, nil
}
