package property

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

func TestNameWords(t *testing.T) {
	for name, want := range map[string]string{
		"box_open": "box open", "boxOpenFile2": "box open file", "JSONUtils_GetPointer": "json utils get pointer", "x::Y::FindAll": "x y find all",
		"get_cRGB": "get c rgb", "uint_32": "uint", "XMLName": "xml name", "a": "a",
	} {
		assert.Check(t, is.Equal(strings.Join(nameWords(name), " "), want), name)
	}
}
