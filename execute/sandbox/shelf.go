package sandbox

import (
	"io/fs"
	"os"
	"slices"
)

const (
	// shelfPlaces is how many libraries a runner keeps at a time, as in runner.c.
	shelfPlaces = 32
	// shelfBytes bounds them together, but for one that is larger alone. The largest build has 12 MB.
	shelfBytes = 64 << 20
)

// A shelf is what this process knows of the libraries that a runner keeps: those that it used last.
type shelf struct {
	books []book // in the order of their use, the last one last
	taken [shelfPlaces]bool
}

// A book is a library on a shelf.
type book struct {
	path  string
	info  fs.FileInfo // another file may lie at the path later
	place int
}

// put returns the place of a library, and its content unless the runner has it there.
func (s *shelf) put(path string) (place int, content []byte, err error) {
	if path == "" {
		return 0, nil, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, nil, err
	}
	if i := slices.IndexFunc(s.books, func(b book) bool { return b.path == path }); i >= 0 {
		b := s.books[i]
		s.remove(i)
		if os.SameFile(b.info, info) && b.info.ModTime().Equal(info.ModTime()) && b.info.Size() == info.Size() {
			s.add(b)
			return b.place, nil, nil
		}
	}
	if content, err = os.ReadFile(path); err != nil {
		return 0, nil, err
	}
	for len(s.books) == shelfPlaces || len(s.books) > 0 && s.bytes()+info.Size() > shelfBytes {
		s.remove(0)
	}
	place = slices.Index(s.taken[:], false)
	s.add(book{path, info, place})
	return place, content, nil
}

func (s *shelf) add(b book) {
	s.books = append(s.books, b)
	s.taken[b.place] = true
}

// remove takes a library from the shelf. The runner keeps it until its place is used again.
func (s *shelf) remove(i int) {
	s.taken[s.books[i].place] = false
	s.books = slices.Delete(s.books, i, i+1)
}

func (s *shelf) bytes() (total int64) {
	for _, b := range s.books {
		total += b.info.Size()
	}
	return total
}
