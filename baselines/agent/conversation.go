package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/tools/agentspace"
)

// A conversation is the work on one cell.
type conversation struct {
	job      trial.Job
	options  options
	space    *agentspace.Space
	model    *llm.Session
	messages []llm.Message
	outcomes map[llm.Outcome]int
}

const (
	done     = "done"
	idleMost = 3 // answers in a row without a call, after which the model has nothing more to try
	goOn     = "Call a function: done, if you have nothing more to try."
	cutMark  = "[This result was cut to make room. Call the function again if you need it.]"
)

// hold asks until the model is done, or a budget or the recording ends.
func (c *conversation) hold(ctx context.Context) (trial.StopReason, error) {
	if err := c.begin(""); err != nil {
		return "", err
	}
	for idle := 0; idle < idleMost; {
		if err := c.fit(ctx); err != nil {
			return c.reason(err)
		}
		a, err := c.ask(ctx)
		if err != nil {
			return c.reason(err)
		}
		switch {
		case a.Outcome == llm.ContextLength:
			idle++
			if err := c.renew(ctx); err != nil {
				return c.reason(err)
			}
			continue
		case len(a.ToolCalls) == 0:
			idle++
			if strings.TrimSpace(a.Text) != "" {
				c.messages = append(c.messages, llm.Message{Role: "assistant", Content: a.Text})
			}
			c.messages = append(c.messages, llm.Message{Role: "user", Content: goOn})
			continue
		}
		idle = 0
		c.messages = append(c.messages, llm.Message{Role: "assistant", Content: a.Text, ToolCalls: a.ToolCalls})
		var results []llm.Message
		for _, call := range a.ToolCalls {
			if call.Function.Name == done {
				return trial.StopExhausted, nil
			}
			said, err := c.call(ctx, call.Function)
			if err != nil {
				return "", err
			}
			results = append(results, llm.Message{Role: "tool", Content: said, ToolCallID: call.ID})
		}
		if most := c.job.Ledger.Budget().LLMCalls; most > 0 {
			results[len(results)-1].Content += fmt.Sprintf("\n[%d turns left]", most-c.job.Ledger.Usage().LLMCalls)
		}
		c.messages = append(c.messages, c.asRecorded(results)...)
	}
	return trial.StopExhausted, nil
}

// asRecorded returns what the model was told when its answers were recorded, in a replay: they fit that, and a
// mutant or a run that ends otherwise on another machine would leave the rest without an answer.
func (c *conversation) asRecorded(results []llm.Message) []llm.Message {
	recorded := c.model.RecordedAfter(len(c.messages))
	if len(recorded) < len(results) {
		return results
	}
	recorded = slices.Clone(recorded[:len(results)])
	for i, r := range results {
		switch {
		case recorded[i].ToolCallID != r.ToolCallID:
			return results
		case recorded[i].Content == cutMark: // the conversation was full
			recorded[i] = r
		case recorded[i].Content != r.Content:
			c.job.Log.Warn("a result is not the recorded one", "call", r.ToolCallID, "recorded", recorded[i].Content, "now", r.Content)
		}
	}
	return recorded
}

// reason tells the end of a budget or of a recording from trouble.
func (c *conversation) reason(err error) (trial.StopReason, error) {
	var budget *llm.BudgetError
	switch {
	case errors.As(err, &budget):
		return budget.Reason, nil
	case errors.Is(err, llm.ErrNoRecording) && len(c.model.Unused()) == 0:
		return trial.StopRecorded, nil
	}
	return "", err
}

func (c *conversation) request() llm.Request {
	r := c.model.Request(stage, slices.Clone(c.messages)...)
	r.Tools = c.tools()
	return r
}

func (c *conversation) ask(ctx context.Context) (llm.Answer, error) {
	a, err := c.model.Complete(ctx, c.request())
	if err == nil {
		c.outcomes[a.Outcome]++
	}
	return a, err
}

// A page is what the prompts tell.
type page struct {
	genloop.Page
	Task, Summary string
	Files         []file
	Gaps          bool
}

// begin starts a conversation; summary is what the model wrote at the end of the one before.
func (c *conversation) begin(summary string) (err error) {
	files, err := c.files()
	if err != nil {
		return err
	}
	c.messages, err = prompts.Messages("begin", page{Page: genloop.PageOf(c.job.Target), Task: c.space.Text(), Summary: summary, Files: files,
		Gaps: c.options.Feedback != agentspace.FeedbackNone})
	return err
}

// fit makes room when the conversation is full: it cuts the oldest results to half of what is allowed, and else begins anew.
func (c *conversation) fit(ctx context.Context) error {
	size := func() int { return int(c.request().InputTokens()) }
	if size() <= c.options.Context {
		return nil
	}
	const recent = 6 // messages that are left alone
	for i := range max(0, len(c.messages)-recent) {
		m := &c.messages[i]
		if m.Role == "tool" && len(m.Content) > len(cutMark) {
			m.Content = cutMark
		}
		if i%recent == 0 && size() <= c.options.Context/2 {
			return nil
		}
	}
	if size() <= c.options.Context*3/4 {
		return nil
	}
	return c.renew(ctx)
}

// renew begins a new conversation with the model's own summary of this one.
func (c *conversation) renew(ctx context.Context) error {
	for i := range c.messages { // what it wrote and was told last says most
		m := &c.messages[i]
		if old := i < len(c.messages)-2; old && m.Role == "tool" {
			m.Content = cutMark
		}
		for k := range m.ToolCalls {
			if len(m.ToolCalls[k].Function.Arguments) > 2000 {
				m.ToolCalls = slices.Clone(m.ToolCalls)
				m.ToolCalls[k].Function.Arguments = `{"cut":true}`
			}
		}
	}
	question, err := prompts.Messages("summary", nil)
	if err != nil {
		return err
	}
	c.messages = append(c.messages, question[len(question)-1])
	a, err := c.ask(ctx)
	if err != nil {
		return err
	}
	return c.begin(a.Text)
}

// tools are the functions that the model may call.
func (c *conversation) tools() (list []llm.Tool) {
	for _, f := range own {
		list = append(list, llm.NewTool(f.name, f.description, f.parameters))
	}
	list = append(list, c.space.Functions()...)
	return append(list, llm.NewTool(done, "end the work: what passed check is your suite.", `{"type":"object","properties":{}}`))
}

// call runs a function and returns what the model is told. An error is of the harness.
func (c *conversation) call(ctx context.Context, f llm.CallFunction) (string, error) {
	args := f.Arguments
	if strings.TrimSpace(args) == "" {
		args = "{}"
	}
	for _, o := range own {
		if o.name != f.Name {
			continue
		}
		var a arguments
		if err := json.Unmarshal([]byte(args), &a); err != nil {
			return fmt.Sprintf("the arguments are not those of %s: %v", f.Name, err), nil
		}
		said, err := o.run(c, a)
		if err != nil {
			said = err.Error()
		}
		return llm.Shorten(said, maxResult), nil
	}
	said, err := c.space.Call(ctx, f.Name, args)
	return llm.Shorten(said, maxResult), err
}

// These bound what one call returns.
const (
	maxResult = 24 << 10 // bytes
	maxLines  = 400
	maxHits   = 60
)

// arguments are those of the conversation's own functions.
type arguments struct {
	File    string `json:"file"`
	From    int    `json:"from"`
	Lines   int    `json:"lines"`
	Pattern string `json:"pattern"`
	Text    string `json:"text"`
}

// own are the functions that an agent from outside has of its own. Their errors are told to the model.
var own = []struct {
	name, description, parameters string
	run                           func(*conversation, arguments) (string, error)
}{
	{"read", "read lines of a file of docs/, include/ or tests/.",
		`{"type":"object","properties":{"file":{"type":"string"},"from":{"type":"integer","description":"first line; 1 if none is given"},"lines":{"type":"integer","description":"at most 400; 200 if none is given"}},"required":["file"]}`,
		(*conversation).read},
	{"search", "search all files for a regular expression (syntax of Go), whatever the case; returns at most 60 lines with their places.",
		`{"type":"object","properties":{"pattern":{"type":"string"}},"required":["pattern"]}`, (*conversation).search},
	{"write", "write a file of tests/, whole.",
		`{"type":"object","properties":{"file":{"type":"string","description":"name in tests/"},"text":{"type":"string"}},"required":["file","text"]}`,
		(*conversation).write},
}

func (c *conversation) read(a arguments) (string, error) {
	root, err := os.OpenRoot(c.space.Root())
	if err != nil {
		return "", err
	}
	defer root.Close()
	text, err := root.ReadFile(filepath.Clean(a.File))
	if err != nil {
		return "", fmt.Errorf("%s: there is no such file", a.File)
	}
	lines := strings.Split(strings.TrimSuffix(strings.ToValidUTF8(string(text), "?"), "\n"), "\n")
	if a.Lines <= 0 {
		a.Lines = 200
	}
	from := min(max(a.From, 1), len(lines))
	to := min(from+min(a.Lines, maxLines)-1, len(lines))
	var b strings.Builder
	for n := from; n <= to && b.Len() < maxResult; n++ {
		fmt.Fprintf(&b, "%d\t%s\n", n, lines[n-1])
	}
	fmt.Fprintf(&b, "[lines %d to %d of %d]", from, to, len(lines))
	return b.String(), nil
}

func (c *conversation) search(a arguments) (string, error) {
	pattern, err := regexp.Compile("(?i)" + a.Pattern)
	if err != nil {
		return "", err
	}
	var hits []string
	err = c.walk(func(name string, text []byte) {
		n := 0
		for line := range strings.Lines(string(text)) {
			if n++; len(hits) < maxHits && pattern.MatchString(line) {
				hits = append(hits, strings.ToValidUTF8(fmt.Sprintf("%s:%d: %.300s", name, n, strings.TrimSpace(line)), "?"))
			}
		}
	})
	if len(hits) == 0 {
		hits = []string{"no line matches"}
	}
	return strings.Join(hits, "\n"), err
}

func (c *conversation) write(a arguments) (string, error) {
	path, err := c.space.Path(a.File)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(path, []byte(a.Text), 0o644); err != nil {
		return "", err
	}
	return fmt.Sprintf("written, %d lines", strings.Count(a.Text, "\n")), nil
}

// A file is one of the workspace.
type file struct {
	Name  string
	Lines int
}

func (c *conversation) files() (list []file, err error) {
	err = c.walk(func(name string, text []byte) {
		list = append(list, file{name, strings.Count(string(text), "\n")})
	})
	return list, err
}

// walk calls f for every file of the workspace but its task, by name.
func (c *conversation) walk(f func(name string, text []byte)) error {
	return filepath.WalkDir(c.space.Root(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() == "TASK.md" {
			return err
		}
		text, err := os.ReadFile(path)
		name, relErr := filepath.Rel(c.space.Root(), path)
		f(name, text)
		return errors.Join(err, relErr)
	})
}
