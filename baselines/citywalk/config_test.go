package citywalk

import (
	"fmt"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func TestConfiguration(t *testing.T) {
	for _, c := range []struct {
		name  string
		lang  trial.Language
		files map[string]string
		want  string
	}{
		{"libraries with versions", trial.C, map[string]string{"CMakeLists.txt": `
			# find_package(Old 9)
			project(x C)
			set(CMAKE_C_STANDARD 99)
			find_package(ZLIB 1.2.11 REQUIRED)
			pkg_check_modules(JANSSON REQUIRED jansson>=2.4)
			add_library(x a.c)
			target_link_libraries(x PUBLIC ZLIB::ZLIB m)`},
			"C99 [{ZLIB 1.2.11} {jansson 2.4}] gtest=false [CMakeLists.txt]"},
		{"GoogleTest and a standard in a variable", trial.CXX, map[string]string{"CMakeLists.txt": `
			set(X_VERSION cxx_std_17)
			add_library(x a.cc)
			target_compile_features(x PUBLIC ${X_VERSION})
			set(DEPS absl)
			find_package(${DEPS} REQUIRED)
			find_package(GTest REQUIRED)
			target_link_libraries(t PUBLIC x GTest::gtest_main)`},
			"C++17 [{absl }] gtest=true [CMakeLists.txt]"},
		{"property, and the test directory", trial.CXX, map[string]string{
			"CMakeLists.txt":      "set_target_properties(x PROPERTIES CXX_STANDARD 14)",
			"test/CMakeLists.txt": "target_link_libraries(t gtest)"},
			"C++14 [] gtest=true [CMakeLists.txt test/CMakeLists.txt]"},
		{"autoconf", trial.C, map[string]string{
			"configure.ac": "dnl AC_CHECK_LIB(no, f)\nAC_CHECK_LIB([z], [zlibVersion])\nPKG_CHECK_MODULES([IBV], [libibverbs >= 1.2])\nAC_CHECK_LIB(m, pow)",
			"Makefile.in":  "CFLAGS = -std=gnu99\nLIBS = -lm -lusb-1.0\n"},
			"C99 [{libibverbs 1.2} {usb-1.0 } {z }] gtest=false [configure.ac Makefile.in]"},
		{"the language of the flag counts", trial.C, map[string]string{"Makefile": "CXXFLAGS=-std=c++11\nCFLAGS=-std=c11"}, "C11 [] gtest=false [Makefile]"},
		{"older is not newer", trial.C, map[string]string{"Makefile": "A=-std=c11\nB=-std=c99\nC=-std=c89"}, "C11 [] gtest=false [Makefile]"},
		{"CMake goes first", trial.C, map[string]string{"CMakeLists.txt": "project(x)", "Makefile": "-lz -std=c99"}, " [] gtest=false []"},
		{"nothing", trial.C, nil, " [] gtest=false []"},
	} {
		p := &project{text: c.files}
		g := p.readConfiguration(c.lang)
		if got := fmt.Sprintf("%s %v gtest=%v %v", g.Standard, g.thirdParty("x"), g.GoogleTest, g.Files); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func FuzzConfiguration(f *testing.F) {
	f.Add("set(A ${A}) find_package(${A} 1)", uint8(0))
	f.Add("PKG_CHECK_MODULES([A], [b >= 1", uint8(1))
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		name := []string{"CMakeLists.txt", "configure.ac", "Makefile"}[which%3]
		p := &project{text: map[string]string{name: text}}
		for _, l := range p.readConfiguration(trial.CXX).Libraries {
			if l.Name == "" {
				t.Errorf("a library without a name")
			}
		}
	})
}
