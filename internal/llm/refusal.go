package llm

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A refused is an endpoint's answer with an error in it: of HTTP, in a stream, or in a line of a batch.
type refused struct {
	status  int // 0 where the status promised an answer, and the error names none
	code    string
	param   string // that it is about
	message string
	api     bool          // it had the form of OpenAI's errors
	after   time.Duration // that it asks to wait for; 0 if it asks for nothing
}

func (e *refused) Error() string { return fmt.Sprintf("%d %s %s", e.status, e.code, e.message) }

// statuses are those of errors that come by name, in an answer whose own status promised another.
var statuses = map[string]int{
	"invalid_api_key": http.StatusUnauthorized, "authentication_error": http.StatusUnauthorized,
	"insufficient_quota": http.StatusPaymentRequired, "permission_error": http.StatusForbidden,
	"model_not_found": http.StatusNotFound, "not_found_error": http.StatusNotFound,
	"invalid_request_error": http.StatusBadRequest, "context_length_exceeded": http.StatusBadRequest,
	"content_filter": http.StatusBadRequest, "content_policy_violation": http.StatusBadRequest,
	"rate_limit_error": http.StatusTooManyRequests, "rate_limit_exceeded": http.StatusTooManyRequests,
}

// refusedBy reads what came with a status instead of an answer.
func refusedBy(status int, text []byte) *refused {
	e := refusalIn(text)
	if e == nil {
		e = &refused{message: cutText(string(text), shownBytes)}
	}
	e.status = status
	return e
}

// refusalIn returns the error that JSON holds; nil if it holds none.
func refusalIn(data []byte) *refused {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return nil
	}
	return refusalOf(v)
}

// refusalOf is refusalIn of decoded JSON: a text, a list of errors, an object with an error, or one with a
// message, which may be any JSON.
func refusalOf(v any) *refused {
	switch v := v.(type) {
	case string:
		if v != "" {
			return &refused{message: v}
		}
	case []any:
		if len(v) > 0 {
			return refusalOf(v[0])
		}
	case map[string]any:
		if e := refusalOf(v["error"]); e != nil {
			e.api = true
			return e
		}
		return refusalWith(v)
	}
	return nil
}

// refusalWith reads an object with a message, under one of the names that it has at OpenAI, in pydantic and at
// others. OpenRouter hands on the words of its provider as well.
func refusalWith(fields map[string]any) *refused {
	e := &refused{}
	if n := int(count(fields, "code", "status", "statusCode")); n >= 400 && n < 600 {
		e.status = n
	}
	for _, name := range []string{"message", "msg", "detail"} {
		if text, is := fields[name].(string); is {
			e.message = text
		} else if data, err := encode(fields[name]); err == nil && fields[name] != nil {
			e.message = string(data)
		}
		if e.message != "" {
			break
		}
	}
	if origin, ok := fields["metadata"].(map[string]any); ok && origin["raw"] != nil {
		e.message += fmt.Sprintf(": %v", origin["raw"])
	}
	e.param, _ = fields["param"].(string)
	for _, name := range []string{"type", "code"} {
		if text, is := fields[name].(string); is {
			e.code = text
		}
		if e.status == 0 {
			e.status = statuses[e.code]
		}
	}
	if e.message == "" && fields["code"] == nil {
		return nil
	}
	return e
}

var (
	// tooManyTokens is how endpoints say that a request is longer than the model can read, where they give no
	// code for it (OpenAI, vLLM, llama.cpp, OpenRouter, Anthropic, Google, Mistral, Cohere, TGI, Bedrock).
	tooManyTokens = regexp.MustCompile(`(?i)context[ _](length|window|size|limit)|maximum context|` +
		`too many (input )?tokens|(prompt|input|request|message)s? (is|are|was) too (long|large)|prompt too long|(input|prompt) token count|` +
		`(input|prompt|sequence) (length|tokens?) .{0,60}(exceed|longer|too long|larger|must be)|inputs. tokens \+|` +
		`reduce the (length|size) of|range of input length|maximum (input|prompt|sequence) length`)
	// filtered is how they say that their filter took the request for something else (Azure, OpenRouter, Alibaba).
	filtered = regexp.MustCompile(`(?i)content[ _](filter|policy|management|moderation)|data_inspection_failed|` +
		`inappropriate content|flagged|moderation`)
	// noSuchModel is how endpoints say that they have no such model.
	noSuchModel = regexp.MustCompile(
		`(?i)model.{0,80}(not found|does not exist|not exist|unknown|not available)|(unknown|invalid|no such) model`)
	// unsupported is how they say that they do not take a parameter, whatever its value.
	unsupported = regexp.MustCompile(`(?i)unsupported|not supported|unknown|unrecogni[sz]ed|unexpected|` +
		`extra_forbidden|extra (inputs|fields)|not permitted|not allowed|use .?max_`)
)

// aboutRequest reports a refusal of a request for what stands in it.
func (e *refused) aboutRequest() bool {
	about := []int{http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented}
	return slices.Contains(about, e.status)
}

// names reports whether the refusal is about one of some parameters, or has it as a word.
func (e *refused) names(parameters ...string) bool {
	word := regexp.MustCompile(`(?i)\b(` + strings.Join(parameters, "|") + `)\b`)
	return slices.Contains(parameters, e.param) || word.MatchString(e.message)
}

// outcome returns the outcome that an error stands for, where it is about this request and nothing else: too
// long a request, or a filter's refusal; "" where it is a fault. larger says that the settings of the request
// were taken before, and only smaller requests with them.
func (e *refused) outcome(larger bool) Outcome {
	phrased := e.aboutRequest() || e.status == http.StatusInternalServerError || e.status == 0
	f, _ := e.fault(Request{})
	switch {
	case e.status == http.StatusRequestEntityTooLarge:
		return ContextLength
	case phrased && (e.code == "context_length_exceeded" || tooManyTokens.MatchString(e.message)):
		return ContextLength
	case (e.aboutRequest() || e.status == http.StatusForbidden) && filtered.MatchString(e.code+" "+e.message):
		return Refusal
	case larger && e.aboutRequest() && f == FaultRequest:
		return ContextLength
	}
	return ""
}

// words are what the endpoint answered, to follow its address.
func (e *refused) words() string {
	text := fmt.Sprintf(" answered %d %s", e.status, http.StatusText(e.status))
	if e.status == 0 {
		text = " broke off with an error"
	}
	if message := strings.TrimSpace(e.message); message != "" {
		text += ": " + message
	}
	return text
}

// fault says what a refusal means, and what to do.
func (e *refused) fault(r Request) (Fault, string) {
	switch {
	case e.status == http.StatusUnauthorized, e.status == http.StatusForbidden:
		return FaultKey, "the endpoint rejects the key: check the variable that llm.api_key_env names"
	case e.status == http.StatusPaymentRequired, e.code == "insufficient_quota":
		return FaultQuota, "the account has no credit left; run the same command again to resume"
	case e.status == http.StatusNotFound && (e.api || noSuchModel.MatchString(e.message)), e.code == "model_not_found",
		e.status == http.StatusBadRequest && noSuchModel.MatchString(e.message):
		return FaultModel, fmt.Sprintf("give stage %q a model that the endpoint has instead of %q", r.Stage, r.Model)
	case e.status == http.StatusNotFound, e.status == http.StatusMethodNotAllowed, e.status >= 300 && e.status < 400:
		return FaultContentType, checkAddress
	case e.status == http.StatusTooManyRequests:
		return FaultRate, "lower llm.limits.requests_per_minute, tokens_per_minute or concurrency"
	case e.status < 300, e.status >= 500, e.status == http.StatusRequestTimeout, e.status == http.StatusConflict,
		e.status == http.StatusTooEarly:
		return FaultServer, "the endpoint reports a server error; run the same command again to resume"
	}
	const hint = "the endpoint rejects the request: check the settings of stage %q in llm"
	return FaultRequest, fmt.Sprintf(hint, strings.TrimSpace(r.Stage))
}
