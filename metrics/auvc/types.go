package auvc

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// The types that values have without an expression of that type.
var (
	intType  = &cprog.Type{Kind: cprog.Int, Bits: 32, Signed: true, Size: 4, Spelling: "int"}
	sizeType = &cprog.Type{Kind: cprog.Int, Bits: 64, Size: 8, Spelling: "unsigned long"}
	charType = &cprog.Type{Kind: cprog.Int, Bits: 8, Signed: true, Size: 1, Spelling: "char"}
	charPtr  = &cprog.Type{Kind: cprog.Pointer, Bits: 64, Size: 8, Spelling: "char *", Elem: charType}
	voidType = &cprog.Type{Kind: cprog.Void, Size: -1, Spelling: "void"}
)

func isPointer(t *cprog.Type) bool { return t.Kind == cprog.Pointer || t.Kind == cprog.NullPtr }

// isInteger includes truth values and enumerations.
func isInteger(t *cprog.Type) bool {
	return t.Kind == cprog.Int || t.Kind == cprog.Bool || t.Kind == cprog.Enum
}

func isScalar(t *cprog.Type) bool { return isInteger(t) || isPointer(t) || t.Kind == cprog.Float }

func isChar(t *cprog.Type) bool { return t != nil && t.Kind == cprog.Int && t.Bits == 8 }

// isRecord reports whether values of the type have no structure here.
func isRecord(t *cprog.Type) bool { return t.Kind == cprog.RecordType || t.Kind == cprog.OtherType }

// elem is what a pointer or array leads to.
func elem(t *cprog.Type) *cprog.Type {
	if t.Elem == nil {
		return voidType
	}
	return t.Elem
}

// referred is the type itself, or what a reference refers to.
func referred(t *cprog.Type) *cprog.Type {
	if t == nil {
		return voidType
	}
	if t.Kind == cprog.Reference {
		return elem(t)
	}
	return t
}

// sameType compares types but for qualifiers and typedefs.
func sameType(a, b *cprog.Type) bool { return a == b || a.Same != nil && a.Same == b.Same }

// typeName is a type's name for methods: of a record, else as it is spelled.
func typeName(t *cprog.Type) string {
	if t.Record != nil && t.Record.Name != "" {
		return t.Record.Name
	}
	return strings.TrimPrefix(t.Desugared, "const ")
}

// texts are how the names of classes begin that hold one text and nothing else.
var texts = []string{"std::basic_string", "std::string", "std::__cxx11::basic_string", "basic_string<char", "re2::StringPiece",
	"StringPiece", "absl::string_view"}

// stringLike reports whether a type is such a class.
func stringLike(t *cprog.Type) bool {
	for _, name := range []string{typeName(t), strings.TrimPrefix(t.Desugared, "const ")} {
		for _, prefix := range texts {
			if isRecord(t) && strings.HasPrefix(name, prefix) {
				return true
			}
		}
	}
	return false
}
