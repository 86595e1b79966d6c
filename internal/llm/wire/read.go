package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// noBytes stand before an answer: a byte order mark, and what keeps connections alive.
const noBytes = "\xEF\xBB\xBF \t\r\n"

// streamed is how a stream begins.
var streamed = regexp.MustCompile(`^(:|data:|event:|id:|retry:)`)

// Read reads the answer to a request, of which at most so many bytes of text count. It tells by the first bytes what
// came, for not every endpoint has the right content type. The raw answer is kept if that is wanted. With an error comes
// what was paid.
func Read(resp *http.Response, r llm.Request, most int, raw bool) (llm.Answer, error) {
	// A stream wraps each token, of some four bytes, in some 250 bytes of JSON.
	content := &io.LimitedReader{R: resp.Body, N: 64<<10 + 64*int64(most)}
	if !raw {
		return read(bufio.NewReader(content), content, r, resp, most)
	}
	var kept strings.Builder
	a, err := read(bufio.NewReader(io.TeeReader(content, &kept)), content, r, resp, most)
	a.Raw = kept.String()
	return a, err
}

// read is Read from a reader of content.
func read(in *bufio.Reader, content *io.LimitedReader, r llm.Request, resp *http.Response, most int) (llm.Answer, error) {
	first, err := in.ReadByte()
	for err == nil && strings.IndexByte(noBytes, first) >= 0 {
		first, err = in.ReadByte()
	}
	if err != nil {
		return llm.Answer{}, err
	}
	if err := in.UnreadByte(); err != nil {
		return llm.Answer{}, err
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind == "application/json" || first == '{' || first == '[' {
		text, err := io.ReadAll(in)
		if err != nil {
			return llm.Answer{}, err
		}
		return ReadWhole(text, r, most)
	}
	start, _ := in.Peek(len("event:"))
	if len(r.Texts) == 0 && (kind == "text/event-stream" || streamed.Match(start)) {
		return stream(in, content, r, most)
	}
	start, _ = in.Peek(shownBytes)
	words := fmt.Sprintf("%s answered with %q, which is no model's answer: %s", resp.Request.URL.Redacted(), kind, start)
	failure := llm.Failure{Fault: llm.FaultContentType, Status: resp.StatusCode, Message: words}
	return llm.Answer{}, &llm.Error{Failure: failure, Hint: checkAddress}
}

// stream reads server-sent events (html.spec.whatwg.org, "Server-sent events"), each in one line, from a reader
// of content. What breaks after the reason of the answer's end is no matter.
func stream(in *bufio.Reader, content *io.LimitedReader, r llm.Request, most int) (llm.Answer, error) {
	var a reading
	fail := func(err error) (llm.Answer, error) { return llm.Answer{Usage: a.paid(r)}, err }
	for a.text.Len() <= most {
		line, err := in.ReadBytes('\n')
		data, is := bytes.CutPrefix(line, []byte("data:"))
		data = bytes.TrimSpace(data)
		ended, saidSo := a.answer.FinishReason != "", string(data) == "[DONE]"
		switch {
		case saidSo && a.answer.Usage.Tokens() > 0, ended && (saidSo || err != nil), errors.Is(err, io.EOF) && content.N <= 0:
			return a.end(r, most, content.N <= 0)
		case saidSo, errors.Is(err, io.EOF):
			return fail(io.ErrUnexpectedEOF)
		case err != nil:
			return fail(err)
		case !is && !bytes.HasPrefix(line, []byte("{")):
			continue
		}
		if err := a.add(data); err != nil {
			return fail(err)
		}
	}
	return a.end(r, most, true)
}
