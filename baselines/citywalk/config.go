package citywalk

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/code/clex"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A configuration is what the library's build files say of how it is compiled: the paper's
// configuration dependencies.
type configuration struct {
	Files      []string  // that were read and said something, sorted
	Standard   string    // of the language, e.g. C++17; "" if no file says
	Libraries  []library // third-party ones, by name
	GoogleTest bool      // the build links its tests with GoogleTest
}

// A library is one that the build asks for.
type library struct {
	Name    string
	Version string // at least; "" if none is asked for
}

// readConfiguration reads the CMakeLists.txt of the root and of its test directories (paper,
// configuration dependencies). A library without one is read from its configure.ac and its
// Makefiles, which the paper does not do: three of the benchmark's libraries have no CMake.
func (p *project) readConfiguration(lang trial.Language) configuration {
	c := configuration{}
	found := map[string]string{}
	read := func(files []string, parse func(text string, lang trial.Language, libs map[string]string) (standard string)) {
		for _, f := range files {
			text, ok := p.text[f]
			if !ok {
				continue
			}
			before := len(found)
			standard := parse(text, lang, found)
			c.Standard = newer(c.Standard, standard)
			tests := googleTest.MatchString(uncommented(text))
			c.GoogleTest = c.GoogleTest || tests
			if standard != "" || tests || len(found) > before {
				c.Files = append(c.Files, f)
			}
		}
	}
	if _, ok := p.text["CMakeLists.txt"]; ok {
		read([]string{"CMakeLists.txt", "test/CMakeLists.txt", "tests/CMakeLists.txt"}, parseCMake)
	} else {
		read([]string{"configure.ac", "configure.in"}, parseAutoconf)
		read([]string{"Makefile", "Makefile.am", "Makefile.in"}, parseMakefile)
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		c.Libraries = append(c.Libraries, library{name, found[name]})
	}
	return c
}

var (
	googleTest   = regexp.MustCompile(`(?i:gtest::)|(?i:find_package\(\s*gtest\b)|-lgtest\b|\bgtest(_main)?\b`)
	hashComment  = regexp.MustCompile(`(?m)#.*$`)
	dnlComment   = regexp.MustCompile(`(?m)(^|\s)(dnl\b|#).*$`)
	cmakeCommand = regexp.MustCompile(`(?i)\b([a-z_]+)\s*\(([^()]*)\)`)
	cmakeFeature = regexp.MustCompile(`\b(cxx|c)_std_(\d+)\b`)
	standardFlag = regexp.MustCompile(`-std=(?:gnu|c)(\+\+)?([0-9][0-9a-z])\b`)
	linkFlag     = regexp.MustCompile(`(?:^|[\s"'=])-l([A-Za-z0-9_.+-]+)`)
	versionWord  = regexp.MustCompile(`^\d+(\.\d+)*$`)
)

func uncommented(text string) string { return hashComment.ReplaceAllString(text, "") }

// parseCMake reads commands by their names and words, as the paper does; variables are
// replaced by what set gave them last.
func parseCMake(text string, lang trial.Language, libs map[string]string) (standard string) {
	text = uncommented(text)
	values, own := map[string][]string{}, map[string]bool{}
	prefix, property := "C", "C_STANDARD"
	if lang == trial.CXX {
		prefix, property = "C++", "CXX_STANDARD"
	}
	for _, m := range cmakeCommand.FindAllStringSubmatch(text, -1) {
		words := expandCMake(strings.Fields(strings.ReplaceAll(m[2], `"`, " ")), values)
		if len(words) == 0 {
			continue
		}
		switch strings.ToLower(m[1]) {
		case "set":
			values[words[0]] = words[1:]
			if words[0] == "CMAKE_"+property && len(words) > 1 && versionWord.MatchString(words[1]) {
				standard = newer(standard, prefix+words[1])
			}
		case "set_target_properties", "set_property":
			if i := slices.Index(words, property); i >= 0 && i+1 < len(words) && versionWord.MatchString(words[i+1]) {
				standard = newer(standard, prefix+words[i+1])
			}
		case "add_library", "add_executable":
			own[words[0]] = true
		case "find_package":
			libs[words[0]] = ""
			if len(words) > 1 && versionWord.MatchString(words[1]) {
				libs[words[0]] = words[1]
			}
		case "pkg_check_modules":
			for _, w := range words[1:] {
				if name, version, _ := strings.Cut(w, ">="); !cmakeKeyword[name] {
					libs[name] = version
				}
			}
		case "target_link_libraries":
			for _, w := range words[1:] {
				name, _, _ := strings.Cut(strings.TrimPrefix(w, "-l"), "::")
				if !cmakeKeyword[name] && !own[name] && !strings.ContainsAny(name, "$<>{}-/") {
					if _, known := libs[name]; !known {
						libs[name] = ""
					}
				}
			}
		}
	}
	for name := range own { // a library may be linked above where it is made
		delete(libs, name)
	}
	for _, m := range cmakeFeature.FindAllStringSubmatch(text, -1) {
		if (m[1] == "cxx") == (lang == trial.CXX) {
			standard = newer(standard, prefix+m[2])
		}
	}
	return newer(standard, flagStandard(text, lang))
}

var cmakeKeyword = map[string]bool{
	"PUBLIC": true, "PRIVATE": true, "INTERFACE": true, "REQUIRED": true, "QUIET": true, "IMPORTED_TARGET": true, "debug": true, "optimized": true, "general": true, "": true,
}

// expandCMake replaces ${NAME} where the value is known, and drops the word where it is not.
func expandCMake(words []string, values map[string][]string) []string {
	var out []string
	for _, w := range words {
		name, isVariable := strings.CutPrefix(strings.TrimSuffix(w, "}"), "${")
		if isVariable {
			out = append(out, values[name]...)
			continue
		}
		out = append(out, w)
	}
	return out
}

// flagStandard finds the newest -std= flag of a language.
func flagStandard(text string, lang trial.Language) (standard string) {
	for _, m := range standardFlag.FindAllStringSubmatch(text, -1) {
		if (m[1] == "++") == (lang == trial.CXX) {
			standard = newer(standard, "C"+m[1]+m[2])
		}
	}
	return standard
}

// newer returns the later of two standards, which are written with two digits.
func newer(a, b string) string {
	if a == "" || b == "" {
		return cmp.Or(a, b)
	}
	if year(b) > year(a) {
		return b
	}
	return a
}

// year orders standards: C89 and C99 are older than C11, and so are C++98 and C++03.
func year(standard string) string {
	digits := strings.TrimLeft(standard, "C+")
	if digits >= "8" {
		return "19" + digits
	}
	return "20" + digits
}

var (
	autoconfLib = regexp.MustCompile(`\bAC_CHECK_LIB\(\s*\[?([A-Za-z0-9_.+-]+)`)
	autoconfPkg = regexp.MustCompile(`\bPKG_CHECK_MODULES(?:_STATIC)?\(\s*\[?\w+\]?\s*,\s*\[?\s*([A-Za-z0-9_.+-]+)(?:\s*>=?\s*([0-9.]+))?`)
	autoconfStd = regexp.MustCompile(`\bAX_CXX_COMPILE_STDCXX(?:_|\(\s*\[?)(\d+)`)
)

func parseAutoconf(text string, lang trial.Language, libs map[string]string) (standard string) {
	text = dnlComment.ReplaceAllString(text, "")
	for _, m := range autoconfLib.FindAllStringSubmatch(text, -1) {
		libs[m[1]] = ""
	}
	for _, m := range autoconfPkg.FindAllStringSubmatch(text, -1) {
		libs[m[1]] = m[2]
	}
	if m := autoconfStd.FindStringSubmatch(text); m != nil && lang == trial.CXX {
		standard = "C++" + m[1]
	}
	return newer(standard, flagStandard(text, lang))
}

func parseMakefile(text string, lang trial.Language, libs map[string]string) (standard string) {
	text = uncommented(text)
	for _, m := range linkFlag.FindAllStringSubmatch(text, -1) {
		if _, known := libs[m[1]]; !known {
			libs[m[1]] = ""
		}
	}
	return flagStandard(text, lang)
}

// systemLibraries come with the compiler: no third party's.
var systemLibraries = clex.Set("m c dl pthread rt Threads stdc++ gcc")

// thirdParty are the libraries that a test might have to know of, without the library itself and
// GoogleTest, which is told by itself.
func (c configuration) thirdParty(self string) []library {
	return slices.DeleteFunc(slices.Clone(c.Libraries), func(l library) bool {
		return systemLibraries[l.Name] || googleTest.MatchString(strings.ToLower(l.Name)) || strings.EqualFold(path.Base(l.Name), self)
	})
}
