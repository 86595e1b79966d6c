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
			if got := nearestOf(tt.name, known); got != tt.want {
				t.Errorf("Nearest = %q, want %q", got, tt.want)
			}
		})
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
