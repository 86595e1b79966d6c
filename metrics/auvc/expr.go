package auvc

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// A value is what an expression gives, with what its type and its origin tell.
type value struct {
	n     *term
	typ   *cprog.Type
	root  int   // the object that an address lies in; 0 if none is known
	start *term // where the array begins that an address lies in, if not there
	// opaque: some part has no meaning here and stands as a function of its parts.
	opaque bool
}

// from marks a value as opaque where one of its parts is.
func (v value) from(parts ...value) value {
	for _, p := range parts {
		v.opaque = v.opaque || p.opaque
	}
	return v
}

func (v value) as(typ *cprog.Type) value {
	v.typ = typ
	return v
}

// begin is where the array begins that an address lies in.
func (v value) begin() *term {
	if v.start != nil {
		return v.start
	}
	return v.n
}

// unknown is a value of a type as a function of terms.
func (w *walker) unknown(name string, typ *cprog.Type, args ...*term) *term {
	return w.table.unknown(name, shapeOf(typ), args...)
}

// fresh is a value of which nothing is known, not even that it is equal to another.
func (w *walker) fresh(typ *cprog.Type) value {
	return value{n: w.unknown(fmt.Sprint("fresh ", w.next()), typ), typ: typ}
}

// none is the value of an expression without one, such as a call of a void function.
func (w *walker) none() value { return value{n: w.num(1, intShape), typ: voidType} }

// rvalue returns an expression's value, after its effects.
func (w *walker) rvalue(n *cprog.Node) value {
	typ := referred(n.Type)
	defer func() { w.depth-- }()
	if !w.enter() {
		return w.fresh(typ)
	}
	if n.Is(cprog.Constant) && isInteger(typ) {
		return value{n: w.num(int64(fit(n.Value, shapeOf(typ))), shapeOf(typ)), typ: typ}
	}
	if n.Is(cprog.LValue) && isRecord(typ) && n.Kind != "StringLiteral" {
		return w.loadFrom(w.lvalue(n), typ)
	}
	switch n.Kind {
	case "FloatingLiteral":
		if f, err := strconv.ParseFloat(n.Text, max(32, min(typ.Bits, 64))); err == nil {
			return value{n: w.constant(val{f: f}, shapeOf(typ)), typ: typ}
		}
	case "CXXNullPtrLiteralExpr", "GNUNullExpr", "ImplicitValueInitExpr", "CXXScalarValueInitExpr":
		if isScalar(typ) {
			return value{n: w.constant(val{}, shapeOf(typ)), typ: typ}
		}
	case "StringLiteral", "PredefinedExpr":
		return w.literal(n)
	case "ParenExpr", "ExprWithCleanups", "ConstantExpr", "FullExpr", "MaterializeTemporaryExpr", "CXXBindTemporaryExpr",
		"SubstNonTypeTemplateParmExpr", "ChooseExpr", "CXXDefaultArgExpr":
		if len(n.Inner) > 0 {
			return w.rvalue(n.Inner[len(n.Inner)-1])
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
			return value{n: w.unknown("name "+n.Decl.Qualified, typ), typ: typ}
		}
		return w.loadFrom(w.lvalue(n), typ)
	case "MemberExpr", "ArraySubscriptExpr", "CompoundLiteralExpr":
		return w.loadFrom(w.lvalue(n), typ)
	case "LambdaExpr", "CXXTypeidExpr", "CXXNoexceptExpr":
		return w.fresh(typ)
	}
	parts := []*term{}
	for _, in := range n.Inner {
		if in.Kind != "" && in.Type != nil {
			parts = append(parts, w.rvalue(in).n)
		}
	}
	name := n.Kind + " " + n.Op + n.Name + n.Text + " " + typ.Desugared
	if n.Arg != nil {
		name += " of " + n.Arg.Desugared
	}
	return value{n: w.unknown(name, typ, parts...), typ: typ, opaque: true}
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
	root, ok := w.literals[s]
	if !ok {
		root = w.newObject()
		w.literals[s] = root
	}
	o := &w.objects[root]
	if !o.fixed {
		o.fixed, o.memory = true, w.keep(term{op: literal, value: val{s: s}, args: []*term{w.address(root)}})
	}
	return value{n: w.address(root), typ: charPtr, root: root}
}

func (w *walker) cast(n *cprog.Node, typ *cprog.Type) value {
	if len(n.Inner) == 0 {
		return w.fresh(typ)
	}
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
		return value{n: w.num(0, addressShape), typ: typ}
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
	return value{n: w.unknown("cast "+n.Op, typ, v.n), typ: typ, opaque: true}
}

// function is the address of a function, which is not null.
func (w *walker) function(name string, typ *cprog.Type) value {
	return value{n: w.num(int64(farAway(hashed(name))), addressShape), typ: typ}
}

// convert converts a value as C does (C17 6.3.1).
func (w *walker) convert(v value, to *cprog.Type) value {
	out := v.as(to)
	if !isPointer(to) {
		out.root, out.start = 0, nil
	}
	from, s := v.n.shape, shapeOf(to)
	switch {
	case to.Kind == cprog.Bool:
		out.n = w.truth(v.n)
		if out.n.shape != s {
			out.n = w.make(cast, s, out.n)
		}
	case from == s || sameType(to, v.typ):
	case from.kind <= float && s.kind <= float:
		out.n = w.make(cast, s, v.n)
	default:
		out.n, out.opaque = w.unknown("convert", to, v.n), true
	}
	return out
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
