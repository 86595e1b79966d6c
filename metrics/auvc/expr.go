package auvc

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clangast"
	"github.com/lisa-bench/lisa-bench/internal/smt"
)

// short is a name for a text that may be long.
func short(text string) string {
	if len(text) <= 40 {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:10])
}

// effect follows an expression whose value is not used.
func (w *walker) effect(n *clangast.Node) { w.rvalue(n) }

// rvalue returns an expression's value, after its effects.
func (w *walker) rvalue(n *clangast.Node) term {
	if n == nil {
		return w.fresh(intType)
	}
	defer func() { w.depth-- }()
	typ := w.types.of(n.Type)
	if !w.enter() {
		return w.fresh(typ)
	}
	if n.Category == "lvalue" && typ.kind == other && n.Kind != "StringLiteral" {
		return w.object(w.lvalue(n), typ)
	}
	switch n.Kind {
	case "IntegerLiteral", "CharacterLiteral":
		v, _ := integerText(string(n.Value))
		return intConst(v, typ)
	case "CXXBoolLiteralExpr":
		return term{text: string(n.Value), sort: boolSort, typ: typ}
	case "FloatingLiteral":
		return floatLiteral(n, typ)
	case "CXXNullPtrLiteralExpr", "GNUNullExpr", "ImplicitValueInitExpr", "CXXScalarValueInitExpr":
		if z, ok := zero(typ); ok {
			return z
		}
	case "StringLiteral", "PredefinedExpr":
		return literalAddress(n)
	case "ParenExpr", "ExprWithCleanups", "ConstantExpr", "FullExpr", "MaterializeTemporaryExpr", "CXXBindTemporaryExpr",
		"SubstNonTypeTemplateParmExpr", "ChooseExpr":
		if len(n.Inner) > 0 {
			return w.rvalue(n.Inner[len(n.Inner)-1])
		}
	case "GenericSelectionExpr":
		for _, in := range n.Inner {
			if in != nil && in.Selected && len(in.Inner) > 0 {
				return w.rvalue(in.Inner[len(in.Inner)-1])
			}
		}
	case "UnaryExprOrTypeTraitExpr":
		return w.sizeOf(n, typ)
	case "ImplicitCastExpr", "CStyleCastExpr", "CXXStaticCastExpr", "CXXFunctionalCastExpr", "CXXReinterpretCastExpr", "CXXConstCastExpr":
		return w.cast(n, typ)
	case "UnaryOperator":
		return w.unary(n, typ)
	case "BinaryOperator", "CompoundAssignOperator":
		return w.binary(n, typ)
	case "ConditionalOperator":
		return w.conditional(n, typ)
	case "CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr", "CXXConstructExpr", "CXXTemporaryObjectExpr", "CXXNewExpr", "CXXDeleteExpr":
		return w.call(n, typ)
	case "StmtExpr":
		return w.statementExpr(n, typ)
	case "DeclRefExpr":
		if n.Referenced != nil && n.Referenced.Kind == "EnumConstantDecl" {
			return w.enumerator(n.Referenced, typ)
		}
		if n.Referenced != nil && strings.HasSuffix(n.Referenced.Kind, "Decl") && n.Category != "lvalue" {
			t := apply("function "+n.Referenced.Name, bitVec(64))
			t.typ = typ
			return t
		}
		return w.load(w.lvalue(n), typ)
	case "MemberExpr", "ArraySubscriptExpr", "CompoundLiteralExpr":
		return w.load(w.lvalue(n), typ)
	case "CXXDefaultArgExpr":
		return opaqueTerm("default", typ)
	case "LambdaExpr", "CXXTypeidExpr", "CXXNoexceptExpr":
		return w.fresh(typ)
	}
	var parts []term
	for _, in := range n.Children() {
		if in != nil {
			parts = append(parts, w.rvalue(in))
		}
	}
	return opaqueTerm(n.Kind+" "+n.Opcode+n.Name+typ.name, typ, parts...)
}

// fresh is a value of which nothing is known, not even that it is equal to another.
func (w *walker) fresh(typ ctype) term {
	t := apply(fmt.Sprintf("fresh#%d", w.serial.next()), typ.sort())
	t.typ = typ
	return t
}

// object is the value of a record: all that it holds now.
func (w *walker) object(at term, typ ctype) term {
	m := w.objects[at.root].memory
	from := at
	if m.here != "" {
		from.text = strings.ReplaceAll(at.text, m.here, m.there)
	}
	t := apply("object:"+short(w.stamp(at.root)), objectSort, from).with(at)
	t.typ, t.root = typ, at.root
	return t
}

func integerText(raw string) (uint64, bool) {
	raw = strings.Trim(raw, `"`)
	if v, err := strconv.ParseUint(raw, 10, 64); err == nil {
		return v, true
	}
	v, err := strconv.ParseInt(raw, 10, 64)
	return uint64(v), err == nil
}

func floatLiteral(n *clangast.Node, typ ctype) term {
	t := term{sort: typ.sort(), typ: typ}
	text := strings.Trim(string(n.Value), `"`)
	if typ.bits == 32 {
		if f, err := strconv.ParseFloat(text, 32); err == nil {
			t.text = smt.Float32(float32(f))
			return t
		}
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && typ.kind == floating {
		if t.text = smt.Float64(f); typ.bits != 64 { // exact for what a double holds exactly
			t.text = fmt.Sprintf("((_ to_fp %s) RNE %s)", fpWidths(typ), t.text)
		}
		return t
	}
	return opaqueTerm("float "+text, typ)
}

// enumerator is the value of a constant of an enumeration. Those of precompiled headers are
// not in the tree: their value is a symbol.
func (w *walker) enumerator(r *clangast.Reference, typ ctype) term {
	if typ.kind != integer {
		typ = ctype{kind: integer, bits: 32, name: typ.name}
	}
	if v, ok := w.enums[r.ID]; ok {
		return intConst(v, typ)
	}
	t := apply("enum "+r.Name, typ.sort())
	t.typ = typ
	return t
}

func (w *walker) sizeOf(n *clangast.Node, typ ctype) term {
	of := w.types.of(n.ArgType)
	if n.ArgType.QualType == "" && len(n.Inner) > 0 && n.Inner[0] != nil {
		of = w.types.of(n.Inner[0].Type)
	}
	if size, ok := w.types.size(of); ok && n.Name == "sizeof" {
		return intConst(size, typ)
	}
	t := apply(n.Name+" "+of.name, typ.sort())
	t.typ = typ
	return t
}

func (w *walker) cast(n *clangast.Node, typ ctype) term {
	if len(n.Inner) == 0 {
		return w.fresh(typ)
	}
	in := n.Inner[len(n.Inner)-1]
	switch n.CastKind {
	case "LValueToRValue", "LValueToRValueBitCast":
		return w.load(w.lvalue(in), typ)
	case "ArrayToPointerDecay":
		t := w.lvalue(in)
		t.typ = typ
		if t.root > 0 || t.field != "" {
			t = t.assuming("(not (= " + t.text + " #x0000000000000000))")
		}
		return t
	case "FunctionToPointerDecay", "BuiltinFnToFnPtr":
		t := apply("function "+in.Name+referenced(in), bitVec(64))
		t.typ = typ
		return t.assuming("(not (= " + t.text + " #x0000000000000000))")
	case "ToVoid":
		w.effect(in)
		return term{text: "true", sort: boolSort, typ: typ}
	case "NullToPointer":
		return intConst(0, ctype{kind: pointer, bits: 64, elem: typ.elem, name: typ.name})
	}
	v := w.rvalue(in)
	switch n.CastKind {
	case "NoOp", "BitCast", "ConstructorConversion", "UserDefinedConversion", "AtomicToNonAtomic", "NonAtomicToAtomic":
		if typ.kind == pointer && width(v.sort) == 64 || v.sort == typ.sort() {
			v.typ = typ
		}
		return v
	case "IntegralCast", "IntegralToBoolean", "IntegralToFloating", "FloatingToIntegral", "FloatingToBoolean", "FloatingCast",
		"PointerToBoolean", "BooleanToSignedIntegral", "IntegralToPointer", "PointerToIntegral":
		if typ.kind == other { // an enumeration of C++
			typ = ctype{kind: integer, bits: 32, name: typ.name}
		}
		return convert(v, typ)
	}
	if v.sort == typ.sort() {
		return v
	}
	return opaqueTerm("cast "+n.CastKind, typ, v)
}

func referenced(n *clangast.Node) string {
	if n.Referenced != nil {
		return n.Referenced.Name
	}
	return ""
}

func (w *walker) statementExpr(n *clangast.Node, typ ctype) term {
	if len(n.Inner) == 0 || n.Inner[0] == nil {
		return w.fresh(typ)
	}
	list := n.Inner[0].Inner
	for i, in := range list {
		if i == len(list)-1 && typ.kind != void && in != nil && !strings.HasSuffix(in.Kind, "Stmt") {
			return w.rvalue(in)
		}
		w.statement(in)
	}
	return term{text: "true", sort: boolSort, typ: typ}
}

// lvalue returns the address of what an expression denotes, with that thing's type.
func (w *walker) lvalue(n *clangast.Node) term {
	typ := w.types.of(n.Type)
	defer func() { w.depth-- }()
	if !w.enter() {
		return w.place(w.fresh(bytePtr), typ)
	}
	switch n.Kind {
	case "DeclRefExpr":
		if n.Referenced == nil {
			break
		}
		if ref, ok := w.refs[n.Referenced.ID]; ok {
			return w.place(ref, typ)
		}
		root, ok := w.vars[n.Referenced.ID]
		if !ok { // of a header, or a parameter of a test
			root = w.newObject(n.Referenced.Name)
			w.vars[n.Referenced.ID] = root
		}
		return w.place(w.address(root), typ)
	case "MemberExpr":
		return w.member(n, typ)
	case "ArraySubscriptExpr":
		if len(n.Inner) != 2 {
			break
		}
		base, index := w.rvalue(n.Inner[0]), w.rvalue(n.Inner[1])
		if w.types.of(n.Inner[0].Type).kind != pointer {
			base, index = index, base
		}
		return w.place(w.offset(base, index, "+"), typ)
	case "UnaryOperator":
		if len(n.Inner) != 1 {
			break
		}
		switch n.Opcode {
		case "*":
			return w.place(w.rvalue(n.Inner[0]), typ)
		case "++", "--":
			w.unary(n, typ)
			return w.lvalue(n.Inner[0])
		case "__extension__":
			return w.lvalue(n.Inner[0])
		}
	case "BinaryOperator", "CompoundAssignOperator":
		if len(n.Inner) == 2 && strings.HasSuffix(n.Opcode, "=") {
			w.binary(n, typ)
			return w.lvalue(n.Inner[0])
		}
	case "ParenExpr", "ExprWithCleanups", "ConstantExpr", "MaterializeTemporaryExpr", "CXXBindTemporaryExpr", "CXXConstCastExpr",
		"CXXStaticCastExpr", "CXXFunctionalCastExpr", "CStyleCastExpr":
		if len(n.Inner) > 0 && n.Inner[len(n.Inner)-1] != nil {
			t := w.lvalue(n.Inner[len(n.Inner)-1])
			t.typ = typ
			return t
		}
	case "ImplicitCastExpr":
		if len(n.Inner) == 1 && (n.CastKind == "NoOp" || strings.Contains(n.CastKind, "DerivedToBase") || n.CastKind == "BaseToDerived") {
			t := w.lvalue(n.Inner[0])
			t.typ = typ
			return t
		}
	case "StringLiteral", "PredefinedExpr":
		return literalAddress(n)
	case "CXXThisExpr":
		return w.place(w.rvalue(n), typ)
	case "CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr":
		if n.Category == "lvalue" || n.Category == "xvalue" {
			t := w.call(n, ctype{kind: pointer, bits: 64, elem: typ.name, name: typ.name + " *"})
			return w.place(t, typ)
		}
	}
	// A temporary: a place that holds the value and nothing else.
	v := w.rvalue(n)
	root := w.newObject("temporary")
	at := w.place(w.address(root), typ)
	m := &w.objects[root].memory
	if v.sort == objectSort || v.sort == textSort {
		w.known[short(v.text)] = v
		m.name = "value." + short(v.text)
		m.here, m.there = at.text, smt.Symbol("value:>"+string(bitVec(64)))
	} else {
		w.write(at, key{typ: typ.name}, v)
	}
	return at.with(v)
}

// place makes an address that denotes a thing of a type.
func (w *walker) place(addr term, typ ctype) term {
	addr.typ = typ
	if typ.ref {
		addr.typ.ref = false
	}
	return addr
}

// member returns the address of a field. Offsets are not needed: a field's address is a
// function of its record's.
func (w *walker) member(n *clangast.Node, typ ctype) term {
	if len(n.Inner) == 0 {
		return w.place(w.fresh(bytePtr), typ)
	}
	in := n.Inner[0]
	base := w.types.of(in.Type)
	var at term
	if base.kind == pointer {
		at = w.rvalue(in)
		base = w.types.named(base.elem)
	} else {
		at = w.lvalue(in)
	}
	name := strings.TrimLeft(n.Name, ".->")
	if base.union() {
		name = "" // all members begin where the union begins
	} else {
		root := at.root
		at = apply("field "+base.name+"."+name, bitVec(64), at)
		at.root = root
	}
	at.field = name
	return w.place(at, typ)
}

// offset adds a number of elements to a pointer.
func (w *walker) offset(p, index term, op string) term {
	elem := w.types.named(p.typ.elem)
	size, known := w.types.size(elem)
	i := convert(asBits(index), ctype{kind: integer, bits: 64, signed: true, name: "long"})
	out := p.with(i)
	if v, ok := constantBits(i.text); ok && op == "-" {
		i = intConst(-v, i.typ)
	} else if op == "-" {
		i.text = "(bvneg " + i.text + ")"
	}
	switch {
	case !known:
		s := apply("sizeof "+elem.name, bitVec(64))
		i.text = "(bvmul " + i.text + " " + s.text + ")"
	default:
		if v, ok := constantBits(i.text); ok {
			return add(out, v*size)
		}
		if size != 1 {
			i.text = fmt.Sprintf("(bvmul %s %s)", i.text, smt.BitVec(size, 64))
		}
	}
	out.text = fmt.Sprintf("(bvadd %s %s)", p.text, i.text)
	return out
}

// add adds a number of bytes to an address.
func add(p term, bytes uint64) term {
	if bytes != 0 {
		p.text = fmt.Sprintf("(bvadd %s %s)", p.text, smt.BitVec(bytes, 64))
	}
	return p
}

// constantBits reads a literal.
func constantBits(text string) (uint64, bool) {
	if hexa, ok := strings.CutPrefix(text, "#x"); ok && len(hexa) <= 16 {
		v, err := strconv.ParseUint(hexa, 16, 64)
		return v, err == nil
	}
	return 0, false
}

// load reads the thing at a place.
func (w *walker) load(at term, typ ctype) term {
	if at.sort != bitVec(64) {
		return opaqueTerm("value", typ, at)
	}
	if typ.kind == other {
		if w.cxx && !w.isRecord(typ) { // an enumeration
			typ = ctype{kind: integer, bits: 32, name: typ.name}
		} else {
			return w.object(at, typ)
		}
	}
	field := at.field
	v := w.objects[at.root].memory.load(at, key{typ: typ.name, field: field}, typ)
	if typ.kind == pointer && v.root == 0 && !strings.HasPrefix(v.field, literalField) {
		if r := w.pointee(v.text); r > 0 {
			v.root = r
		} else {
			v.root = at.root
			if w.isVariable(at) {
				v.root = 0
			}
		}
	}
	return v
}

func (w *walker) isVariable(at term) bool {
	return at.root > 0 && w.objects[at.root].address == at.text
}

// pointee returns the object that a pointer's value points into, as far as its text tells.
func (w *walker) pointee(text string) int {
	if r, ok := w.results[text]; ok {
		return r
	}
	return 0
}

func (w *walker) isRecord(c ctype) bool {
	name := strings.TrimPrefix(strings.TrimPrefix(c.name, "struct "), "class ")
	return name != c.name || w.records[name] != nil || strings.Contains(name, "<") || strings.HasPrefix(name, "std::")
}

// assign writes a value to a place and returns it.
func (w *walker) assign(at term, k key, typ ctype, v term) term {
	if typ.kind == other || v.sort == objectSort {
		w.move(at.root)
		if v.root > 0 && v.root != at.root {
			w.link(at.root, v.root)
		}
		return v
	}
	v = convert(v, typ)
	if len(v.text) > maxFormula {
		root, field := v.root, v.field
		v = w.fresh(typ)
		v.root, v.field = root, field
	}
	if typ.kind == pointer {
		if v.root > 0 {
			w.results[v.text] = v.root
		}
		if v.root > 0 && at.root != v.root && !w.isVariable(at) {
			w.link(at.root, v.root) // one object now holds a pointer to the other
		}
	}
	w.write(at, k, v)
	return v
}

// literalAddress returns where a string literal is.
func literalAddress(n *clangast.Node) term {
	text := "?"
	if n.Kind == "PredefinedExpr" && len(n.Inner) > 0 && n.Inner[0] != nil {
		n = n.Inner[0]
	}
	if err := json.Unmarshal(n.Value, &text); err != nil {
		text = string(n.Value)
	}
	text = unescape(text)
	symbol := smt.Symbol("literal " + short(text) + ":>" + string(bitVec(64)))
	t := term{text: symbol, sort: bitVec(64), typ: bytePtr, field: literalField + text}
	return t.assuming("(not (= " + symbol + " #x0000000000000000))")
}

// literalField marks the address of a string literal, which is followed by its text as it is
// written.
const literalField = "\x00literal "

// literal returns the contents of a string literal.
func literal(n *clangast.Node) term { return literalText(literalAddress(n)) }

func literalText(addr term) term {
	return textConst(strings.TrimPrefix(addr.field, literalField))
}

// unescape reads a string as clang prints it: in quotes, with C's escapes.
func unescape(s string) string {
	open := strings.IndexByte(s, '"')
	if open < 0 || len(s) < open+2 || !strings.HasSuffix(s, `"`) {
		return s
	}
	body := s[open+1 : len(s)-1]
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' || i+1 == len(body) {
			b.WriteByte(body[i])
			continue
		}
		i++
		switch c := body[i]; {
		case c >= '0' && c <= '7':
			v, n := 0, 0
			for n < 3 && i+n < len(body) && body[i+n] >= '0' && body[i+n] <= '7' {
				v, n = v*8+int(body[i+n]-'0'), n+1
			}
			b.WriteByte(byte(v))
			i += n - 1
		case c == 'x':
			end := i + 1
			for end < len(body) && strings.IndexByte("0123456789abcdefABCDEF", body[end]) >= 0 {
				end++
			}
			v, err := strconv.ParseUint(body[i+1:end], 16, 64)
			if err != nil {
				v = 'x'
			}
			b.WriteByte(byte(v))
			i = end - 1
		default:
			if plain, ok := escapes[c]; ok {
				c = plain
			}
			b.WriteByte(c)
		}
	}
	return b.String()
}

var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'a': '\a', 'b': '\b', 'f': '\f', 'v': '\v'}
