package auvc

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clangast"
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
