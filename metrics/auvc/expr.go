package auvc

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/code/cprog"
)

// short is a name for a text that may be long.
func short(text string) string {
	if len(text) <= 40 {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:10])
}

// name names a node within its table.
func (t *table) name(n *node) string { return "#" + strconv.Itoa(n.id) }

// rvalue returns an expression's value, after its effects.
func (w *walker) rvalue(n *cprog.Node) value {
	typ := referred(n.Type)
	defer func() { w.depth-- }()
	if !w.enter() {
		return w.fresh(typ)
	}
	if n.Is(cprog.Constant) && isInteger(typ) {
		return value{n: w.constant(n.Value, typ), typ: typ}
	}
	if n.Is(cprog.LValue) && isRecord(typ) && n.Kind != "StringLiteral" {
		return w.record(w.lvalue(n), typ)
	}
	switch n.Kind {
	case "FloatingLiteral":
		return w.floatLiteral(n, typ)
	case "CXXNullPtrLiteralExpr", "GNUNullExpr", "ImplicitValueInitExpr", "CXXScalarValueInitExpr":
		if z := w.nothing(typ); z != nil {
			return value{n: z, typ: typ}
		}
	case "StringLiteral", "PredefinedExpr":
		return w.literal(n)
	case "ParenExpr", "ExprWithCleanups", "ConstantExpr", "FullExpr", "MaterializeTemporaryExpr", "CXXBindTemporaryExpr",
		"SubstNonTypeTemplateParmExpr", "ChooseExpr", "CXXDefaultArgExpr":
		if len(n.Inner) > 0 {
			return w.rvalue(n.Inner[len(n.Inner)-1])
		}
	case "GenericSelectionExpr":
		for _, in := range n.Inner {
			if in.Is(cprog.Selected) && len(in.Inner) > 0 {
				return w.rvalue(in.Inner[len(in.Inner)-1])
			}
		}
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
		if n.Decl != nil && !n.Is(cprog.LValue) {
			return value{n: w.ofType("name "+n.Decl.Qualified, typ), typ: typ}
		}
		return w.load(w.lvalue(n), typ)
	case "MemberExpr", "ArraySubscriptExpr", "CompoundLiteralExpr":
		return w.load(w.lvalue(n), typ)
	case "LambdaExpr", "CXXTypeidExpr", "CXXNoexceptExpr":
		return w.fresh(typ)
	}
	parts := []*node{}
	for _, in := range n.Inner {
		if in.Kind != "" && in.Type != nil {
			parts = append(parts, w.rvalue(in).n)
		}
	}
	arg := ""
	if n.Arg != nil {
		arg = n.Arg.Desugared
	}
	return value{n: w.ofType(n.Kind+" "+n.Op+n.Name+" "+arg+" "+typ.Desugared, typ, parts...), typ: typ, opaque: true}
}

// fresh is a value of which nothing is known, not even that it is equal to another.
func (w *walker) fresh(typ *cprog.Type) value {
	return value{n: w.ofType(fmt.Sprintf("fresh#%d", w.next()), typ), typ: typ}
}

// none is the value of an expression without one, such as a call of a void function.
func (w *walker) none() value { return value{n: w.num(1), typ: voidType} }

// record is the value of a record: all that it holds now.
func (w *walker) record(at value, typ *cprog.Type) value {
	from := w.place(w.objects[at.root].memory, at.n)
	return value{n: w.function("record "+short(w.stamp(at.root, everything)), nil, nil, from), typ: typ, root: at.root, opaque: at.opaque}
}

func (w *walker) floatLiteral(n *cprog.Node, typ *cprog.Type) value {
	f, err := strconv.ParseFloat(n.Text, 64)
	if typ.Bits == 32 {
		var g float64
		if g, err = strconv.ParseFloat(n.Text, 32); err == nil {
			f = g
		}
	}
	if err != nil {
		return value{n: w.floatSymbol("float "+n.Text, typ.Bits), typ: typ, opaque: true}
	}
	return value{n: w.floatConst(f, typ.Bits), typ: typ}
}

// literal returns where a string literal is: nowhere that is null.
func (w *walker) literal(n *cprog.Node) value {
	typ := n.Type
	if n.Kind == "PredefinedExpr" && len(n.Inner) > 0 {
		n = n.Inner[0]
	}
	text := n.Text
	v := w.literalOf(text)
	v.typ = typ
	return v
}

func (w *walker) literalOf(text string) value {
	return value{n: w.notNull("$literal " + short(text)), typ: charPtr, text: &text}
}

func (w *walker) cast(n *cprog.Node, typ *cprog.Type) value {
	if len(n.Inner) == 0 {
		return w.fresh(typ)
	}
	in := n.Inner[len(n.Inner)-1]
	switch n.Op {
	case "LValueToRValue", "LValueToRValueBitCast":
		return w.load(w.lvalue(in), typ)
	case "ArrayToPointerDecay":
		v := w.lvalue(in)
		v.typ = typ
		return v
	case "FunctionToPointerDecay", "BuiltinFnToFnPtr":
		name := in.Name
		if d := in.Callee(); d != nil {
			name = d.Qualified
		}
		return value{n: w.notNull("function " + name), typ: typ}
	case "ToVoid":
		w.rvalue(in)
		return w.none()
	case "NullToPointer":
		return value{n: w.num(0), typ: typ}
	}
	v := w.rvalue(in)
	switch n.Op {
	case "NoOp", "BitCast", "ConstructorConversion", "UserDefinedConversion", "AtomicToNonAtomic", "NonAtomicToAtomic":
		v.typ = typ
		return v
	case "IntegralCast", "IntegralToBoolean", "IntegralToFloating", "FloatingToIntegral", "FloatingToBoolean", "FloatingCast",
		"PointerToBoolean", "BooleanToSignedIntegral", "IntegralToPointer", "PointerToIntegral":
		return w.convert(v, typ)
	}
	if typ.Same != nil && typ.Same == v.typ.Same {
		return v
	}
	return value{n: w.ofType("cast "+n.Op, typ, v.n), typ: typ, opaque: true}
}

func (w *walker) statementExpr(n *cprog.Node, typ *cprog.Type) value {
	if len(n.Inner) == 0 {
		return w.fresh(typ)
	}
	list := n.Inner[0].Inner
	for i, in := range list {
		if i == len(list)-1 && typ.Kind != cprog.Void && !strings.HasSuffix(in.Kind, "Stmt") {
			return w.rvalue(in)
		}
		w.statement(in)
	}
	return w.none()
}
