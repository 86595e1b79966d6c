package llm

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// ErrNoRecording is what errors.Is finds in the error of a replay that has no answer.
var ErrNoRecording = errors.New("no recording")

// A noRecordingError says that a transcript has no answer to a request: a replay makes no calls.
type noRecordingError struct{ text string }

func (e *noRecordingError) Error() string { return e.text }

// Is makes the error an ErrNoRecording.
func (e *noRecordingError) Is(target error) bool { return target == ErrNoRecording }

// noRecording names the recorded request that differs least from r: in the fewest parts, and
// among these with the longest equal beginning of its texts; the first of equals.
func noRecording(path string, p parsed, r Request) *noRecordingError {
	text := fmt.Sprintf("%s: no recorded answer to request %s of stage %s: ", path, r.ID, r.Stage)
	if len(p.entries) == 0 {
		return &noRecordingError{text + "nothing is recorded there"}
	}
	nearest, fewest, longest := -1, []string(nil), 0
	for i, entry := range p.entries {
		diff, same := compare(entry.Request, r)
		if nearest < 0 || len(diff) < len(fewest) || len(diff) == len(fewest) && same > longest {
			nearest, fewest, longest = i, diff, same
		}
	}
	differs := cmp.Or(strings.Join(fewest, "; "), "it was no answer: it ended with an error")
	return &noRecordingError{text + fmt.Sprintf("the nearest is %s (line %d), but %s", p.entries[nearest].ID, p.lines[nearest], differs)}
}

// compare returns in what two requests differ, and how many bytes of their texts are equal
// from the beginning.
func compare(there, here Request) (diff []string, same int) {
	field := func(name string, a, b any) {
		if x, y := text(a), text(b); x != y {
			diff = append(diff, fmt.Sprintf("%s is %s there and %s here", name, x, y))
		}
	}
	field("stage", there.Stage, here.Stage)
	field("model", there.Model, here.Model)
	field("temperature", there.Temperature, here.Temperature)
	field("seed", there.Seed, here.Seed)
	field("reasoning_effort", there.ReasoningEffort, here.ReasoningEffort)
	field("max_tokens", there.MaxTokens, here.MaxTokens)
	field("attempt", there.Attempt, here.Attempt)
	field("number of messages", len(there.Messages), len(here.Messages))
	field("number of texts", len(there.Texts), len(here.Texts))
	for i := range min(len(there.Messages), len(here.Messages)) {
		a, b := there.Messages[i], here.Messages[i]
		name := fmt.Sprintf("message %d", i+1)
		field("role of "+name, a.Role, b.Role)
		d, n := compareText(name+" ("+b.Role+")", a.Content, b.Content)
		diff, same = append(diff, d...), same+n
	}
	for i := range min(len(there.Texts), len(here.Texts)) {
		d, n := compareText(fmt.Sprintf("text %d", i+1), there.Texts[i], here.Texts[i])
		diff, same = append(diff, d...), same+n
	}
	return diff, same
}

// compareText shows the first line in which two texts differ.
func compareText(name, there, here string) (diff []string, same int) {
	if there == here {
		return nil, len(here)
	}
	for same < min(len(there), len(here)) && there[same] == here[same] {
		same++
	}
	line := 1 + strings.Count(here[:same], "\n")
	start := 1 + strings.LastIndexByte(here[:same], '\n')
	firstLine := func(s string) string {
		s, _, _ = strings.Cut(s[start:], "\n")
		// A long line is shown from shortly before the difference.
		if from := same - start - maxShownValue/2; from > 0 && from < len(s) {
			s = "…" + strings.ToValidUTF8(s[from:], "")
		}
		return show(s)
	}
	return []string{fmt.Sprintf("line %d of %s is %s there and %s here", line, name, firstLine(there), firstLine(here))}, same
}

// text shows a field; a nil pointer is "not set".
func text(v any) string {
	switch v := v.(type) {
	case *float64:
		if v == nil {
			return "not set"
		}
		return fmt.Sprint(*v)
	case *int64:
		if v == nil {
			return "not set"
		}
		return fmt.Sprint(*v)
	case string:
		return show(v)
	}
	return fmt.Sprint(v)
}
