package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"gotest.tools/v3/assert"
)

func TestStore(t *testing.T) {
	dir := t.TempDir()
	s := New(filepath.Join(dir, "store"))
	key := Key("outcome", 1, []string{"a"})
	assert.Assert(t, key != Key("outcome", "1", []string{"a"}) && key != Key("outcome", 1, "a"))
	get := func(s *Store) (v map[string]int, known bool) {
		known, err := s.Get(key, &v)
		assert.NilError(t, err)
		return v, known
	}
	if _, known := get(s); known {
		t.Error("an empty store has a result")
	}
	for n := range 2 {
		assert.NilError(t, s.Put(key, map[string]int{"n": n}))
		if v, known := get(New(s.dir)); !known || v["n"] != n {
			t.Errorf("got %v, %v", v, known)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(s.dir, ".tmp-*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	data, err := os.ReadFile(s.file(key))
	assert.NilError(t, err)
	for name, damaged := range map[string][]byte{"cut": data[:len(data)-1], "empty": nil, "a digit changed": bytes.Replace(data, []byte("1}"), []byte("0}"), 1), "zeros": bytes.Repeat([]byte{0}, len(data))} {
		assert.NilError(t, os.WriteFile(s.file(key), damaged, 0o644))
		if v, known := get(s); known {
			t.Errorf("%s: got %v", name, v)
		}
	}
	var none *Store
	if err := none.Put(key, 1); err != nil {
		t.Error(err)
	}
	if _, known := get(none); known {
		t.Error("no store has a result")
	}
}

// TestTwoAtOnce has several stores in one directory write the same keys.
func TestTwoAtOnce(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			s := New(dir)
			for n := range 100 {
				if err := s.Put(Key(n), fmt.Sprint(n)); err != nil {
					t.Error(err)
				}
				var got string
				if known, err := s.Get(Key(n), &got); !known || got != fmt.Sprint(n) || err != nil {
					t.Errorf("%d: got %q, %v, %v", n, got, known, err)
				}
			}
		})
	}
	all.Wait()
}
