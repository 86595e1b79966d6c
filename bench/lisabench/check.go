package lisabench

import (
	"io/fs"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A form is what a single value must look like, and its words in a message.
type form struct {
	matches func(string) bool
	words   string
}

func like(expression, words string) form {
	return form{regexp.MustCompile(expression).MatchString, words}
}

// forms are the rules that a field's tag "check" may name, beside "required" (it is there), "unique" (no element is
// there twice) and words with "|" between them (one of these). A rule of a list but for these two holds for each
// element. What is empty and not required has no form.
var forms = map[string]form{
	"name":     like(`^[A-Za-z0-9][A-Za-z0-9_+-]{0,31}$`, "letters, digits, - and _"), // it is part of a directory's name
	"commit":   like(`^[0-9a-f]{40}$`, "a full commit id of 40 hexadecimal digits"),
	"fix":      like(`^([0-9a-f]{40}|changelog: .+)$`, "a full commit id of 40 hexadecimal digits, or \"changelog: \" and what it says"),
	"sha256":   like(`^[0-9a-f]{64}$`, "a SHA-256 of 64 hexadecimal digits"),
	"package":  like(`^[a-z0-9][a-z0-9+.-]+$`, "the name of a Debian package"), // Debian policy, section 5.6.1
	"version":  like(`^([0-9]+:)?[0-9][\w.+~-]*$`, "a Debian version"),         // Debian policy, section 5.6.12
	"define":   like(`^[A-Za-z_]\w*(=.*)?$`, "NAME or NAME=VALUE"),
	"function": like(`^[A-Za-z_]\w*(::~?[\w ]+)*$`, "a function's exact name"), // qualified in C++
	"soname":   like(`^lib[\w.+-]+\.so(\.\d+)*$`, "a name as in libz.so.1"),
	"url":      like(`://`, "a URL"),
	"flag":     like(`^-`, "a flag: a libFuzzer flag begins with -"),
	"bug":      like(`^[a-z][a-z0-9]*-[1-9][0-9]*$`, "an id as in zlib-3: a word in lower case and a number that counts from the newest fix"),
	"rule":     like(`^[a-z][a-z0-9]*(-[a-z0-9]+)+$`, "an id as in zlib-init-fields: words in lower case, joined by -"),
	"path":     {isPath, "a clean path below the root, as in dir/file.c"},
	"glob":     {isGlob, "a clean path below the root, or a pattern of one, as in dir/*.c"},
	"date":     {isDate, "a date as in 2023-08-24"},
}

// isPath reports whether a path stays below its root and is written in only one way.
func isPath(p string) bool { return fs.ValidPath(p) && !strings.Contains(p, `\`) }

func isGlob(p string) bool {
	_, err := path.Match(p, "")
	return isPath(p) && err == nil
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// check holds v, and all below it, against the tags "check" of its fields.
func (d *document) check(v reflect.Value, at ...any) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			d.check(v.Elem(), at...)
		}
	case reflect.Slice:
		for i := range v.Len() {
			d.check(v.Index(i), field(at, i)...)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			d.check(v.MapIndex(k), field(at, k.String())...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if key := f.Tag.Get("yaml"); key != "" && key != "-" {
				for _, rule := range strings.Split(f.Tag.Get("check"), ",") {
					d.rule(rule, v.Field(i), field(at, key))
				}
				d.check(v.Field(i), field(at, key)...)
			}
		}
	}
}

// rule holds a field against one rule of its tag.
func (d *document) rule(rule string, v reflect.Value, at []any) {
	if v.Kind() == reflect.Map && rule != "" { // its values are held against the rule, and its keys
		for _, k := range v.MapKeys() {
			d.value(rule, k.String(), field(at, k.String()))
			d.rule(rule, v.MapIndex(k), field(at, k.String()))
		}
		return
	}
	list := v.Kind() == reflect.Slice
	switch {
	case rule == "":
	case rule == "required":
		if list && v.Len() == 0 || v.Kind() == reflect.String && strings.TrimSpace(v.String()) == "" {
			d.wrong(at, "needs a value")
		}
	case rule == "unique":
		d.unique(v.Interface().([]string), at...)
	case list:
		for i := range v.Len() {
			d.value(rule, v.Index(i).String(), field(at, i))
		}
	case v.String() != "":
		d.value(rule, v.String(), at)
	}
}

func (d *document) value(rule, value string, at []any) {
	if f, ok := forms[rule]; !ok {
		d.oneOf(value, strings.Split(rule, "|"), at...)
	} else if !f.matches(value) {
		d.wrong(at, "%q is not %s", value, f.words)
	}
}

func (d *document) oneOf(value string, known []string, at ...any) {
	if !slices.Contains(known, value) {
		d.wrong(at, "unknown %q%s", value, Suggest(value, known))
	}
}

func (d *document) unique(values []string, at ...any) {
	for i, v := range values {
		if slices.Index(values, v) < i {
			d.wrong(field(at, i), "%q is listed twice", v)
		}
	}
}

// field returns the path of something below at.
func field(at []any, below ...any) []any { return append(slices.Clone(at), below...) }
