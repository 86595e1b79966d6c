package citywalk

import (
	"fmt"
	"strings"
	"testing"
)

func TestChunks(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"function", "int f(int a, char *b)\n{\n  return a;\n}\n", "1 f(int a|char *b)"},
		{"no parameters", "#include <x.h>\nvoid f(void) { if (1) { g(); } }\n", "2 f()"},
		{"macro around the type", "API(char *) f(const char *s)\n{\n}\n", "1 f(const char *s)"},
		{"macro before the name", "int ZEXPORT f(int a) { return a; }", "1 f(int a)"},
		{"1978", "int f(s, n)\n    char *s;\n    int n;\n{\n}\nint g(void) { }", "1 f(s|n)\n6 g()"},
		{"prototypes are none", "int f(int);\nextern int g(s) ;\nint h(void) { }", "3 h()"},
		{"initialisers are none", "int a[] = { f(1), 2 };\nint h(void) { }", "2 h()"},
		{"type", "struct point { int x; };\nint h(void) { }", "1 type point\n2 h()"},
		{"typedef", "typedef struct { int x; } point;\ntypedef enum e { A, B } e_t;", "1 type point\n2 type e"},
		{"extern C", "extern \"C\" {\nint f(int x) { }\n}\n", "2 f(int x)"},
		{"braces in literals", "void f(void) { char c = '{'; puts(\"}\\\"{\"); /* } */ } // }\nvoid g(void) {}", "1 f()\n2 g()"},
		{"methods", "namespace a { namespace b {\nclass C : public D {\n public:\n  C(int x) : x_(x) { }\n  int get() const { return x_; }\n};\nint C::size(const T<a, b>& t) const { }\n} }",
			"2 type a::b::C\n4 a::b::C::C(int x)\n5 a::b::C::get()\n7 a::b::C::size(const T<a, b>& t)"},
		{"operators are left out", "C& C::operator=(C&& o) { f(); }\nvoid C::g() { }", "2 C::g()"},
		{"a nested class from outside", "class A::B {\n  int f() { }\n};", "1 type A::B\n2 A::B::f()"},
		{"one branch of a condition", "#ifdef X\nint f(int a) {\n#else\nint f(long a) {\n#endif\n}\n#if 0\nint g(void) {\n#else\nint h(void) {\n#endif\n}", "2 f(int a)\n10 h()"},
		{"template", "template <typename T, class U>\nstatic T f(T a) { return a; }", "1 f(T a)"},
		{"destructor", "C::~C() { }", "1 C::~C()"},
		{"directives", "#define X(a) { \\\n  {\nint f(void) { }", "3 f()"},
		{"unbalanced", "int f(void) { {\n", "1 f()"},
	} {
		var got []string
		for _, k := range chunks("f.c", c.src) {
			if k.Type {
				got = append(got, fmt.Sprintf("%d type %s", k.Line, k.Qual))
			} else {
				got = append(got, fmt.Sprintf("%d %s(%s)", k.Line, k.Qual, strings.Join(k.Params, "|")))
			}
		}
		if text := strings.Join(got, "\n"); text != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, text, c.want)
		}
	}
}
