package citywalk

import (
	"fmt"
	"testing"
)

func TestConfiguration(t *testing.T) {
	for _, c := range []struct {
		library string
		files   map[string]string
		want    string
	}{
		{"cJSON", nil, "{C89 [] false}"},
		{"libpng", map[string]string{"CMakeLists.txt": "find_package(Other)"}, "{ [{ZLIB } {png_shared }] false}"},
		{"x", map[string]string{"test/CMakeLists.txt": "target_link_libraries(t GTest::gtest_main)"}, "{ [] true}"},
		{"x", map[string]string{"CMakeLists.txt": "# find_package(GTest)"}, "{ [] false}"},
	} {
		g, err := (&project{text: c.files}).readConfiguration(c.library)
		if got := fmt.Sprint(g); got != c.want || err != nil {
			t.Errorf("%s, %v: got %q, %v, want %q", c.library, c.files, got, err, c.want)
		}
	}
}
