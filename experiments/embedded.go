package experiments

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
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

// embedded returns the experiment files that come with the program, by name.
func embedded() ([]Source, error) {
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
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Profiles    []string `json:"profiles,omitempty"`
	include     []string
}

// List describes the embedded experiments, by name. Those that need a tool which is not known
// are left out.
func List(known Known) ([]Listing, error) {
	sources, err := embedded()
	if err != nil {
		return nil, err
	}
	var list []Listing
	for _, s := range sources {
		var f struct {
			Name, Description string
			Tools             []struct{ Name string }
			Profiles          map[string]yaml.Node
			Include           []string
		}
		if err := yaml.Unmarshal(s.Data, &f); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		missing := slices.ContainsFunc(f.Tools, func(t struct{ Name string }) bool {
			return !slices.ContainsFunc(known.Tools, func(k ToolKind) bool { return k.Name == t.Name })
		})
		if !missing {
			list = append(list, Listing{f.Name, f.Description, sortedKeys(f.Profiles), f.Include})
		}
	}
	for i, whole := range list { // a profile of the whole is one of every part
		has := map[string]int{}
		for _, part := range list {
			for _, p := range part.Profiles {
				if slices.Contains(whole.include, part.Name) {
					has[p]++
				}
			}
		}
		maps.DeleteFunc(has, func(_ string, n int) bool { return n < len(whole.include) })
		list[i].Profiles = append(list[i].Profiles, sortedKeys(has)...)
	}
	return list, nil
}

// maxFile is the most that an experiment file may have, in bytes.
const maxFile = 1 << 20

// Read returns the experiment file at name. Where there is no such file, the embedded one
// with its base name is meant, so that "quickstart" and "experiments/quickstart.yaml" work
// anywhere. The experiments of recordings are embedded as well, as recordings/NAME/experiment.yaml.
func Read(name string) (Source, error) {
	data, err := bounded.ReadFile(name, maxFile)
	if err == nil {
		return Source{Name: name, Data: data}, nil
	}
	if inside, ok := strings.CutPrefix(filepath.ToSlash(name), "recordings/"); ok {
		if data, rerr := recordings.Experiments.ReadFile(inside); rerr == nil {
			return Source{Name: name, Data: data}, nil
		}
	}
	all, eerr := embedded()
	if eerr != nil {
		return Source{}, eerr
	}
	base := filepath.Base(name)
	if filepath.Ext(base) == "" {
		base += ".yaml"
	}
	if i := slices.IndexFunc(all, func(s Source) bool { return path.Base(s.Name) == base }); i >= 0 {
		return all[i], nil
	}
	text := err.Error()
	if errors.Is(err, fs.ErrNotExist) {
		known := namesOf(all, func(s Source) string { return strings.TrimSuffix(path.Base(s.Name), ".yaml") })
		text = "no such experiment file" + lisabench.Suggest(strings.TrimSuffix(base, ".yaml"), known)
	}
	return Source{}, &Error{Problems: []Problem{{At: name, Text: text}}}
}
