package property

import (
	"strings"
	"testing"
)

func TestNameWords(t *testing.T) {
	for name, want := range map[string]string{
		"box_open": "box open", "boxOpenFile2": "box open file", "JSONUtils_GetPointer": "json utils get pointer", "x::Y::FindAll": "x y find all",
		"get_cRGB": "get c rgb", "uint_32": "uint", "XMLName": "xml name", "a": "a",
	} {
		if got := strings.Join(nameWords(name), " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
