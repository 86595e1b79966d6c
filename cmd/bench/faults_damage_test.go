package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gotest.tools/v3/assert"
)

// A damage spoils a file.
type damage struct {
	name string
	do   func(path string) error
}

var (
	cut = damage{"cut", func(path string) error { return os.Truncate(path, size(path)/2) }}
	// flipped changes a byte where text stays text.
	flipped = damage{"changed", func(path string) error {
		data, err := os.ReadFile(path)
		if err == nil {
			data[len(data)/2] ^= 1
			err = errors.Join(os.Chmod(path, 0o755), os.WriteFile(path, data, 0o755))
		}
		return err
	}}
	tornLine = damage{"torn", func(path string) error { return os.Truncate(path, size(path)-9) }}
)

// spoil damages all files that match a pattern.
func (d damage) spoil(t *testing.T, pattern string) {
	t.Helper()
	found, err := filepath.Glob(pattern)
	n := 0
	for _, path := range found {
		if info, statErr := os.Stat(path); statErr == nil && info.Mode().IsRegular() && info.Size() > 0 {
			err = errors.Join(err, d.do(path))
			n++
		}
	}
	assert.Assert(t, err == nil && n != 0, "%s: %d files, %v", pattern, n, err)
}

// damagedRuns damages files of a finished run, and of one that was killed, and goes on with it.
func (f *faults) damagedRuns(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		damage     damage
		killed     stage // 0 for the finished run
		inShort    bool
	}{
		{"half a record", "cells/*/record.json", cut, 0, true},
		{"half a manifest", "manifest.json", cut, 0, true},
		{"half a suite.json", "cells/*/suite/suite.json", cut, evaluatingWithModel, true},
		{"half a program of a suite", "cells/*/suite/p00001.c", cut, evaluatingWithModel, false},
		{"torn line in journals", "cells/*/events.jsonl", tornLine, generatingWithModel, true},
		{"torn line in journals, evaluating", "cells/*/events.jsonl", tornLine, evaluatingWithModel, false},
		{"torn line in a transcript", "cells/lisa*/transcript.jsonl", tornLine, generatingWithModel, false},
		{"lock that says nothing", "locks/*", cut, evaluating, false},
	} {
		if !tt.inShort && !tortured() {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			if tt.killed > 0 {
				f.killedAt(t, dir, tt.killed)
			} else if err := errors.Join(os.CopyFS(dir, os.DirFS(f.undisturbed)), os.RemoveAll(filepath.Join(dir, "report"))); err != nil {
				t.Fatal(err)
			}
			tt.damage.spoil(t, filepath.Join(dir, tt.file))
			// A writer that was killed leaves this beside it.
			assert.NilError(t, os.WriteFile(filepath.Join(dir, ".tmp-12345"), []byte("{"), 0o644))
			defer f.row(t, "made again")
			f.finish(t, f.lab, dir)
			left := leftovers(t, dir)
			assert.Check(t, len(left) == 0, "left are %v", left)
		})
	}
}

// An entry is a kind of file in the cache, by its pattern, and what must be away for it to be read.
type entry struct {
	name, files string
	without     []string
}

// entries are all kinds that cJSON's cache has.
var entries = []entry{
	{"shared libraries", "builds/*/libcjson.so", nil},
	{"archives", "builds/*/libcjson.a", nil},
	{"installed headers", "builds/*/include/*.h", nil},
	{"coverage templates", "builds/*/profile.proftext", nil},
	{"sandbox runners", "runners/runner-*", nil},
	{"linker stubs", "stubs/*-lib*", nil},
	{"plugin", "plugins/plugin-*", nil},
	{"precompiled preambles", "preambles/*.pch", nil},
	{"preambles", "preambles/*.h", nil},
	{"source trees", "sources/trees/*/cJSON.c", nil},
	{"headers in source trees", "sources/trees/*/cJSON.h", nil},
	{"objects", "objects/?/?/*", []string{"builds"}},
	{"downloaded archives", "sources/downloads/*/*", []string{"sources/trees", "builds"}},
}

// indexes are the kinds that only have to be whole.
var indexes = []entry{
	{"build.json", "builds/*/build.json", nil},
}

// damagedCaches damages every kind of file in copies of the cache: one kind at a time where
// LISA_BENCH_TORTURE_MOMENTS asks for a long test, and otherwise all at once that can be.
func (f *faults) damagedCaches(t *testing.T) {
	each := setting(t, "LISA_BENCH_TORTURE_MOMENTS", 10) >= 100
	damages := []damage{cut}
	if tortured() {
		damages = append(damages, flipped)
	}
	for _, d := range damages {
		list := entries
		if d.name == cut.name {
			list = slices.Concat(indexes, entries)
		}
		var sources, all []entry // what finished builds are made from; the finished builds and all else
		for _, e := range list {
			switch {
			case each:
				f.damagedCache(t, e.name, d, e)
			case len(e.without) > 0:
				sources = append(sources, e)
			default:
				all = append(all, e)
			}
		}
		if !each {
			f.damagedCache(t, "archives and objects", d, sources...)
			f.damagedCache(t, "all else in the cache", d, all...)
		}
	}
}

func (f *faults) damagedCache(t *testing.T, name string, d damage, kinds ...entry) {
	t.Run(name+" "+d.name, func(t *testing.T) {
		l := f.lab.withPart(t, ".")
		for _, e := range kinds {
			for _, part := range e.without {
				assert.NilError(t, os.RemoveAll(filepath.Join(l.cache, part)))
			}
		}
		for _, e := range kinds {
			d.spoil(t, filepath.Join(l.cache, e.files))
		}
		defer f.row(t, "made again")
		f.finish(t, l, filepath.Join(t.TempDir(), "run"))
	})
}
