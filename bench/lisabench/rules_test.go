package lisabench

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"gotest.tools/v3/assert"
)

const goodRules = `schema: 1
rules:
  - id: lib-open-close
    text: Close what you open.
    apis: [lib_open, lib_close]
    source: {document: lib.h, place: comment of lib_open}
  - id: lib-check
    text: Check the result.
    source: {document: lib.h, place: introduction}
`

func withRules(text string) fstest.MapFS {
	f := files(goodLibrary, goodBug)
	f["lib/rules.yaml"] = &fstest.MapFile{Data: []byte(text)}
	return f
}

func TestRules(t *testing.T) {
	b, err := Load(withRules(goodRules))
	assert.NilError(t, err)
	lib := b.Libraries[0]
	if len(lib.Rules) != 2 || lib.Rules[0].ID != "lib-open-close" || lib.Rules[0].Source.Place != "comment of lib_open" {
		t.Fatalf("rules = %+v", lib.Rules)
	}
	without, err := Load(files(goodLibrary, goodBug))
	assert.NilError(t, err)
	assert.Check(t, without.Libraries[0].Hash() != lib.Hash(),
		"rules reach tools, so they count for the library's hash")
}

func TestRulesAreRefused(t *testing.T) {
	for _, tt := range []struct{ name, old, new, want string }{
		{"unknown key", "text: Close", "words: Close", `lib/rules.yaml:4: unknown key "words"`},
		{"other schema", "schema: 1", "schema: 3", "lib/rules.yaml:1: schema: this program reads schema 1, not 3"},
		{"none", goodRules[len("schema: 1\n"):], "rules: []\n", "lib/rules.yaml:2: rules: none"},
		{"id", "lib-check", "Check", `lib/rules.yaml:7: rules[1].id: "Check" is not an id`},
		{"id twice", "lib-check", "lib-open-close", `rules[1]: "lib-open-close" is listed twice`},
		{"no text", "Check the result.", "''", "lib/rules.yaml:8: rules[1].text: needs a value"},
		{"function", "lib_open,", "lib_open(),", "lib/rules.yaml:5: rules[0].apis[0]"},
		{"function twice", "lib_close", "lib_open", `rules[0].apis[1]: "lib_open" is listed twice`},
		{"document", "{document: lib.h, place: intro", "{document: lip.h, place: intro", `rules[1].source.document: unknown "lip.h", did you mean "lib.h"?`},
		{"no place", "place: introduction", "place: ''", "rules[1].source.place: needs a value"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Assert(t, strings.Contains(goodRules, tt.old), "%q is not in the rules", tt.old)
			_, err := Load(withRules(strings.Replace(goodRules, tt.old, tt.new, 1)))
			var invalid *InvalidError
			assert.Check(t, errors.As(err, &invalid) && strings.Contains(err.Error(), tt.want),
				"error = %v\nwant %q", err, tt.want)
		})
	}
}
