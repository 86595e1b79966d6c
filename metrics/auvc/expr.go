package auvc

import (
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// unknown returns the result of an unknown function of values; only its shape is known.
func (w *walker) unknown(name string, to shape, args ...val) val {
	key, undefined := hashed(name), false
	for _, a := range args {
		key = mix(key, a.hash())
		undefined = undefined || a.undefined
	}
	v := w.draw(w.next(), key, to)
	v.undefined = undefined
	return v
}

func (w *walker) unknownOf(name string, typ *cprog.Type, args ...val) value {
	return w.unknown(name, shapeOf(typ), args...).as(typ)
}

// opaque returns an expression without a meaning here, as a function of its parts.
func (w *walker) opaque(name string, typ *cprog.Type, args ...val) value {
	w.structural = true
	return w.unknownOf(name, typ, args...)
}

// fresh is a value of which nothing is known, not even that it is equal to another.
func (w *walker) fresh(typ *cprog.Type) value {
	return w.unknownOf("fresh", typ, num(int64(w.next()), sizeShape))
}

// none is the value of an expression without one, such as a call of a void function.
func (w *walker) none() value { return num(1, intShape).as(voidType) }

// transparent are expressions that stand for their last part.
var transparent = clex.Set(`ParenExpr ExprWithCleanups ConstantExpr FullExpr MaterializeTemporaryExpr CXXBindTemporaryExpr
	SubstNonTypeTemplateParmExpr ChooseExpr CXXDefaultArgExpr`)

// rvalue returns an expression's value, after its effects.
func (w *walker) rvalue(n *cprog.Node) value {
	typ := referred(n.Type)
	defer func() { w.depth-- }()
	if !w.enter() {
		return w.fresh(typ)
	}
	if n.Is(cprog.Constant) && isInteger(typ) {
		w.collect(n.Value)
		return num(int64(fit(n.Value, shapeOf(typ))), shapeOf(typ)).as(typ)
	}
	if n.Is(cprog.LValue) && isRecord(typ) && n.Kind != "StringLiteral" {
		return w.loadFrom(w.lvalue(n), typ)
	}
	if transparent[n.Kind] && len(n.Inner) > 0 {
		return w.rvalue(n.Inner[len(n.Inner)-1])
	}
	switch n.Kind {
	case "FloatingLiteral":
		if f, err := strconv.ParseFloat(n.Text, max(32, min(typ.Bits, 64))); err == nil {
			return constantOf(val{f: f}, shapeOf(typ)).as(typ)
		}
	case "CXXNullPtrLiteralExpr", "GNUNullExpr", "ImplicitValueInitExpr", "CXXScalarValueInitExpr":
		if isScalar(typ) {
			return constantOf(val{}, shapeOf(typ)).as(typ)
		}
	case "StringLiteral", "PredefinedExpr":
		return w.literal(n)
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
			return w.unknownOf("name "+n.Decl.Qualified, typ)
		}
		return w.loadFrom(w.lvalue(n), typ)
	case "MemberExpr", "ArraySubscriptExpr", "CompoundLiteralExpr":
		return w.loadFrom(w.lvalue(n), typ)
	case "LambdaExpr", "CXXTypeidExpr", "CXXNoexceptExpr":
		return w.fresh(typ)
	}
	parts := []val{}
	for _, in := range n.Inner {
		if in.Kind != "" && in.Type != nil {
			parts = append(parts, w.rvalue(in).val)
		}
	}
	name := n.Kind + " " + n.Op + n.Name + n.Text + " " + typ.Desugared
	if n.Arg != nil {
		name += " of " + n.Arg.Desugared
	}
	return w.opaque(name, typ, parts...)
}

// literal returns where a string literal is.
func (w *walker) literal(n *cprog.Node) value {
	typ := n.Type
	if n.Kind == "PredefinedExpr" && len(n.Inner) > 0 {
		n = n.Inner[0]
	}
	return w.literalOf(n.Text).as(typ)
}

func (w *walker) literalOf(s string) value {
	at, ok := w.literals[s]
	if !ok {
		at = w.newObject()
		w.literals[s] = at
	}
	w.setText(at.root, s)
	w.objects[at.root].fixed = true
	return at.as(charPtr)
}

func (w *walker) cast(n *cprog.Node, typ *cprog.Type) value {
	in := n.Inner[len(n.Inner)-1]
	switch n.Op {
	case "LValueToRValue", "LValueToRValueBitCast":
		return w.loadFrom(w.lvalue(in), typ)
	case "ArrayToPointerDecay":
		return w.lvalue(in).as(typ)
	case "FunctionToPointerDecay", "BuiltinFnToFnPtr":
		if d := in.Callee(); d != nil {
			return w.function(d.Qualified, typ)
		}
		return w.function(in.Name, typ)
	case "ToVoid":
		w.rvalue(in)
		return w.none()
	case "NullToPointer":
		return num(0, addressShape).as(typ)
	}
	v := w.rvalue(in)
	switch n.Op {
	case "NoOp", "BitCast", "ConstructorConversion", "UserDefinedConversion", "AtomicToNonAtomic", "NonAtomicToAtomic":
		return v.as(typ)
	case "IntegralCast", "IntegralToBoolean", "IntegralToFloating", "FloatingToIntegral", "FloatingToBoolean", "FloatingCast",
		"PointerToBoolean", "BooleanToSignedIntegral", "IntegralToPointer", "PointerToIntegral":
		return w.convert(v, typ)
	}
	if sameType(typ, v.typ) {
		return v
	}
	return w.opaque("cast "+n.Op, typ, v.val)
}

// function is the address of a function, which is not null.
func (w *walker) function(name string, typ *cprog.Type) value {
	return num(int64(farAway(hashed(name))), addressShape).as(typ)
}

// convert converts a value as C does (C17 6.3.1).
func (w *walker) convert(v value, to *cprog.Type) value {
	out, from, s := v.as(to), v.shape, shapeOf(to)
	if !isPointer(to) {
		out.root = 0
	}
	switch {
	case to.Kind == cprog.Bool:
		out.val = w.make(cast, s, w.truth(v.val))
	case from == s || sameType(to, v.typ):
	case from.kind <= float && s.kind <= float:
		out.val = w.make(cast, s, v.val)
	default:
		return w.opaque("convert", to, v.val)
	}
	return out
}

func (w *walker) statementExpr(n *cprog.Node, typ *cprog.Type) value {
	list := n.Inner[0].Inner
	for i, in := range list {
		if i == len(list)-1 && typ.Kind != cprog.Void && !strings.HasSuffix(in.Kind, "Stmt") {
			return w.rvalue(in)
		}
		w.statement(in)
	}
	return w.none()
}
