package lisabench

import (
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

func TestUnknownErrorTellsWhatIsKnown(t *testing.T) {
	for _, tt := range []struct {
		name  string
		known []string
		want  string
	}{
		{"zlip", []string{"zlib", "cJSON"}, `unknown library "zlip", did you mean "zlib"?`},
		{"CJSON", []string{"zlib", "cJSON"}, `unknown library "CJSON", did you mean "cJSON"?`},
		{"libcap", []string{"libpng", "libpcap"}, `unknown library "libcap", did you mean "libpcap"?`},
		{"openssl", []string{"zlib", "cJSON"}, `unknown library "openssl"; known are cJSON, zlib`},
		{"x", nil, `unknown library "x": there is none`},
	} {
		assert.Check(t, is.Equal(NewUnknownError("library", tt.name, tt.known).Error(), tt.want), "error")
	}
}
