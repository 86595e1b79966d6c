// Package wire is the bytes of four APIs: chat completions, responses, Anthropic's messages and Google's. It consumes
// requests and produces what is sent; it reads what came back, an answer or a refusal, whole or streamed; and it answers
// a program that speaks one of these APIs. It asks nobody. Keys are never printed.
package wire

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// A protocol is what an API has of its own. Answers are read alike, whatever API they are of (reading).
type protocol struct {
	keyHeader, keyPrefix string // where a request has the key, and what stands before it
	limit, effort, seed  string // where the body of a request has max_tokens and other settings; "" for nowhere
	// an answer that no endpoint gave, and the events of a stream that make a whole answer
	form   func(llm.Answer, llm.Request) object
	events func(whole gjson.Result) []object
}

var protocols = map[llm.API]protocol{
	llm.Chat: {keyHeader: "Authorization", keyPrefix: "Bearer ",
		limit: limitEverywhere, effort: "reasoning_effort", seed: "seed", form: completion, events: completionEvents},
	llm.Responses: {keyHeader: "Authorization", keyPrefix: "Bearer ",
		limit: "max_output_tokens", effort: "reasoning.effort", form: response, events: responseEvents},
	llm.Messages: {keyHeader: "X-Api-Key",
		limit: limitEverywhere, effort: "output_config.effort", form: message, events: messageEvents},
	llm.Gemini: {keyHeader: "X-Goog-Api-Key", form: content,
		events: func(whole gjson.Result) []object { return []object{fieldsOf(whole)} }},
}

// protocolOf is that of an API; of none, that of chat completions.
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

// The two names of max_tokens on the wire.
const (
	limitEverywhere = "max_tokens"            // the only one that servers other than OpenAI's know
	limitOpenAI     = "max_completion_tokens" // of OpenAI's models that reason, which refuse the other
)

// reasoning are those models.
var reasoning = regexp.MustCompile(`^(o[134]|gpt-5)`)

// PathOf is the path below a base URL that a request is sent to.
func PathOf(r llm.Request) string {
	return string(cmp.Or(r.API, llm.Chat))
}

// Body returns the body of a request. That of a program from outside is its own, but for the name of max_tokens: limit is what
// the endpoint calls it; "" for what the model's name tells.
func Body(r llm.Request, limit string) (data []byte, err error) {
	if data = r.Body; data == nil {
		data, err = llm.Encode(struct {
			Model           string        `json:"model"`
			Messages        []llm.Message `json:"messages,omitempty"`
			Tools           []llm.Tool    `json:"tools,omitempty"`
			Temperature     *float64      `json:"temperature,omitempty"`
			Seed            *int64        `json:"seed,omitempty"`
			ReasoningEffort string        `json:"reasoning_effort,omitempty"`
			MaxTokens       int           `json:"max_tokens,omitempty"`
		}{r.Model, r.Messages, r.Tools, r.Temperature, r.Seed, r.ReasoningEffort, r.MaxTokens})
	}
	var without []string
	if PathOf(r) == string(llm.Chat) {
		if limit == "" && reasoning.MatchString(r.Model) {
			limit = limitOpenAI
		}
		limit = cmp.Or(limit, limitEverywhere)
		for _, name := range []string{limitEverywhere, limitOpenAI} {
			if most := gjson.GetBytes(data, name); err == nil && name != limit && most.Exists() {
				data, err = sjson.SetBytes(data, limit, most.Int())
				without = append(without, name)
			}
		}
	}
	for _, name := range without {
		if err == nil {
			data, err = sjson.DeleteBytes(data, name)
		}
	}
	return data, err
}

// Call returns a call of the path that a request is sent to, below a base URL, with the key if there is one. Google's
// own API is beside /openai.
func Call(ctx context.Context, base, key string, r llm.Request, body []byte) (*http.Request, error) {
	base = strings.TrimRight(base, "/")
	if gemini(r.API) {
		base = strings.TrimSuffix(base, "/openai")
	}
	call, err := http.NewRequestWithContext(ctx, http.MethodPost, base+PathOf(r), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	call.Header.Set("Content-Type", "application/json")
	for name, value := range r.Header {
		call.Header.Set(name, value)
	}
	if p := protocolOf(r.API); key != "" {
		call.Header.Set(p.keyHeader, p.keyPrefix+key)
	}
	return call, nil
}

// PassOn returns the request that a program from outside has written for an API, with the headers that the API defines.
// own has the stage and the settings of the experiment. The request is asked, recorded and answered as it is, with two
// exceptions: these settings replace its own, and max_tokens has the endpoint's name (Body). The error tells the program what is
// wrong.
func PassOn(own llm.Request, api llm.API, body []byte, header map[string]string) (llm.Request, error) {
	v, err := parse(body)
	if err != nil || !v.IsObject() {
		return llm.Request{}, errors.Join(errors.New("the body is no JSON object"), err)
	}
	r := llm.Request{Stage: own.Stage, Model: own.Model, API: api, Header: header}
	body = []byte(v.Raw)
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

// likeKey is what keys of the common endpoints look like, also half masked, as in OpenAI's
// answer to a wrong one.
var likeKey = regexp.MustCompile(`\b(sk|pk|gsk|xai|key)-[A-Za-z0-9_*-]{6,}`)

// Mask makes one line of at most some 300 bytes, without keys, of an endpoint's words.
func Mask(text, key string) string {
	if key != "" {
		text = strings.ReplaceAll(text, key, "[key]")
	}
	text = likeKey.ReplaceAllString(text, "[key]")
	return llm.Shorten(strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " "), 300)
}
