package clangast

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// options let pass what clang prints: names of programs that are no UTF-8. A search for
// duplicate keys would only cost time. (The package is what encoding/json/v2 will be. With
// encoding/json, reading syntax trees was most of the harness's own time in a replayed run.)
var options = []json.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}

// A Node is the part of a node of clang's AST that this module reads. An absent statement,
// such as a for loop's empty condition, is a node without a Kind.
type Node struct {
	ID           string         `json:"id"`
	Kind         string         `json:"kind"`
	Name         string         `json:"name"`
	Mangled      string         `json:"mangledName"`
	Loc          Location       `json:"loc"`
	Range        Range          `json:"range"`
	Type         QualType       `json:"type"`
	TagUsed      string         `json:"tagUsed"`
	Complete     bool           `json:"completeDefinition"`
	IsImplicit   bool           `json:"isImplicit"`
	IsBitfield   bool           `json:"isBitfield"`
	StorageClass string         `json:"storageClass"`
	Variadic     bool           `json:"variadic"`
	Access       string         `json:"access"`
	Deleted      bool           `json:"explicitlyDeleted"`
	Defaulted    string         `json:"explicitlyDefaulted"`
	IsInline     bool           `json:"isInline"` // of a namespace
	IsPack       bool           `json:"isParameterPack"`
	ScopedEnum   string         `json:"scopedEnumTag"`
	ParentID     string         `json:"parentDeclContextId"`
	PreviousID   string         `json:"previousDecl"`
	Opcode       string         `json:"opcode"`
	CastKind     string         `json:"castKind"`
	Init         string         `json:"init"`
	Referenced   *Reference     `json:"referencedDecl"`
	Bases        []Base         `json:"bases"`
	Value        jsontext.Value `json:"value"`
	OwnedTagDecl *Reference     `json:"ownedTagDecl"`
	Inner        []*Node        `json:"inner"`
	// ArrayFiller stands for Inner in a list of initialisers that is shorter than its
	// array: the filler, then the list.
	ArrayFiller []*Node `json:"array_filler"`
}

// Children returns the nodes below n, none of which is nil.
func (n *Node) Children() []*Node {
	if len(n.ArrayFiller) > 0 {
		return n.ArrayFiller
	}
	return n.Inner
}

// Body returns the block of a function's definition, or nil for a declaration.
func (n *Node) Body() *Node {
	for _, in := range n.Inner {
		if in.Kind == "CompoundStmt" || in.Kind == "CXXTryStmt" {
			return in
		}
	}
	return nil
}

// A Reference names a declaration that is elsewhere in the AST.
type Reference struct {
	ID   string   `json:"id"`
	Kind string   `json:"kind"`
	Name string   `json:"name"`
	Type QualType `json:"type"`
}

// A Base is a base class of a C++ class.
type Base struct {
	Access string   `json:"access"`
	Type   QualType `json:"type"`
}

// A QualType is a type as clang spells it, and without its typedefs if that differs.
type QualType struct {
	QualType  string `json:"qualType"`
	Desugared string `json:"desugaredQualType"`
}

// Canonical returns the spelling without typedefs.
func (t QualType) Canonical() string {
	if t.Desugared != "" {
		return t.Desugared
	}
	return t.QualType
}

// A Location is a place in a source, 1-based. Clang's dump leaves out a file or line equal
// to that of the location printed before it; TopLevel fills them in. Of a macro's expansion,
// File and Line are where the macro's name stands, Offset is absent, and SpellingLoc is where
// the text comes from.
type Location struct {
	Offset       *int      `json:"offset"`
	File         string    `json:"file"`
	Line         int       `json:"line"`
	TokLen       int       `json:"tokLen"`
	SpellingLoc  *Location `json:"spellingLoc"`
	ExpansionLoc *Location `json:"expansionLoc"`
}

// A Range goes from the first to the beginning of the last token.
type Range struct {
	Begin Location `json:"begin"`
	End   Location `json:"end"`
}

// A cursor is the last location that clang printed.
type cursor struct {
	file string
	line int
}

func (c *cursor) resolve(l *Location) {
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

// resolveAll visits n in the order in which clang printed it. A null becomes an absent node.
func (c *cursor) resolveAll(n *Node) {
	c.resolve(&n.Loc)
	c.resolve(&n.Range.Begin)
	c.resolve(&n.Range.End)
	for i, in := range n.Children() {
		if in == nil {
			in = new(Node)
			n.Children()[i] = in
		}
		c.resolveAll(in)
	}
}

// TopLevel calls visit for each declaration of the translation unit in r, one at a time,
// so that a dump of hundreds of megabytes is never in memory at once. It is an error when r is not such a
// dump, or not whole.
func TopLevel(r io.Reader, visit func(*Node)) error {
	dec := jsontext.NewDecoder(r, options...)
	if err := expect(dec, '{'); err != nil {
		return err
	}
	var at cursor
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return err
		}
		if key.String() != "inner" {
			if err := dec.SkipValue(); err != nil {
				return err
			}
			continue
		}
		if err := expect(dec, '['); err != nil {
			return err
		}
		for dec.PeekKind() != ']' {
			n, err := next(dec, &at)
			if err != nil {
				return err
			}
			visit(n)
		}
		if err := expect(dec, ']'); err != nil {
			return err
		}
	}
	return expect(dec, '}')
}

// Each calls visit for each declaration of a filtered dump (-ast-dump-filter): one tree after
// another, each with its own locations. It is an error when r is not such a dump, or not whole.
func Each(r io.Reader, visit func(*Node)) error {
	dec := jsontext.NewDecoder(r, options...)
	for {
		n, err := next(dec, new(cursor))
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		visit(n)
	}
}

// next reads the declaration that dec is at; io.EOF means that there is none.
func next(dec *jsontext.Decoder, at *cursor) (*Node, error) {
	var n Node
	if err := json.UnmarshalDecode(dec, &n); err != nil {
		return nil, err
	}
	at.resolveAll(&n)
	return &n, nil
}

func expect(dec *jsontext.Decoder, want jsontext.Kind) error {
	tok, err := dec.ReadToken()
	if err != nil {
		return err
	}
	if tok.Kind() != want {
		return fmt.Errorf("not a clang AST: expected %s before byte %d, found %v", want, dec.InputOffset(), tok)
	}
	return nil
}
