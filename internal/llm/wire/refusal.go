package wire

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// A Refusal is an endpoint's answer with an error in it: of HTTP, in place of an answer, or in a line of a batch.
type Refusal struct {
	status int // 0 where the status promised an answer, and the error names none
	code   string
	api    bool // it had the form of OpenAI's errors

	Message    string
	RetryAfter time.Duration // that it asks to wait for; 0 if it asks for nothing
}

func (e *Refusal) Error() string { return fmt.Sprintf("%d %s %s", e.status, e.code, e.Message) }

// statuses are those of errors that come by name, in an answer whose own status promised another.
var statuses = map[string]int{
	"invalid_api_key": http.StatusUnauthorized, "authentication_error": http.StatusUnauthorized,
	"insufficient_quota": http.StatusPaymentRequired, "permission_error": http.StatusForbidden,
	"model_not_found": http.StatusNotFound, "not_found_error": http.StatusNotFound,
	"invalid_request_error": http.StatusBadRequest, "context_length_exceeded": http.StatusBadRequest,
	"content_filter": http.StatusBadRequest, "content_policy_violation": http.StatusBadRequest,
	"rate_limit_error": http.StatusTooManyRequests, "rate_limit_exceeded": http.StatusTooManyRequests,
}

// RefusedBy reads what came with a status instead of an answer.
func RefusedBy(status int, h http.Header, text []byte) *Refusal {
	e := &Refusal{Message: fmt.Sprintf("%.*s", shownBytes, text)}
	if v, err := parse(text); err == nil {
		e = cmp.Or(RefusalOf(v), e)
	}
	if to := h.Get("Location"); to != "" {
		e.Message = "it has moved to " + to
	}
	e.status, e.RetryAfter = status, retryAfter(h)
	return e
}

// retryAfter reads the header of RFC 9110, section 10.2.3: seconds or a date; 0 if there is none.
func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if n, err := strconv.ParseFloat(text, 64); err == nil && n > 0 && n < 1e6 {
		return time.Duration(n * float64(time.Second))
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(0, time.Until(at))
}

// RefusalOf returns the error that JSON holds: a text, a list of errors, an object with an error, or one with a message,
// which may be any JSON; nil if it holds none. Messages have one of the names that they have at OpenAI, in pydantic and
// at others. OpenRouter hands on the words of its provider as well.
func RefusalOf(v gjson.Result) *Refusal {
	switch {
	case v.Type == gjson.String && v.Str != "":
		return &Refusal{Message: v.Str}
	case v.IsArray():
		return RefusalOf(v.Get("0"))
	case !v.IsObject():
		return nil
	}
	if e := RefusalOf(v.Get("error")); e != nil {
		e.api = true
		return e
	}
	e := &Refusal{}
	if n := int(count(v, "code", "status", "statusCode")); n >= 400 && n < 600 {
		e.status = n
	}
	for _, name := range []string{"message", "msg", "detail"} {
		if text := v.Get(name); text.Type != gjson.Null {
			e.Message = cmp.Or(e.Message, text.String())
		}
	}
	if words := v.Get("metadata.raw"); words.Exists() {
		e.Message += ": " + words.String()
	}
	for _, name := range []string{"type", "code"} {
		if text := v.Get(name); text.Type == gjson.String {
			e.code = text.Str
		}
		e.status = cmp.Or(e.status, statuses[e.code])
	}
	if e.Message == "" && v.Get("code").Type == gjson.Null {
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
)

// Outcome returns the outcome that an error stands for, where it is about this request and nothing else: too
// long a request, or a filter's refusal; "" where it is a fault.
func (e *Refusal) Outcome() llm.Outcome {
	about := []int{http.StatusBadRequest, http.StatusForbidden, http.StatusUnprocessableEntity, http.StatusNotImplemented}
	ofRequest := slices.Contains(about, e.status)
	switch {
	case e.status == http.StatusRequestEntityTooLarge:
		return llm.ContextLength
	case (ofRequest || e.status == http.StatusInternalServerError || e.status == 0) &&
		(e.code == "context_length_exceeded" || tooManyTokens.MatchString(e.Message)):
		return llm.ContextLength
	case ofRequest && filtered.MatchString(e.code+" "+e.Message):
		return llm.Refusal
	}
	return ""
}

// CheckAddress is what to do where no API answers.
const CheckAddress = "check llm.base_url; it is what stands before /chat/completions and often ends in /v1"

// Trouble says what a refusal of a request means that was sent to a base URL, and what to do.
func (e *Refusal) Trouble(base string, r llm.Request) *llm.Error {
	out := &llm.Error{Message: fmt.Sprintf("%s answered %d %s", base, e.status, http.StatusText(e.status)), RetryAfter: e.RetryAfter}
	if e.status == 0 {
		out.Message = base + " gave no answer"
	}
	if message := strings.TrimSpace(e.Message); message != "" {
		out.Message += ": " + message
	}
	unknown := noSuchModel.MatchString(e.Message)
	switch {
	case e.status == http.StatusUnauthorized, e.status == http.StatusForbidden:
		out.Fault, out.Hint = llm.FaultKey, "the endpoint rejects the key: check the variable that llm.api_key_env names"
	case e.status == http.StatusPaymentRequired, e.code == "insufficient_quota":
		out.Fault, out.Hint = llm.FaultQuota, "the account has no credit left; run the same command again to resume"
	case e.status == http.StatusNotFound && (e.api || unknown), e.code == "model_not_found", e.status == http.StatusBadRequest && unknown:
		out.Fault = llm.FaultModel
		out.Hint = fmt.Sprintf("give stage %q a model that the endpoint has instead of %q", r.Stage, r.Model)
	case e.status == http.StatusNotFound, e.status == http.StatusMethodNotAllowed, e.status >= 300 && e.status < 400:
		out.Fault, out.Hint = llm.FaultContentType, CheckAddress
	case e.status == http.StatusTooManyRequests:
		out.Fault, out.Hint = llm.FaultRate, "lower llm.limits.requests_per_minute, tokens_per_minute or concurrency"
	case e.status < 300, e.status >= 500, e.status == http.StatusRequestTimeout, e.status == http.StatusConflict,
		e.status == http.StatusTooEarly:
		out.Fault, out.Hint = llm.FaultServer, "the endpoint reports a server error; run the same command again to resume"
	default:
		out.Fault = llm.FaultRequest
		out.Hint = fmt.Sprintf("the endpoint rejects the request: check the settings of stage %q in llm", r.Stage)
	}
	return out
}
