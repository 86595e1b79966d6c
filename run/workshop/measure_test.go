package workshop

import "testing"

func TestCodeLines(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       int
	}{
		{"nothing", "", 0},
		{"code beside comments", "int x; // a\n/* b */ int y; /* c\n*/ int z;\n", 3},
		{"comment signs in a string", "s = \"/*\";\nt = \"//\";\nu = '\"'; /*\n*/\n", 3},
		{"escaped quotation mark", `s = "\"/*";` + "\nint x;\n", 2},
		{"line comment ends with its line", "// /*\nint x;\n", 1},
		{"star slash of a closed comment", "/**/ int x;\n/*/ still */\n", 1},
	} {
		if got := codeLines([]byte(tt.text)); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
