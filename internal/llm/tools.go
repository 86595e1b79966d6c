package llm

import (
	"encoding/json"
	"fmt"
)

// A Tool is a function that a model may call, as the API has it.
type Tool struct {
	Type     string       `json:"type"` // "function"
	Function ToolFunction `json:"function"`
}

// A ToolFunction says what a function is for.
type ToolFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"` // JSON schema of its arguments
}

// NewTool returns a function of that name. The schema is compact, for it becomes part of a request's key.
func NewTool(name, description, parameters string) Tool {
	return Tool{"function", ToolFunction{name, description, json.RawMessage(parameters)}}
}

// A ToolCall is a call that a model wants, as the API has it.
type ToolCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"` // "function"
	Function CallFunction `json:"function"`
}

// A CallFunction is what is called.
type CallFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // JSON, as the model wrote it: it may be none
}

// A callPart is a call, or what an event of a stream adds to one.
type callPart struct {
	Index    *int  `json:"index"`
	Type     words `json:"type"`
	ID       words `json:"id"`
	Function struct {
		Name      words           `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // a text; some servers write the object itself
	} `json:"function"`
}

// addCall takes the n-th call of a piece.
func (a *reading) addCall(n int, p callPart) {
	if p.Index != nil {
		n = *p.Index
	}
	const most = 128 // of OpenAI's API
	if n < 0 || n >= most {
		return
	}
	for len(a.answer.ToolCalls) <= n {
		a.answer.ToolCalls = append(a.answer.ToolCalls, ToolCall{ID: fmt.Sprintf("call_%d", len(a.answer.ToolCalls)+1), Type: "function"})
	}
	c := &a.answer.ToolCalls[n]
	if p.ID != "" {
		c.ID = string(p.ID)
	}
	c.Function.Name += string(p.Function.Name)
	var text string
	switch {
	case json.Unmarshal(p.Function.Arguments, &text) == nil: // also null
		c.Function.Arguments += text
	default:
		c.Function.Arguments += string(p.Function.Arguments)
	}
}
