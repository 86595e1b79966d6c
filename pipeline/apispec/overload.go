package apispec

import "strings"

// markOverloads finds the functions that share their name.
func (d *declarations) markOverloads() {
	count := map[string]int{}
	for _, f := range d.Spec.Functions {
		count[f.Name]++
	}
	for _, f := range d.Spec.Functions {
		f.Overloaded = count[f.Name] > 1
	}
}

// Canonical returns the name under which prompts, energies and N-grams know f: its Name, and
// for an overloaded function the types of its parameters as the header spells them, e.g.
// "re2::RE2::RE2(const char *)". It is unique in a Spec.
func (f *Function) Canonical() string {
	if !f.Overloaded {
		return f.Name
	}
	_, params, _ := strings.Cut(f.Spelling, "(")
	return f.Name + "(" + params
}

// APIs returns the functions that tools are asked to test, in the order of declaration. They are all
// but those excluded, each named by its Name, which means every overload, or its Canonical
// name. An excluded name that the headers do not declare on this platform is no error.
//
// Their number is a library's API count. So a macro is no API of its own: it is another way
// to call the functions of its Calls. The counts of the paper (table tab:benchmark) are
// those of its artifact, which reads C headers as C++, where clang defines _GNU_SOURCE:
//
//   - cJSON 76 at c859b25: cJSON.h alone, without cJSON_InitHooks and cJSON_GetErrorPtr.
//   - zlib 87: zlib.h without gzvprintf, and with the seven functions for large files
//     (gzopen64 to crc32_combine_gen64) that only _LARGEFILE64_SOURCE declares.
func (s *Spec) APIs(excluded []string) []*Function {
	out := map[string]bool{}
	for _, name := range excluded {
		out[name] = true
	}
	var apis []*Function
	for _, f := range s.Functions {
		if !out[f.Name] && !out[f.Canonical()] {
			apis = append(apis, f)
		}
	}
	return apis
}
