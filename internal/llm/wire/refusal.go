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

// A Refusal is an endpoint's answer with an error in it: of HTTP, in a stream, or in a line of a batch.
type Refusal struct {
	status int // 0 where the status promised an answer, and the error names none
	code   string
	param  string // that it is about
	api    bool   // it had the form of OpenAI's errors

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
	e := &Refusal{Message: llm.Cut(string(text), shownBytes)}
	if v, err := parse(text); err == nil {
		e = cmp.Or(RefusalOf(v), e)
	}
	if to := h.Get("Location"); to != "" {
		e.Message = "it has moved to " + to
	}
	e.status, e.RetryAfter = status, retryAfter(h)
	return e
}

// retryAfter reads the header of RFC 9110, section 10.2.3: seconds or a date. OpenAI's
// retry-after-ms is more exact and goes first. 0 if there is none.
func retryAfter(h http.Header) time.Duration {
	for _, unit := range []struct {
		header string
		each   time.Duration
	}{{"Retry-After-Ms", time.Millisecond}, {"Retry-After", time.Second}} {
		n, err := strconv.ParseFloat(h.Get(unit.header), 64)
		if n *= float64(unit.each); err == nil && n > 0 && n < float64(1000*time.Hour) {
			return time.Duration(n)
		}
	}
	at, err := http.ParseTime(h.Get("Retry-After"))
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
	e := &Refusal{param: v.Get("param").String()}
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
	// unsupported is how they say that they do not take a parameter, whatever its value.
	unsupported = regexp.MustCompile(`(?i)unsupported|not supported|unknown|unrecogni[sz]ed|unexpected|` +
		`extra_forbidden|extra (inputs|fields)|not permitted|not allowed|use .?max_`)
)

// aboutRequest reports a refusal of a request for what stands in it.
func (e *Refusal) aboutRequest() bool {
	about := []int{http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented}
	return slices.Contains(about, e.status)
}

// names reports whether the refusal is about one of some parameters, or has it as a word.
func (e *Refusal) names(parameters ...string) bool {
	word := regexp.MustCompile(`(?i)\b(` + strings.Join(parameters, "|") + `)\b`)
	return slices.Contains(parameters, e.param) || word.MatchString(e.Message)
}

// Outcome returns the outcome that an error stands for, where it is about this request and nothing else: too
// long a request, or a filter's refusal; "" where it is a fault. larger says that the settings of the request
// were taken before, and only smaller requests with them.
func (e *Refusal) Outcome(larger bool) llm.Outcome {
	phrased := e.aboutRequest() || e.status == http.StatusInternalServerError || e.status == 0
	f, _ := e.fault(llm.Request{})
	switch {
	case e.status == http.StatusRequestEntityTooLarge:
		return llm.ContextLength
	case phrased && (e.code == "context_length_exceeded" || tooManyTokens.MatchString(e.Message)):
		return llm.ContextLength
	case (e.aboutRequest() || e.status == http.StatusForbidden) && filtered.MatchString(e.code+" "+e.Message):
		return llm.Refusal
	case larger && e.aboutRequest() && f == llm.FaultRequest:
		return llm.ContextLength
	}
	return ""
}

// Trouble says what a refusal of a request means that was sent to a base URL, and what to do.
func (e *Refusal) Trouble(base string, r llm.Request) *llm.Error {
	f, hint := e.fault(r)
	text := fmt.Sprintf("%s answered %d %s", base, e.status, http.StatusText(e.status))
	if e.status == 0 {
		text = base + " broke off with an error"
	}
	if message := strings.TrimSpace(e.Message); message != "" {
		text += ": " + message
	}
	failure := llm.Failure{Fault: f, Status: e.status, Message: text}
	return &llm.Error{Failure: failure, Hint: hint, RetryAfter: e.RetryAfter}
}

// checkAddress is what to do where no API answers.
const checkAddress = "check llm.base_url; it is what stands before /chat/completions and often ends in /v1"

// fault says what a refusal means, and what to do.
func (e *Refusal) fault(r llm.Request) (llm.Fault, string) {
	switch {
	case e.status == http.StatusUnauthorized, e.status == http.StatusForbidden:
		return llm.FaultKey, "the endpoint rejects the key: check the variable that llm.api_key_env names"
	case e.status == http.StatusPaymentRequired, e.code == "insufficient_quota":
		return llm.FaultQuota, "the account has no credit left; run the same command again to resume"
	case e.status == http.StatusNotFound && (e.api || noSuchModel.MatchString(e.Message)), e.code == "model_not_found",
		e.status == http.StatusBadRequest && noSuchModel.MatchString(e.Message):
		return llm.FaultModel, fmt.Sprintf("give stage %q a model that the endpoint has instead of %q", r.Stage, r.Model)
	case e.status == http.StatusNotFound, e.status == http.StatusMethodNotAllowed, e.status >= 300 && e.status < 400:
		return llm.FaultContentType, checkAddress
	case e.status == http.StatusTooManyRequests:
		return llm.FaultRate, "lower llm.limits.requests_per_minute, tokens_per_minute or concurrency"
	case e.status < 300, e.status >= 500, e.status == http.StatusRequestTimeout, e.status == http.StatusConflict,
		e.status == http.StatusTooEarly:
		return llm.FaultServer, "the endpoint reports a server error; run the same command again to resume"
	}
	const hint = "the endpoint rejects the request: check the settings of stage %q in llm"
	return llm.FaultRequest, fmt.Sprintf(hint, strings.TrimSpace(r.Stage))
}
