package randoop

import (
	"strings"
	"unicode"
)

// splitWords splits an identifier at underscores, before digits and at changes of case, in
// lower case: "cJSON_AddItemToArray" is c, json, add, item, to, array.
func splitWords(name string) []string {
	var words []string
	runes := []rune(name)
	start := 0
	flush := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(string(runes[start:end])))
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case r == '_':
			flush(i)
			start = i + 1
		case i > 0 && unicode.IsUpper(r) && !unicode.IsUpper(runes[i-1]):
			flush(i)
		case i > 0 && unicode.IsDigit(r) && !unicode.IsDigit(runes[i-1]):
			flush(i)
		case i > 0 && i+1 < len(runes) && unicode.IsUpper(r) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1]):
			flush(i)
		}
	}
	flush(len(runes))
	return words
}

// A vocabulary is a set of words with one meaning in C APIs at large.
type vocabulary []string

// What names of C functions and parameters commonly say. None of it is about one library.
var (
	destroyWords = vocabulary{"free", "delete", "destroy", "close", "release", "dispose", "unref", "fini", "finalize", "finish", "cleanup", "deinit", "term", "shutdown"}
	endWords     = vocabulary{"end", "fini", "finish", "cleanup", "clear", "destroy", "deinit", "free", "close", "release"}
	initWords    = vocabulary{"init", "open", "begin", "start", "setup", "create", "initialize"}
	freshWords   = vocabulary{"create", "new", "open", "parse", "alloc", "dup", "duplicate", "copy", "clone", "make", "load", "build", "init", "detach", "from", "read", "generate", "merge", "compile", "prepare", "fdopen", "dopen"}
	copyWords    = vocabulary{"copy", "clone", "dup"}
	ownWords     = vocabulary{"add", "insert", "append", "attach", "push", "put", "replace", "set", "prepend", "link", "register", "adopt"}
	borrowWords  = vocabulary{"reference", "ref", "alias", "view", "borrow", "cs"}
	removeWords  = vocabulary{"delete", "remove", "detach", "replace", "clear", "reset", "clean", "erase", "pop", "sort", "apply", "truncate"}
	lengthWords  = vocabulary{"len", "length", "size", "sz", "count", "cnt", "bytes", "nbytes", "num", "n", "avail", "max", "cap", "capacity", "items", "nitems", "limit", "amount", "nb"}
	notLength    = vocabulary{"offset", "off", "index", "idx", "pos", "position", "seed", "flags", "mode", "level"}
	inputWords   = vocabulary{"in", "src", "source", "input", "read", "data", "value", "key", "dict", "dictionary", "from"}
	outputWords  = vocabulary{"out", "dst", "dest", "destination", "output", "write", "result", "buffer", "buf", "ret", "to"}
	pathWords    = vocabulary{"path", "file", "filename", "pathname", "fname", "dir"}
	modeWords    = vocabulary{"mode"}
	formatWords  = vocabulary{"format", "fmt"}
	indexWords   = vocabulary{"index", "idx", "which", "pos", "offset", "i", "item", "row", "column", "col", "nth", "whence"}
	fdWords      = vocabulary{"fd", "fildes", "descriptor", "handle"}
)

// has reports whether one of the words is in v.
func (v vocabulary) has(words []string) bool {
	for _, w := range words {
		for _, known := range v {
			if w == known {
				return true
			}
		}
	}
	return false
}

// ends reports whether one of the words is in v or, for the longer words of v, ends with
// it: C names often glue a short prefix on, as in gzclose or fopen.
func (v vocabulary) ends(words []string) bool {
	for _, w := range words {
		for _, known := range v {
			if w == known || len(known) >= 4 && strings.HasSuffix(w, known) {
				return true
			}
		}
	}
	return false
}

// stem drops a plural s, so that a comment on "levels" is about a parameter level.
func stem(word string) string {
	if len(word) > 3 {
		return strings.TrimSuffix(word, "s")
	}
	return word
}

// family returns the words of an initialiser's name before the one that says that it
// initialises: "deflate" of deflateInit. Functions of the same family continue its work.
func family(words []string) []string {
	for i, w := range words {
		if initWords.ends([]string{w}) {
			return words[:i]
		}
	}
	return words
}

// inFamily reports whether a function's name begins with the family's words and then says
// more or nothing: inflateBack is not of the family inflate when both are known.
func inFamily(words, fam []string) bool {
	if len(fam) == 0 || len(words) < len(fam) {
		return false
	}
	for i := range fam {
		if words[i] != fam[i] {
			return false
		}
	}
	return true
}
