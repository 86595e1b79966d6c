package citywalk

import (
	"fmt"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func TestConfiguration(t *testing.T) {
	for _, c := range []struct {
		library string
		lang    trial.Language
		files   map[string]string
		want    string
	}{
		{"x", trial.C, map[string]string{"CMakeLists.txt": "# find_package(Old 9)\nset(CMAKE_C_STANDARD 99)\nfind_package(ZLIB 1.2.11 REQUIRED)\ntarget_link_libraries(x m)"},
			"C99 [{ZLIB 1.2.11}] gtest=false"},
		{"x", trial.CXX, map[string]string{"CMakeLists.txt": "target_compile_features(x PUBLIC cxx_std_17)", "test/CMakeLists.txt": "target_link_libraries(t GTest::gtest_main)"},
			"C++17 [] gtest=true"},
		{"x", trial.C, map[string]string{"configure.ac": "dnl AC_CHECK_LIB(no, f)\nAC_CHECK_LIB([z], [zlibVersion])\n", "Makefile.in": "CFLAGS = -std=gnu99\nLIBS = -lm -lusb-1.0\n"},
			"C99 [{usb-1.0 } {z }] gtest=false"},
		{"x", trial.C, map[string]string{"Makefile": "CXXFLAGS=-std=c++17\nA=-std=c11\nB=-std=c89"}, "C11 [] gtest=false"},
		{"libpng", trial.C, map[string]string{"CMakeLists.txt": "find_package(Other)"}, " [{ZLIB } {png_shared }] gtest=false"},
		{"x", trial.C, nil, " [] gtest=false"},
	} {
		p := &project{text: c.files}
		g, err := p.readConfiguration(trial.Target{Library: c.library, Language: c.lang})
		if got := fmt.Sprintf("%s %v gtest=%v", g.Standard, g.Libraries, g.GoogleTest); got != c.want || err != nil {
			t.Errorf("%v: got %q, %v, want %q", c.files, got, err, c.want)
		}
	}
}
