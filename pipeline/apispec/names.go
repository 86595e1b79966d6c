package apispec

import (
	"regexp"
	"strings"
)

// nameFromComments names the parameters of functions that are declared without names but
// quoted with them in a comment, and takes that comment as their documentation.
func (d *declarations) nameFromComments() {
	for file, text := range d.texts {
		comments := scanComments(text)
		for _, f := range d.Spec.Functions {
			if f.File != file || len(f.Params) == 0 || named(f) {
				continue
			}
			for _, c := range comments {
				names := quotedNames(c.text, f.Name, len(f.Params))
				if names == nil {
					continue
				}
				for i := range f.Params {
					f.Params[i].Name = names[i]
				}
				if f.Doc == "" {
					f.Doc = c.text
				}
				break
			}
		}
	}
}

// describeMacros gives macros the comments that quote them as if they were functions.
func (d *declarations) describeMacros() {
	for _, m := range d.Spec.Macros {
		for _, c := range scanComments(d.texts[m.File]) {
			if m.Doc == "" && len(m.Params) > 0 && quotedNames(c.text, m.Name, len(m.Params)) != nil {
				m.Doc = c.text
			}
		}
	}
}

func named(f *Function) bool {
	for _, p := range f.Params {
		if p.Name != "" {
			return true
		}
	}
	return false
}

var lastWord = regexp.MustCompile(`[\s*]([A-Za-z_]\w*)\s*(?:\[\d*\])?$`)

// quotedNames finds a prototype of a function in a comment, K&R wrappers included, and returns the
// names of its parameters, or nil.
func quotedNames(comment, function string, params int) []string {
	if !strings.Contains(comment, function) { // of the many comments of a header
		return nil
	}
	prototype := regexp.MustCompile(`\b` + regexp.QuoteMeta(function) + `\s*(?:[A-Z]+\s*)?\(\(?([^()]*)\)`)
	for _, m := range prototype.FindAllStringSubmatch(comment, -1) {
		parts := strings.Split(m[1], ",")
		if len(parts) != params {
			continue
		}
		var names []string
		for _, part := range parts {
			if w := lastWord.FindStringSubmatch(strings.TrimSpace(part)); w != nil {
				names = append(names, w[1])
			}
		}
		if len(names) == len(parts) {
			return names
		}
	}
	return nil
}
