package apispec

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// A node is the part of clang's AST node that an API description needs.
type node struct {
	ID           string   `json:"id"`
	Kind         string   `json:"kind"`
	Name         string   `json:"name"`
	Loc          location `json:"loc"`
	Range        srcRange `json:"range"`
	Type         qualType `json:"type"`
	TagUsed      string   `json:"tagUsed"`
	Complete     bool     `json:"completeDefinition"`
	IsImplicit   bool     `json:"isImplicit"`
	IsBitfield   bool     `json:"isBitfield"`
	StorageClass string   `json:"storageClass"`
	Variadic     bool     `json:"variadic"`
	OwnedTagDecl *struct {
		ID string `json:"id"`
	} `json:"ownedTagDecl"`
	Value json.RawMessage `json:"value"`
	Inner []*node         `json:"inner"`
}

type qualType struct {
	QualType string `json:"qualType"`
}

// A location of clang's dump leaves out a file or line equal to that of the location
// printed before it; resolve fills them in.
type location struct {
	Offset       *int      `json:"offset"`
	File         string    `json:"file"`
	Line         int       `json:"line"`
	TokLen       int       `json:"tokLen"`
	SpellingLoc  *location `json:"spellingLoc"`
	ExpansionLoc *location `json:"expansionLoc"`
}

type srcRange struct {
	Begin location `json:"begin"`
	End   location `json:"end"`
}

// A cursor is the last location that clang printed.
type cursor struct {
	file string
	line int
}

func (c *cursor) resolve(l *location) {
	if l.SpellingLoc != nil {
		c.resolve(l.SpellingLoc)
	}
	if l.ExpansionLoc != nil {
		c.resolve(l.ExpansionLoc)
		l.File, l.Line = l.ExpansionLoc.File, l.ExpansionLoc.Line
	}
	if l.Offset == nil {
		return
	}
	if l.File != "" {
		c.file = l.File
	}
	if l.Line != 0 {
		c.line = l.Line
	}
	l.File, l.Line = c.file, c.line
}

// resolveAll visits n in the order in which clang printed it.
func (c *cursor) resolveAll(n *node) {
	c.resolve(&n.Loc)
	c.resolve(&n.Range.Begin)
	c.resolve(&n.Range.End)
	for _, in := range n.Inner {
		if in != nil {
			c.resolveAll(in)
		}
	}
}

// topLevel calls visit for each declaration of the translation unit in r, one at a time,
// so that a dump of hundreds of megabytes is never in memory at once.
func topLevel(r io.Reader, visit func(*node) error) error {
	dec := json.NewDecoder(r)
	if err := expect(dec, json.Delim('{')); err != nil {
		return err
	}
	var at cursor
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		if key != "inner" {
			var skipped json.RawMessage
			if err := dec.Decode(&skipped); err != nil {
				return err
			}
			continue
		}
		if err := expect(dec, json.Delim('[')); err != nil {
			return err
		}
		for dec.More() {
			var n node
			if err := dec.Decode(&n); err != nil {
				return err
			}
			at.resolveAll(&n)
			if err := visit(&n); err != nil {
				return err
			}
		}
		if err := expect(dec, json.Delim(']')); err != nil {
			return err
		}
	}
	return expect(dec, json.Delim('}'))
}

func expect(dec *json.Decoder, want json.Delim) error {
	tok, err := dec.Token()
	if err != nil {
		return err
	}
	if tok != want {
		return fmt.Errorf("not a clang AST: expected %s at byte %d, found %v", want, dec.InputOffset(), tok)
	}
	return nil
}

// constantValue returns the value of the first ConstantExpr below n.
func constantValue(n *node) (int64, bool) {
	for _, in := range n.Inner {
		if in == nil {
			continue
		}
		var text string
		if in.Kind == "ConstantExpr" && json.Unmarshal(in.Value, &text) == nil {
			if v, err := strconv.ParseInt(text, 10, 64); err == nil {
				return v, true
			}
			if u, err := strconv.ParseUint(text, 10, 64); err == nil {
				return int64(u), true
			}
		}
		if v, ok := constantValue(in); ok {
			return v, true
		}
	}
	return 0, false
}
