package randoop

import (
	"regexp"
	"slices"
	"strings"
)

var (
	acronym = regexp.MustCompile(`([A-Z]+)([A-Z][a-z])`)
	word    = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+|[0-9]+`)
)

// splitWords splits an identifier into lower-case words: "cJSON_AddItemToArray" is c, json, add, item, to, array.
func splitWords(name string) []string {
	words := word.FindAllString(acronym.ReplaceAllString(name, "${1}_$2"), -1)
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	return words
}

// A vocabulary is a set of words with one meaning in C APIs at large.
type vocabulary []string

func words(list string) vocabulary { return strings.Fields(list) }

// What names of C functions and parameters commonly say.
var (
	endWords    = words("free delete destroy close release unref fini finalize finish cleanup end term shutdown")
	initWords   = words("init open begin start setup create initialize")
	copyWords   = words("copy clone dup duplicate")
	freshWords  = words("create new open parse alloc duplicate copy clone make load build init detach from read generate compile prepare")
	borrowWords = words("reference ref alias view borrow")
	ownWords    = words("add insert append attach push put replace set prepend link adopt")
	removeWords = words("delete remove detach replace clear reset erase pop sort apply")
	lengthWords = words("len length size sz count cnt bytes nbytes num n avail max cap capacity items nitems limit nb")
	notLength   = words("offset off index idx pos position seed flags mode level")
	inputWords  = words("in src source input read data value key dict dictionary from")
	outputWords = words("out dst dest destination output write result buffer buf ret to")
	pathWords   = words("path file filename pathname fname dir")
	fileWords   = words("fd fildes descriptor")
)

// has reports whether one of the words is in v.
func (v vocabulary) has(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(v, w) })
}

// ends reports whether one of the words is in v or ends with a longer word of v, as in gzclose or fopen.
func (v vocabulary) ends(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.ContainsFunc(v, func(known string) bool {
			return w == known || len(known) >= 4 && strings.HasSuffix(w, known)
		})
	})
}
