package clex

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

var kindNames = map[Kind]string{Comment: "comment", Word: "word", Number: "number", String: "string", Char: "char", Punct: "punct", Directive: "directive"}

// show writes tokens as kind:text, separated by blanks; ^ marks the first of a line, # those
// of a preprocessor line.
func show(src string) string {
	var list []string
	for t := range Tokens(src) {
		mark := ""
		if t.First {
			mark = "^"
		}
		if t.Directive {
			mark += "#"
		}
		list = append(list, mark+kindNames[t.Kind]+":"+t.Text)
	}
	return strings.Join(list, " ")
}

func TestTokens(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"nothing", " \t\n", ""},
		{"declaration", "int x_1=0;", "^word:int word:x_1 punct:= number:0 punct:;"},
		{"numbers", "0x1p-3 1e+5 .5 1'000 1.f 3+4", "^number:0x1p-3 number:1e+5 number:.5 number:1'000 number:1.f number:3 punct:+ number:4"},
		{"operators are read as marks", "a>>b a::b f(...) p->q", "^word:a punct:> punct:> word:b word:a punct::: word:b word:f punct:( punct:... punct:) word:p punct:- punct:> word:q"},
		{"literals", `"a\"b" 'c' '"' L"w" u8"x" U'y'`, `^string:"a\"b" char:'c' char:'"' string:L"w" string:u8"x" char:U'y'`},
		{"a prefix alone", `L u8 R'a'`, "^word:L word:u8 word:R char:'a'"},
		{"raw string", "R\"x(a\n\")\" )x\" b", "^string:R\"x(a\n\")\" )x\" word:b"},
		{"raw string without end", "u8R\"(a\nb", "^string:u8R\"(a\nb"},
		{"no raw string", "R\"a b(\"", "^string:R\"a b(\""},
		{"a stray quote ends with its line", "don't\nx", "^word:don char:'t ^word:x"},
		{"comments", "x /* a\n b */ y // c\nz", "^word:x comment:/* a\n b */ word:y comment:// c ^word:z"},
		{"no comment in a string", `"//" '/*'`, `^string:"//" char:'/*'`},
		{"comment without end", "/* a\n", "^comment:/* a\n"},
		{"not closed", "/*/ a", "^comment:/*/ a"},
		{"a backslash continues a comment", "// a \\\nb\nc", "^comment:// a \\\nb ^word:c"},
		{"and a string", "\"a\\\nb\" c", "^string:\"a\\\nb\" word:c"},
		{"and ends a word", "int\\\n x", "^word:int ^word:x"},
		{"directive", "#define A(x) \\\n #x // c\nB", "^#directive:# #word:define #word:A #punct:( #word:x #punct:) ^#punct:# #word:x #comment:// c ^word:B"},
		{"directive behind a comment", "/* a */ # if 0", "^comment:/* a */ #directive:# #word:if #number:0"},
		{"a comment continues a directive", "#if A /*\n*/ B\nC", "^#directive:# #word:if #word:A #comment:/*\n*/ #word:B ^word:C"},
		{"no directive", "a # b", "^word:a punct:# word:b"},
		{"a byte order mark and odd bytes", "\xef\xbb\xbfint \x00@", "^word:\xef\xbb\xbfint punct:\x00 punct:@"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Check(t, is.Equal(show(tt.src), tt.want))
		})
	}
}

func TestLines(t *testing.T) {
	var got []string
	for tok := range Tokens("a\n/* b\n*/ c \\\n  d\nR\"(\n)\" e") {
		got = append(got, fmt.Sprintf("%d-%d", tok.Line, tok.LastLine()))
	}
	if want := "1-1 2-3 3-3 4-4 5-6 6-6"; strings.Join(got, " ") != want {
		t.Errorf("lines %v, want %s", got, want)
	}
}

func TestWithoutComments(t *testing.T) {
	for src, want := range map[string]string{
		"":                            "",
		"a /* b\nc */ d // e\n\"//\"": "a \n  d  \n\"//\"",
		"x/* never closed":            "x ",
	} {
		if got := WithoutComments(src); got != want {
			t.Errorf("%q gives %q, want %q", src, got, want)
		}
	}
}

func TestNameWords(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "png_get_height": "png get height", "cmsGetColorSpace": "cms get color space", "isEOF": "is eof", "__x": "x",
		"re2::RE2::PartialMatch": "re re partial match", "sqlite3_open_v2": "sqlite open v", "gzGetc64X": "gz getc x",
		"JSONUtils_GetPointer": "json utils get pointer", "get_cRGB": "get c rgb", "XMLName": "xml name", "a": "a",
	} {
		assert.Check(t, is.Equal(strings.Join(NameWords(name), " "), want), name)
	}
}

func TestIncludes(t *testing.T) {
	const src = `#include <a/b.h> // c
  # include "d.h"
/* e */ #include FROM_MACRO
#ifdef X
#include <sys//f.h>
#endif
// #include <no.h>
const char *s = "#include <no.h>"; # include <no.h>
#define Y #include <no.h>
#include <g.h> /*
*/
#include "h.h"`
	var got []string
	for _, in := range Includes(src) {
		got = append(got, fmt.Sprintf("%s %v %d %q", in.Name, in.Quoted, in.Depth, src[in.Start:in.End]))
	}
	want := []string{
		`a/b.h false 0 "#include <a/b.h> // c\n"`,
		`d.h true 0 "  # include \"d.h\"\n"`,
		` false 0 "#include FROM_MACRO\n"`,
		`sys//f.h false 1 "#include <sys//f.h>\n"`,
		`g.h false 0 "#include <g.h> /*\n*/\n"`,
		`h.h true 0 "#include \"h.h\""`,
	}
	assert.Check(t, slices.Equal(got, want), "got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
}

// TestLongTexts reads texts that are cheap to write and would be dear to a scanner that goes
// back. The deadline ends one that does.
func TestLongTexts(t *testing.T) {
	const n = 2 << 20
	for name, part := range map[string]string{
		"parentheses": "(", "quotes": "\"\\\n", "comments": "/*/", "raw strings": `R"(`, "raw strings of no end": `R"a(" `, "continued": "\\\n", "words": "a\\\n", "blanks": " ", "directives": "#\n",
	} {
		t.Run(name, func(t *testing.T) {
			src := strings.Repeat(part, n/len(part))
			deadline := time.Now().Add(time.Minute)
			for range Tokens(src) {
				assert.Assert(t, !time.Now().After(deadline), "takes longer than a minute")
			}
		})
	}
}

// FuzzTokens checks that every byte is in one piece, that tokens tell where they stand, and
// that taking comments away keeps lines and code.
func FuzzTokens(f *testing.F) {
	for _, seed := range []string{"int f(void) { return 'a'; } // b", "#define A \\\n /* c */ \"d\"\nR\"x()x\"", "\\\r\n/*", "u8R\"(\n)\" 0x1p+3'4", "\"\\"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		for i := 0; i < len(src); {
			_, end := pieceAt(src, i)
			assert.Assert(t, end > i && end <= len(src), "the piece at %d ends at %d of %d", i, end, len(src))
			i = end
		}
		last := 0
		for tok := range Tokens(src) {
			assert.Assert(t, tok.Start >= last && tok.End <= len(src) && tok.Kind != Space && tok.Kind != Newline,
				"%+v behind %d", tok, last)
			if want := 1 + strings.Count(src[:tok.Start], "\n"); tok.Line != want {
				t.Fatalf("%+v is on line %d", tok, want)
			}
			line := src[strings.LastIndexByte(src[:tok.Start], '\n')+1 : tok.Start]
			if blanks := strings.Trim(line, " \t\r\f\v") == ""; tok.First && !blanks {
				t.Fatalf("%+v is not first on its line", tok)
			}
			last = tok.End
		}
		last = 0
		for _, in := range Includes(src) {
			if in.Start < last || in.End <= in.Start || in.End > len(src) || !strings.Contains(src[in.Start:in.End], in.Name) {
				t.Fatalf("%+v behind %d", in, last)
			}
			last = in.End
		}
		bare := WithoutComments(src)
		assert.Assert(t, strings.Count(bare, "\n") == strings.Count(src, "\n"), "%q has other lines than %q", bare, src)
	})
}
