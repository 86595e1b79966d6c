package citywalk

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A project is the library's tree as it was found on disk.
type project struct {
	dir    string
	text   map[string]string   // by relative path: sources, documents and build files
	files  []string            // C and C++ sources and headers, sorted
	defs   map[string][]*chunk // by last part of the name, in the order of the files
	byFile map[string][]*chunk
}

var (
	sourceExts = []string{".c", ".cc", ".cpp", ".cxx"}
	headerExts = []string{".h", ".hh", ".hpp", ".hxx", ".inl"}
)

func isSource(file string) bool { return slices.Contains(sourceExts, path.Ext(file)) }

func isHeader(file string) bool { return slices.Contains(headerExts, path.Ext(file)) }

// readProject reads the tree below dir.
func readProject(dir string) (*project, error) {
	p := &project{dir: dir, text: map[string]string{}, defs: map[string][]*chunk{}, byFile: map[string][]*chunk{}}
	tree := os.DirFS(dir)
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		code := isSource(name) || isHeader(name)
		if err != nil || !d.Type().IsRegular() || !code && !isText(name) {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		p.text[name] = strings.ToValidUTF8(string(text), "\uFFFD")
		if code {
			p.files = append(p.files, name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(p.files)
	for _, f := range p.files {
		for _, c := range chunks(f, p.text[f]) {
			p.byFile[f] = append(p.byFile[f], &c)
			p.defs[c.Name] = append(p.defs[c.Name], &c)
		}
	}
	return p, nil
}

// isText reports whether a file is a document, or CMake's.
func isText(file string) bool {
	return slices.Contains([]string{".md", ".txt", ".rst"}, path.Ext(file)) || strings.HasPrefix(path.Base(file), "README")
}

// includeDirs are the directories of the tree that hold headers, as absolute paths: the recipe of
// the build is not for tools to see.
func (p *project) includeDirs() []string {
	dirs := []string{p.dir}
	for _, f := range p.files {
		if isHeader(f) {
			dirs = append(dirs, filepath.Join(p.dir, path.Dir(f)))
		}
	}
	slices.Sort(dirs[1:])
	return slices.Compact(dirs)
}

// resolve finds the file of the tree that an #include in file names: beside it, from the root, or
// the first whose path ends so. "" if there is none.
func (p *project) resolve(file, included string) string {
	for _, try := range []string{path.Join(path.Dir(file), included), path.Clean(included)} {
		if _, ok := p.text[try]; ok {
			return try
		}
	}
	for _, f := range p.files {
		if strings.HasSuffix(f, "/"+path.Clean(included)) {
			return f
		}
	}
	return ""
}
