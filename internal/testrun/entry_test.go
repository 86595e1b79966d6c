package testrun

import (
	"slices"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func TestEntries(t *testing.T) {
	tests := []struct {
		name, src string
		want      []Entry
	}{
		{"main", "int main(void) { return 0; }", []Entry{{"main", true, false}}},
		{"main with arguments wins over tests", "void test_a(void){}\nint main(int argc, char **argv)\n{}", []Entry{{"main", true, false}}},
		{"test functions in order", "int test_b(void) { return 1; }\nvoid test_a() {}", []Entry{{"test_b", true, false}, {"test_a", false, false}}},
		{"lone function of any name", "int parse_it(void) { if (1) { } return 0; }", []Entry{{"parse_it", true, false}}},
		{"two functions of any name are helpers without an entry", "int a(void) {}\nint b(void) {}", nil},
		{"static helper is not an entry", "static int helper(void) { return 0; }\nvoid check(void) { helper(); }", []Entry{{"check", false, false}}},
		{"helper with parameters is not an entry", "int add(int a, int b) { return a + b; }\nvoid test_add(void) {}", []Entry{{"test_add", false, false}}},
		{"text in comments, strings and macros does not count", "/* int main(void) { */ // int main(void) {\n#define M int main(void) {\nchar *s = \"int main(void) {\";\nvoid test_x(void) { char c = '{'; }", []Entry{{"test_x", false, false}}},
		{"initialisers are not functions", "int a[] = { 1, 2 };\nstruct s { int x; };\nvoid test_x(void) {}", []Entry{{"test_x", false, false}}},
		{"extern C block", "extern \"C\" {\nvoid test_x(void) {}\n}\nint test_y() {}\nextern \"C\" void test_z(void) {}\n", []Entry{{"test_x", false, true}, {"test_y", true, false}, {"test_z", false, true}}},
		{"continued directive", "#define X \\\n int main(void) {\nint test_y(void) { return 0; }", []Entry{{"test_y", true, false}}},
		{"declaration only", "int main(void);", nil},
		{"unbalanced", "}}}} int main(void) {", []Entry{{"main", true, false}}},
		{"empty", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Entries(trial.Program{Source: tt.src}); !slices.Equal(got, tt.want) {
				t.Errorf("Entries = %v, want %v", got, tt.want)
			}
		})
	}
}

func FuzzEntries(f *testing.F) {
	f.Add("int main(void) { return '\\'' + \"\\\"\"[0]; }")
	f.Add("/* unterminated")
	f.Add("#define A \\")
	f.Add("extern \"C\" { int test(void) {")
	f.Fuzz(func(t *testing.T, src string) {
		for _, e := range Entries(trial.Program{Source: src}) {
			if e.Name == "" {
				t.Errorf("entry without a name in %q", src)
			}
		}
	})
}
