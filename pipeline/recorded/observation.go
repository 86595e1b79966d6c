package recorded

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A Kind is how a value is printed and asserted: the call that prints it, of the number, the expression and the size.
type Kind string

// The kinds of values.
const (
	Int        Kind = "obs_int(%[1]s, %[2]s)"
	Uint       Kind = "obs_uint(%[1]s, %[2]s)"
	Double     Kind = "obs_double(%[1]s, %[2]s)"
	LongDouble Kind = "obs_long_double(%[1]s, %[2]s)"
	Null       Kind = "obs_int(%[1]s, %[2]s != NULL)"  // whether a pointer is NULL, never where it points
	String     Kind = "obs_string(%[1]s, %[2]s)"       // content of a NUL-terminated string
	Bytes      Kind = "obs_bytes(%[1]s, %[2]s, %[3]s)" // content of a buffer
)

// An Observation is one value that a program may print and a test may assert.
type Observation struct {
	Kind  Kind
	Expr  string // C expression of the value
	Guard string // condition under which it may be read, or ""
	Size  string // Bytes: C expression of how many
}

// Bounds of what is observed of one struct: fields, and elements of a field that is an array.
const (
	maxFields   = 24
	maxElements = 16
)

// Look returns what to observe of a value of type t. That is a number, or of a pointer whether it is NULL
// and, if text is set and it is a char *, the string it points to. Other types give nothing.
func Look(t *apispec.Type, expr, guard string, text bool) []Observation {
	ob := Observation{Kind: Int, Expr: expr, Guard: guard}
	switch {
	case t.Kind == apispec.Bool || t.Kind == apispec.EnumRef:
	case t.Kind == apispec.Int && !t.Signed:
		ob.Kind = Uint
	case t.Kind == apispec.Int:
	case t.Kind == apispec.Float && t.Bits > 64:
		ob.Kind = LongDouble
	case t.Kind == apispec.Float:
		ob.Kind = Double
	case t.Kind != apispec.Pointer:
		return nil
	default:
		ob.Kind = Null
		if text && t.Elem.Name == "char" && t.Elem.Kind == apispec.Int {
			return []Observation{ob, {Kind: String, Expr: expr, Guard: and(guard, expr)}}
		}
	}
	return []Observation{ob}
}

// and joins two conditions, of which either may be "".
func and(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " && " + b
}

// Fields calls add for each visible field of the struct of that name that Look has a use for. It goes one
// nested struct deep, and element by element of short arrays. prefix comes before a field's name, such as
// "p->". Unions have no such fields, for which of them is set is not known.
func Fields(spec *apispec.Spec, name, prefix string, add func(t *apispec.Type, expr string)) {
	def := spec.Struct(name)
	if def == nil || def.Union {
		return
	}
	for i, f := range def.Fields {
		switch {
		case i >= maxFields || f.Name == "":
		case f.Type.Kind == apispec.Record && strings.Count(prefix, ".") < 2:
			Fields(spec, f.Type.Name, prefix+f.Name+".", add)
		case f.Type.Kind == apispec.Array && f.Type.Elem.IsScalar() && f.Type.Len > 0 && f.Type.Len <= maxElements:
			for k := range int(f.Type.Len) {
				add(f.Type.Elem, fmt.Sprintf("%s%s[%d]", prefix, f.Name, k))
			}
		default:
			add(f.Type, prefix+f.Name)
		}
	}
}

// Print returns the statement that prints the value as the number that the C expression n gives.
// The program needs Printers.
func (o Observation) Print(n string) string {
	call := fmt.Sprintf(string(o.Kind), n, o.Expr, o.Size)
	if o.Guard != "" {
		call = "if (" + o.Guard + ") " + call
	}
	return call + ";"
}

// literalLen is the longest content that an assertion spells out.
const literalLen = 160

// Condition returns the condition that holds if the value is the printed one; "" if what was
// printed cannot be read. Where it calls checksum the program needs ChecksumHelper.
func (o Observation) Condition(value string) string {
	if value == "" {
		return ""
	}
	switch o.Kind {
	case Int:
		if value == "-9223372036854775808" {
			return o.Expr + " == (-9223372036854775807ll - 1)"
		}
		return o.Expr + " == " + value + suffix(value)
	case Uint:
		return o.Expr + " == " + value + "u" + suffix(value)
	case Double:
		return floatCondition(o.Expr, value, "")
	case LongDouble:
		return floatCondition(o.Expr, value, "L")
	case Null:
		return o.Expr + map[bool]string{true: " == NULL", false: " != NULL"}[value == "0"]
	}
	b, ok := ParseBlob(value)
	short := b.Whole() && b.Length <= literalLen
	switch {
	case !ok:
		return ""
	case short && o.Kind == String:
		return fmt.Sprintf("strcmp(%s, %s) == 0", o.Expr, CString(b.Head))
	case short:
		n := b.Length
		if size, err := strconv.Atoi(o.Size); err == nil {
			n = min(n+1, size) // the NUL of the literal is compared as well
		}
		return fmt.Sprintf("memcmp(%s, %s, %d) == 0", o.Expr, CString(b.Head), n)
	case o.Kind == String:
		return fmt.Sprintf("strlen(%s) == %d && checksum(%[1]s, %[2]d) == 0x%xull", o.Expr, b.Length, b.Checksum)
	}
	return fmt.Sprintf("checksum(%s, %s) == 0x%xull", o.Expr, o.Size, b.Checksum)
}

// suffix is what a literal of more than 32 bits needs.
func suffix(digits string) string {
	if len(digits) > 9 {
		return "ll"
	}
	return ""
}

// floatCondition compares by value, and says what == cannot: NaN and the sign of zero.
func floatCondition(expr, hex, suffix string) string {
	switch digits := strings.TrimPrefix(hex, "-"); {
	case digits == "nan":
		return "isnan(" + expr + ")"
	case digits == "inf":
		return expr + " == " + strings.Replace(hex, "inf", "INFINITY", 1)
	case digits == "0x0p+0" && hex == digits:
		return expr + " == 0 && !signbit(" + expr + ")"
	case digits == "0x0p+0":
		return expr + " == 0 && signbit(" + expr + ")"
	}
	return expr + " == " + hex + suffix
}

// CString spells s as a C string literal. Octal escapes of three digits never swallow
// what follows, and ?? is broken up because of trigraphs.
func CString(s string) string {
	var sb strings.Builder
	sb.WriteByte('"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			sb.WriteString(`\` + string(rune(c)))
		case c == '\n':
			sb.WriteString(`\n`)
		case c == '?' && i > 0 && s[i-1] == '?':
			sb.WriteString(`\?`)
		case c < ' ' || c > '~':
			fmt.Fprintf(&sb, `\%03o`, c)
		default:
			sb.WriteByte(c)
		}
	}
	sb.WriteByte('"')
	return sb.String()
}
