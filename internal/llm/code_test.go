package llm

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestExtractCode(t *testing.T) {
	const f = "void f(void)\n{\n}\n"
	for _, tt := range []struct {
		name, text, code string
		outcome          Outcome
	}{
		{"one block", "Here:\n```c\n" + f + "```\nDone.", f, Code},
		{"C++", "```cpp\n" + f + "```", f, Code},
		{"language in capitals with attributes", "```C++ title=\"x\"\n" + f + "```", f, Code},
		{"pandoc's braces", "```{.c}\n" + f + "```", f, Code},
		{"tildes", "~~~ c\n" + f + "~~~", f, Code},
		{"no language", "```\n" + f + "```", f, Code},
		{"CRLF", "```c\r\nint x;\r\n```\r\n", "int x;\n", Code},
		{"in a list", "1. So:\n\n    ```c\n    int x;\n    ```\n", "int x;\n", Code},
		{"never closed", "```c\n" + f, f, Code},
		{"longer fence holds a shorter", "````c\n/*\n```\n*/\n````", "/*\n```\n*/\n", Code},
		{"shell beside C", "```sh\ncc f.c\n```\n```c\n" + f + "```", f, Code},
		{"C wins over no language", "```\noutput\n```\n```c\n" + f + "```", f, Code},
		{"two blocks", "```c\n" + f + "```\nUse:\n```c\nvoid g(void) {}\n```", f, SeveralCode},
		{"the first with a function", "```c\n#include <x.h>\n```\n```c\n" + f + "```\n```c\nvoid g(void) {}\n```", f, SeveralCode},
		{"the test function wins", "```c\nint helper(int x)\n{\n\treturn x;\n}\n```\n```c\nvoid test_a(void)\n{\n\thelper(1);\n}\n```", "void test_a(void)\n{\n\thelper(1);\n}\n", SeveralCode},
		{"GoogleTest's as well", "```cpp\n" + f + "```\n```cpp\nTEST(Zlib, Init) {\n}\n```", "TEST(Zlib, Init) {\n}\n", SeveralCode},
		{"a draft in thoughts", "<think>\n```c\nvoid test_draft(void) {}\n```\n</think>\n```c\n" + f + "```", f, Code},
		{"thoughts without their beginning", "So:\n```c\nvoid test_draft(void) {}\n```\nGood.</think>\n\n```c\n" + f + "```", f, Code},
		{"thoughts in one line", "<think>hm</think>```c\n" + f + "```", f, Code},
		{"thoughts without an end", "<think>\n```c\n" + f + "```", "", Prose},
		{"a tag in a program", "```c\nconst char *s = \"<think>a</think>\";\n```", "const char *s = \"<think>a</think>\";\n", Code},
		{"two without functions", "```c\nint a;\n```\n```c\nint b;\n```", "int a;\n", SeveralCode},
		{"blank block does not count", "```c\n\n```\n```c\n" + f + "```", f, Code},
		{"other language", "```python\nprint(1)\n```", "", NoCode},
		{"only a blank block", "```c\n```", "", NoCode},
		{"prose", "I would call deflate(strm, Z_FINISH) in a loop.", "", Prose},
		{"nothing", "", "", Prose},
		{"bare code", "#include <zlib.h>\n" + f, "#include <zlib.h>\n" + f, BareCode},
		{"bare comment and function", "\n// STEP1\nvoid f(void) { }\n\n", "// STEP1\nvoid f(void) { }\n", BareCode},
		{"prose with a call in it", "void functions such as free(p) {see below} exist", "void functions such as free(p) {see below} exist\n", BareCode},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, o := ExtractCode(tt.text)
			assert.Check(t, code == tt.code && o == tt.outcome, "got %s %q, want %s %q", o, code, tt.outcome, tt.code)
		})
	}
}

func TestProgramKeepsTheAnswersOutcome(t *testing.T) {
	for _, tt := range []struct {
		answer Answer
		want   Outcome
	}{
		{Answer{Outcome: Truncated, Text: "```c\nvoid f(void) {}\n```"}, Truncated},
		{Answer{Outcome: Answered, Text: "I'm sorry, but I can't help with that."}, Refusal},
		{Answer{Outcome: Answered, Text: "Sorry, my mistake:\n```c\nvoid f(void) {}\n```"}, Code},
		{Answer{Outcome: Answered, Text: "The library is fine."}, Prose},
	} {
		_, got := Program(tt.answer)
		assert.Check(t, got == tt.want, "%+v is %s, want %s", tt.answer, got, tt.want)
	}
}

func FuzzExtractCode(f *testing.F) {
	f.Add("```c\nint x;\n```")
	f.Add("~~~~\n```c\n~~~\n~~~~\n")
	f.Add("#include <a.h>\nint f() {\n```")
	f.Add("\t```{.cpp}\r\n\tx\r\n\t```")
	f.Fuzz(func(t *testing.T, text string) {
		code, o := ExtractCode(text)
		has := o == Code || o == SeveralCode || o == BareCode
		assert.Assert(t, has || o == NoCode || o == Prose, "outcome %q", o)
		assert.Assert(t, has == (strings.TrimSpace(code) != ""), "%s with code %q", o, code)
		// Nothing is made up: every line of the code is one of the text's, or the end of one that was indented.
		for line := range strings.Lines(code) {
			assert.Assert(t, strings.Contains(text, strings.TrimSuffix(line, "\n")), "line %q is not in the text", line)
		}
		// A program given back alone is found again, unless its own lines look like fences.
		if has && !strings.Contains(code, "```") && !strings.Contains(code, "\r") {
			again, _ := ExtractCode("```c\n" + code + "```")
			assert.Assert(t, again == code, "%q was found again as %q", code, again)
		}
	})
}
