package experiments

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/bounded"
	"github.com/lisa-bench/lisa-bench/recordings"
)

//go:embed *.yaml
var files embed.FS

// A Source is the text of an experiment file.
type Source struct {
	Name    string // as shown in errors
	Data    []byte
	Profile string // to be taken; "" for none
}

// A Listing is what a list shows of an experiment file.
type Listing struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Profiles    []string `json:"profiles,omitempty"`
}

// List describes the embedded experiments, by name.
func List() ([]Listing, error) {
	var list []Listing
	for _, name := range embedded() {
		data, err := files.ReadFile(name + ".yaml")
		if err != nil {
			return nil, err
		}
		var f struct {
			Name, Description string
			Profiles          map[string]yaml.Node
		}
		if err := yaml.Unmarshal(data, &f); err != nil {
			return nil, fmt.Errorf("experiments/%s.yaml: %w", name, err)
		}
		list = append(list, Listing{f.Name, f.Description, sortedKeys(f.Profiles)})
	}
	return list, nil
}

// embedded has the names of the experiments that come with the program.
func embedded() (names []string) {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the directory is part of the program
	}
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// maxFile is the most that an experiment file may have, in bytes.
const maxFile = 1 << 20

// Read returns the experiment file at name. Where there is no such file, the embedded one
// with its base name is meant, so that "quickstart" and "experiments/quickstart.yaml" work
// anywhere. The experiments of recordings are embedded as well, as recordings/NAME/experiment.yaml.
func Read(name string) (Source, error) {
	base := strings.TrimSuffix(filepath.Base(name), ".yaml")
	data, err := bounded.ReadFile(name, maxFile)
	if err == nil {
		return Source{Name: name, Data: data}, nil
	}
	if data, err := recordings.Experiments.ReadFile(strings.TrimPrefix(filepath.ToSlash(name), "recordings/")); err == nil {
		return Source{Name: name, Data: data}, nil
	}
	if data, err := files.ReadFile(base + ".yaml"); err == nil {
		return Source{Name: "experiments/" + base + ".yaml", Data: data}, nil
	}
	text := err.Error()
	if errors.Is(err, fs.ErrNotExist) {
		text = "no such experiment file" + lisabench.Suggest(base, embedded())
	}
	return Source{}, &Error{Problems: []Problem{{At: name, Text: text}}}
}
