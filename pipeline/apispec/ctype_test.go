package apispec

import (
	"strings"
	"testing"
)

var knownTypedefs = map[string]*Type{
	"Bytef": {Kind: Int, Name: "unsigned char", Bits: 8},
	"blob":  {Kind: Pointer, Elem: &Type{Kind: Void, Name: "void"}},
}

// among looks names up as an extractor does.
func among(typedefs map[string]*Type) func(string) *Type {
	return (&extractor{typedefs: typedefs}).lookup
}

func TestParseType(t *testing.T) {
	for _, tc := range []struct {
		in, want string // want "" means the same as in
		kind     Kind
	}{
		{"int", "", Int},
		{"const char *", "", Pointer},
		{"char *const", "", Pointer},
		{"const char *const *", "", Pointer},
		{"const unsigned char *restrict", "const unsigned char *", Pointer},
		{"unsigned long long", "", Int},
		{"const Bytef *", "", Pointer},
		{"const blob", "", Pointer},
		{"unsigned char[16]", "", Array},
		{"int[]", "", Array},
		{"int[2][3]", "", Array},
		{"struct z_stream_s *", "", Pointer},
		{"union u", "", Union},
		{"enum mode", "", EnumRef},
		{"int (*)(void *, const struct s *)", "", Pointer},
		{"void (*(int, void (*)(int)))(int)", "", Func},
		{"int (const char *, ...)", "", Func},
		{"int (*[4])(void)", "", Array},
		{"int (*)[8]", "", Pointer},
		{"void (void) __attribute__((noreturn))", "void (void)", Func},
		{"union (unnamed union at /a b/f.h:2:28)", "", Union},
		{"std::string", "", Unknown},
		{"const std::map<std::string, int> &", "", Ref},
		{"std::vector<std::pair<int, char>>::iterator", "", Unknown},
		{"Thing &&", "", MoveRef},
		{"char (&)[8]", "", Ref},
		{"int *const &", "", Ref},
		{"int (const char *) const", "", Func},
		{"void () noexcept", "void (void)", Func},
	} {
		t.Run(tc.in, func(t *testing.T) {
			got, err := parseType(tc.in, among(knownTypedefs))
			if err != nil {
				t.Fatal(err)
			}
			want := tc.want
			if want == "" {
				want = tc.in
			}
			if got.Kind != tc.kind || squeeze(got.String()) != squeeze(want) {
				t.Errorf("parsed as %s %q, want %s %q", got.Kind, got, tc.kind, want)
			}
		})
	}
}

// squeeze removes spaces, in which clang and Declare differ.
func squeeze(s string) string { return strings.ReplaceAll(s, " ", "") }

func TestParseTypeErrors(t *testing.T) {
	for _, in := range []string{"", "*", "int (", "int[3", "int (*", "int int(", "int ((((" + strings.Repeat("(*", 200)} {
		if got, err := parseType(in, among(nil)); err == nil {
			t.Errorf("parseType(%q) = %v, want an error", in, got)
		}
	}
}

func TestDeclare(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"const char *", "const char *s"},
		{"int[3]", "int s[3]"},
		{"int (*)(void *)", "int (*s)(void *)"},
		{"char *const", "char *const s"},
	} {
		typ, err := parseType(tc.in, among(nil))
		if err != nil {
			t.Fatal(err)
		}
		if got := typ.Declare("s"); got != tc.want {
			t.Errorf("declaration of %q = %q, want %q", tc.in, got, tc.want)
		}
	}
}

// FuzzParseType checks that any spelling either is refused or survives a round trip.
func FuzzParseType(f *testing.F) {
	for _, s := range []string{"int", "const char *const *", "int (*)(void *, ...)", "int (*[4])[2]", "struct a *restrict", "((("} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		typ, err := parseType(s, among(knownTypedefs))
		if err != nil {
			return
		}
		again, err := parseType(typ.String(), among(knownTypedefs))
		if err != nil {
			t.Fatalf("%q prints as %q, which does not parse: %v", s, typ, err)
		}
		if again.String() != typ.String() {
			t.Fatalf("%q prints as %q and then as %q", s, typ, again)
		}
	})
}
