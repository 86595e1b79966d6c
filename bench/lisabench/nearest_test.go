package lisabench

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"zlib", "cJSON", "libpng", "libpcap", "re2"}
	for _, tt := range []struct{ name, want string }{
		{"zlib", "zlib"},
		{"zlip", "zlib"},
		{"CJSON", "cJSON"},
		{"json", "cJSON"},
		{"libpnd", "libpng"},
		{"libcap", "libpcap"},
		{"openssl", ""},
		{"", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := nearestOf(tt.name, known)
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("Nearest = %q, %v; want %q", got, ok, tt.want)
			}
		})
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"abc", "", 3}, {"", "abc", 3}, {"abc", "abc", 0},
		{"kitten", "sitting", 3}, {"flaw", "lawn", 2}, // the textbook's examples
	} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestUnknownErrorTellsWhatIsKnown(t *testing.T) {
	for _, tt := range []struct {
		name  string
		known []string
		want  string
	}{
		{"zlip", []string{"zlib", "cJSON"}, `unknown library "zlip", did you mean "zlib"?`},
		{"openssl", []string{"zlib", "cJSON"}, `unknown library "openssl"; known are cJSON, zlib`},
		{"x", nil, `unknown library "x": there is none`},
	} {
		if got := NewUnknownError("library", tt.name, tt.known).Error(); got != tt.want {
			t.Errorf("error = %q, want %q", got, tt.want)
		}
	}
}
