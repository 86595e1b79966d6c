package experiments

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

//go:embed *.yaml
var files embed.FS

// A Source is the text of an experiment file.
type Source struct {
	Name string // as shown in errors
	Data []byte
}

// Embedded returns the experiment files that come with the program, by name.
func Embedded() ([]Source, error) {
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return nil, err
	}
	var out []Source
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		out = append(out, Source{Name: path.Join("experiments", name), Data: data})
	}
	return out, nil
}

// A Listing is what a list shows of an experiment file.
type Listing struct {
	Name        string `yaml:"name" json:"name"`
	Description string `yaml:"description" json:"description"`
}

// List describes the embedded experiments, by name.
func List() ([]Listing, error) {
	sources, err := Embedded()
	if err != nil {
		return nil, err
	}
	list := make([]Listing, len(sources))
	for i, s := range sources {
		if err := yaml.Unmarshal(s.Data, &list[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return list, nil
}

// Read returns the experiment file at name. Where there is no such file, the embedded one
// with its base name is meant, so that "quickstart" and "experiments/quickstart.yaml" work
// anywhere.
func Read(name string) (Source, error) {
	data, err := os.ReadFile(name)
	if err == nil {
		return Source{Name: name, Data: data}, nil
	}
	all, eerr := Embedded()
	if eerr != nil {
		return Source{}, eerr
	}
	base := filepath.Base(name)
	if filepath.Ext(base) == "" {
		base += ".yaml"
	}
	var known []string
	for _, s := range all {
		if path.Base(s.Name) == base {
			return s, nil
		}
		known = append(known, strings.TrimSuffix(path.Base(s.Name), ".yaml"))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return Source{}, &Error{Problems: []Problem{{At: name, Text: "no such experiment file" + lisabench.Suggest(strings.TrimSuffix(base, ".yaml"), known)}}}
	}
	return Source{}, &Error{Problems: []Problem{{At: name, Text: err.Error()}}}
}
