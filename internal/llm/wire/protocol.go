package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// A protocol is what an API has of its own. Answers are read alike, whatever API they are of (reading).
type protocol struct {
	keyHeader, keyPrefix string // where a request has the key, and what stands before it
	notBelow             string // the end of a base URL below which the paths are not
	limit, effort, seed  string // where the body of a request has max_tokens and other settings; "" for nowhere
	// of an answer, as the events of a stream and whole
	form func(llm.Answer, llm.Request) (events []object, whole object)
}

var protocols = map[llm.API]protocol{
	llm.Chat: {keyHeader: "Authorization", keyPrefix: "Bearer ",
		limit: limitEverywhere, effort: "reasoning_effort", seed: "seed", form: completion},
	llm.Responses: {keyHeader: "Authorization", keyPrefix: "Bearer ",
		limit: "max_output_tokens", effort: "reasoning.effort", form: response},
	llm.Messages: {keyHeader: "X-Api-Key", limit: limitEverywhere, effort: "output_config.effort", form: message},
	llm.Gemini:   {keyHeader: "X-Goog-Api-Key", notBelow: "/openai", form: content},
}

// protocolOf is that of an API; of what is no API, such as embeddings, that of chat completions.
func protocolOf(a llm.API) protocol {
	if gemini(a) {
		return protocols[llm.Gemini]
	}
	if p, ok := protocols[a]; ok {
		return p
	}
	return protocols[llm.Chat]
}

func gemini(a llm.API) bool { return strings.HasPrefix(string(a), string(llm.Gemini)) }

// Call returns a call of the path that a request is sent to, below a base URL, with the key if there is one.
func Call(ctx context.Context, base string, key Secret, r llm.Request, body []byte) (*http.Request, error) {
	path := PathOf(r)
	base = strings.TrimSuffix(strings.TrimRight(base, "/"), protocolOf(llm.API(path)).notBelow)
	call, err := http.NewRequestWithContext(ctx, http.MethodPost, base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	call.Header.Set("Content-Type", "application/json")
	for name, value := range r.Header {
		call.Header.Set(name, value)
	}
	key.Sign(call, llm.API(path))
	return call, nil
}

// Sign puts the key, if there is one, where an API wants it.
func (s Secret) Sign(call *http.Request, api llm.API) {
	if p := protocolOf(api); s != "" {
		call.Header.Set(p.keyHeader, p.keyPrefix+string(s))
	}
}

// PassOn returns the request that a program from outside has written for an API, with the headers that the API defines.
// own has the stage and the settings of the experiment. The request is asked, recorded and answered as it is, with two
// exceptions: these settings replace its own, and chat completions are sent in the form that the endpoint takes. The
// error tells the program what is wrong.
func PassOn(own llm.Request, api llm.API, body []byte, header map[string]string) (llm.Request, error) {
	body = []byte(strings.ToValidUTF8(string(body), "\uFFFD"))
	v, err := parse(body)
	if err != nil || !v.IsObject() {
		return llm.Request{}, errors.Join(errors.New("the body is no JSON object"), err)
	}
	r := llm.Request{Stage: own.Stage, Model: own.Model, API: api, Header: header}
	set := func(wanted bool, path string, value any) {
		if err == nil && wanted && path != "" {
			body, err = sjson.SetBytes(body, path, value)
		}
	}
	if gemini(api) { // the program chooses its settings
		_, method, _ := strings.Cut(string(api), ":")
		r.API = llm.Gemini + llm.API(own.Model+":"+method)
	} else {
		p := protocolOf(api)
		set(true, "model", own.Model)
		set(own.Temperature != nil, "temperature", own.Temperature)
		set(own.Seed != nil, p.seed, own.Seed)
		if own.MaxTokens > 0 && err == nil {
			body, err = sjson.DeleteBytes(body, limitOpenAI)
		}
		set(own.MaxTokens > 0, p.limit, own.MaxTokens)
		set(own.ReasoningEffort != "", p.effort, own.ReasoningEffort)
	}
	var compact bytes.Buffer // as in a transcript
	err = errors.Join(err, json.Compact(&compact, body))
	r.Body = compact.Bytes()
	return r, err
}

// Streams reports whether the request of a program from outside wants a stream.
func Streams(r llm.Request) bool {
	if gemini(r.API) {
		return strings.HasSuffix(string(r.API), "alt=sse")
	}
	return gjson.GetBytes(r.Body, "stream").Bool()
}
