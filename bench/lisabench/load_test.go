package lisabench

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"gotest.tools/v3/assert"
)

// A library that Load accepts; the tests break one thing at a time.
const (
	goodLibrary = `schema: 1
name: lib
domain: testing
description: A library.
language: c
licence: MIT
upstream:
  repo: https://git.invalid/lib.git
  commit: 0123456789012345678901234567890123456789
debian:
  package: lib
  version: 1:1.0-1
  dsc_sha256: 0123456789012345678901234567890123456789012345678901234567890123
  backports:
    - bug: lib-1
      edits:
        - {file: a.c, anchor: bad, replacement: good}
recipe:
  sources: ["*.c"]
  defines: [HAVE_X, N=3]
  soname: liblib.so.1
headers: [lib.h]
excluded_apis:
  - {name: vlib, reason: takes a va_list}
fuzz_targets:
  - {name: fuzz, origin: tree, source: fuzz/fuzz.c, seeds: [fuzz/in], options: [-max_len=9]}
`
	goodBug = `id: lib-1
library: lib
fix: 0123456789012345678901234567890123456789
date: 2024-02-29
title: t
symptom: s
apis: [lib_call]
defect: wrong value
selection: protocol
upstream:
  strategy: revert
debian:
  strategy: edit
  edits:
    - {file: a.c, anchor: good, replacement: bad}
witness:
  file: lib-1.c
`
)

func files(library, bug string) fstest.MapFS {
	return fstest.MapFS{
		"lib/library.yaml":    {Data: []byte(library)},
		"lib/bugs/lib-1.yaml": {Data: []byte(bug)},
		"lib/bugs/lib-1.c":    {Data: []byte("int main(void) { return 0; }\n")},
	}
}

func TestLoad(t *testing.T) {
	b, err := Load(files(goodLibrary, goodBug))
	assert.NilError(t, err)
	lib, err := b.Library("lib")
	assert.NilError(t, err)
	bug, err := lib.Bug("lib-1")
	if err != nil || !strings.Contains(bug.Witness.Source, "int main") || bug.In(Debian).Strategy != EditTree {
		t.Errorf("Bug = %+v, %v", bug, err)
	}
	var unknown *UnknownError
	if _, err := b.Library("lip"); !errors.As(err, &unknown) || unknown.Nearest != "lib" {
		t.Errorf("Library(lip): %v", err)
	}
	if _, err := lib.Bug("lib-11"); !errors.As(err, &unknown) || unknown.Nearest != "lib-1" {
		t.Errorf("Bug(lib-11): %v", err)
	}
}

func TestLoadRefuses(t *testing.T) {
	const library, bug = "lib/library.yaml", "lib/bugs/lib-1.yaml"
	for _, tt := range []struct {
		name, file, old, new string
		want                 string // in the error
	}{
		{"unknown key", library, "licence: MIT", "license: MIT", `lib/library.yaml:6: unknown key "license", did you mean "licence"?`},
		{"unknown key tells what is allowed", bug, "  strategy: revert", "  strategie: revert", "commit, edits, parent, patch, reason, strategy"},
		{"key given twice", bug, "title: t", "title: t\ntitle: u", `lib/bugs/lib-1.yaml:6: mapping key "title" already defined at line 5`},
		{"wrong type", library, "schema: 1", "schema: one", "lib/library.yaml:1: cannot unmarshal"},
		{"not YAML", library, "schema: 1", "schema: [", "lib/library.yaml:"},
		{"two documents", bug, "title: t", "title: t\n---", "lib/bugs/lib-1.yaml: more than one YAML document"},
		{"other schema", library, "schema: 1", "schema: 2", "library.yaml:1: schema: this program reads schema 1, not 2"},
		{"name is not the directory's", library, "name: lib", "name: lob", "they must agree"},
		{"no domain", library, "domain: testing", "domain: ''", "library.yaml:3: domain: needs a value"},
		{"language", library, "language: c", "language: rust", `language: unknown "rust"; known are c, c++`},
		{"short commit", library, "commit: 0123456789012345678901234567890123456789", "commit: '0123456'", "library.yaml:9: upstream.commit"},
		{"Debian version", library, "1:1.0-1", "latest", "library.yaml:12: debian.version"},
		{"backport of no bug", library, "bug: lib-1", "bug: lib-2", `debian.backports[0].bug: unknown bug of lib "lib-2"`},
		{"source outside", library, `["*.c"]`, `["../*.c"]`, `recipe.sources[0]: "../*.c" is not a clean path`},
		{"bad glob", library, `["*.c"]`, `["[.c"]`, "or a pattern of one"},
		{"define", library, "HAVE_X", "'-DHAVE_X'", "recipe.defines[0]"},
		{"header twice", library, "[lib.h]", "[lib.h, lib.h]", `headers[1]: "lib.h" is listed twice`},
		{"documents of no edition", library, "headers: [lib.h]", "headers: [lib.h]\nedition_documents: {debain: [README]}", `edition_documents.debain: unknown "debain", did you mean "debian"?`},
		{"excluded without a reason", library, "reason: takes a va_list", "reason: ''", "excluded_apis[0].reason: needs a value"},
		{"origin of a fuzz target", library, "origin: tree", "origin: oss_fuzz", `did you mean "oss-fuzz"?`},
		{"commit of no id", library, "options: [-max_len=9]", "commit: master", "fuzz_targets[0].commit:"},
		{"fuzz option", library, "-max_len=9", "max_len=9", "a libFuzzer flag begins with -"},
		{"id is not the file's", bug, "id: lib-1", "id: lib-2", `lib-1.yaml:1: id: "lib-2" in the file lib-1.yaml`},
		{"date", bug, "2024-02-29", "2023-02-29", "lib-1.yaml:4: date"},
		{"defect", bug, "wrong value", "wrong valu", `defect: unknown "wrong valu", did you mean "wrong value"?`},
		{"selection", bug, "protocol", "protokol", `did you mean "protocol"?`},
		{"no function", bug, "[lib_call]", "[]", "apis: needs a value"},
		{"strategy of the other edition", bug, "strategy: revert", "strategy: omit_patch", "upstream.strategy: unknown"},
		{"strategy without its field", bug, "strategy: revert", "strategy: pair", "upstream.parent: the strategy pair needs it"},
		{"field of another strategy", bug, "strategy: revert", "strategy: revert\n  reason: why", "upstream.reason: goes with the strategy absent, not with revert"},
		{"edit that changes nothing", bug, "replacement: bad", "replacement: good", "it changes nothing"},
		{"exception without a reason", bug, "strategy: revert", "strategy: revert\n  also_fails: [{bug: lib-1}]", "lib-1.yaml:12: upstream.also_fails[0].reason: needs a value"},
		{"exception of itself", bug, "strategy: revert", "strategy: revert\n  also_fails: [{bug: lib-1, reason: x}]", "upstream.also_fails[0].bug: names the bug itself"},
		{"exception of no bug", bug, "strategy: revert", "strategy: revert\n  also_fails: [{bug: lib-7, reason: x}]", `upstream.also_fails[0].bug: unknown bug of lib "lib-7"`},
		{"witness of another bug", bug, "lib-1.c", "lib-2.c", "the witness of lib-1 is lib-1.c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fsys := files(goodLibrary, goodBug)
			text := string(fsys[tt.file].Data)
			assert.Assert(t, strings.Count(text, tt.old) >= 1, "%q is not in %s", tt.old, tt.file)
			fsys[tt.file] = &fstest.MapFile{Data: []byte(strings.Replace(text, tt.old, tt.new, 1))}
			_, err := Load(fsys)
			var invalid *InvalidError
			assert.Check(t, errors.As(err, &invalid) && strings.Contains(err.Error(), tt.want),
				"error = %v\nwant %q", err, tt.want)
		})
	}
}

func TestLoadRefusesFiles(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(fstest.MapFS)
		want   string
	}{
		{"no library.yaml", func(f fstest.MapFS) { delete(f, "lib/library.yaml") }, "lib: a library's directory needs a library.yaml"},
		{"no witness", func(f fstest.MapFS) { delete(f, "lib/bugs/lib-1.c") }, "lib-1.yaml:17: witness.file: lib/bugs/lib-1.c is not there or empty"},
		{"empty witness", func(f fstest.MapFS) { f["lib/bugs/lib-1.c"].Data = nil }, "lib/bugs/lib-1.c is not there or empty"},
		{"witness of no bug", func(f fstest.MapFS) { f["lib/bugs/lib-2.c"] = f["lib/bugs/lib-1.c"] }, "lib/bugs/lib-2.c: the witness of no bug"},
		{"empty library.yaml", func(f fstest.MapFS) { f["lib/library.yaml"].Data = nil }, "lib/library.yaml: empty"},
		{"nothing", func(f fstest.MapFS) { clear(f) }, "no directory holds a library.yaml"},
		{"id taken", func(f fstest.MapFS) {
			f["lob/library.yaml"] = &fstest.MapFile{Data: []byte(strings.Replace(goodLibrary, "name: lib", "name: lob", 1))}
			f["lob/bugs/lib-1.yaml"] = &fstest.MapFile{Data: []byte(strings.Replace(goodBug, "library: lib", "library: lob", 1))}
			f["lob/bugs/lib-1.c"] = f["lib/bugs/lib-1.c"]
		}, `lob/bugs/lib-1.yaml:1: id: "lib-1" is taken by lib/bugs/lib-1.yaml`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fsys := files(goodLibrary, goodBug)
			tt.change(fsys)
			if _, err := Load(fsys); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v\nwant %q", err, tt.want)
			}
		})
	}
}

func TestHashes(t *testing.T) {
	load := func(fsys fstest.MapFS) *Library {
		b, err := Load(fsys)
		assert.NilError(t, err)
		return b.Libraries[0]
	}
	base := load(files(goodLibrary, goodBug))
	recipe := load(files(strings.Replace(goodLibrary, "N=3", "N=4", 1), goodBug))
	witness := files(goodLibrary, goodBug)
	witness["lib/bugs/lib-1.c"].Data = []byte("int main(void) { return 1; }\n")
	other := load(witness)
	layout := load(files("# a comment\n"+goodLibrary, goodBug))

	assert.Check(t, recipe.Hash() != base.Hash() && recipe.Bugs[0].Hash() == base.Bugs[0].Hash(),
		"a recipe counts for the library's hash and for no bug's")
	assert.Check(t, other.Hash() == base.Hash() && other.Bugs[0].Hash() != base.Bugs[0].Hash(),
		"a witness counts for its bug's hash and not for the library's")
	assert.Check(t, layout.Hash() == base.Hash(), "a comment counts for the hash")
}

// TestEmbedded checks what the benchmark promises beyond what Load checks of every file.
func TestEmbedded(t *testing.T) {
	b, err := Load(Embedded())
	assert.Assert(t, err == nil, "\n%v", err)
	for _, lib := range b.Libraries {
		name := lib.Name
		assert.Check(t, len(lib.Rules) >= 5, "%s: %d rules, want at least 5", name, len(lib.Rules))
		var protocol []string
		for i, bug := range lib.Bugs {
			if bug.Selection == Protocol {
				if i > 0 && bug.Date > lib.Bugs[i-1].Date {
					t.Errorf("%s is newer than %s: the protocol goes from the newest fix on", bug.ID, lib.Bugs[i-1].ID)
				}
				protocol = append(protocol, bug.ID)
			}
			if !slices.ContainsFunc([]Edition{Upstream, Fresh}, func(e Edition) bool { how := bug.In(e); return how != nil && how.Strategy != Absent }) {
				t.Errorf("%s is in no edition", bug.ID)
			}
		}
		assert.Check(t, len(protocol) == 5 && protocol[0] == lib.Bugs[0].ID && protocol[4] == lib.Bugs[4].ID,
			"%s: the protocol selects %v, want the first five", name, protocol)
	}
}

// FuzzLoad: no file makes Load panic, and what it accepts can be hashed and found again.
func FuzzLoad(f *testing.F) {
	f.Add(goodLibrary, goodBug)
	f.Add("", "")
	f.Add("schema: 1\nname: lib\nrecipe: {editions: {debian: }}", "upstream: &a {edits: [*a]}")
	f.Fuzz(func(t *testing.T, library, bug string) {
		b, err := Load(files(library, bug))
		if err != nil {
			return
		}
		for _, lib := range b.Libraries {
			if found, err := b.Library(lib.Name); err != nil || found.Hash() != lib.Hash() {
				t.Errorf("library %q is not found: %v", lib.Name, err)
			}
		}
	})
}
