package experiments

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

// Load reads an experiment. The source's profile comes first, then overrides, which are key=value and
// applied in order; see override. The error is an *Error with all that is wrong.
func Load(src Source, overrides []string, known Known) (*Experiment, error) {
	d := parse(src)
	if d.root == nil {
		return nil, &Error{Problems: d.problems}
	}
	e, err := d.load(src.Profile, overrides, known)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", src.Name, err)
	case len(d.problems) > 0:
		return nil, &Error{Problems: d.problems}
	}
	return e, nil
}

// load resolves the document. Without an experiment to return, or besides it, there are problems.
func (d *document) load(profile string, overrides []string, known Known) (*Experiment, error) {
	if child(d.root, "include") != nil {
		return d.loadIncluded(profile, overrides, known)
	}
	d.profile(profile)
	for _, o := range overrides {
		d.override(o)
	}
	d.check(d.root, reflect.TypeFor[file](), "")
	cut(d.root, "profiles")
	if d.mistyped {
		return nil, nil
	}
	if parts := child(d.root, "parts"); parts != nil {
		return d.loadParts(parts, known)
	}
	d.commits()
	e, err := d.decode()
	if err != nil {
		return nil, err
	}
	d.validate(e, known)
	return e, nil
}

// decode lays the checked tree over the defaults.
func (d *document) decode() (*Experiment, error) {
	text, err := yaml.Marshal(d.root)
	if err != nil {
		return nil, err
	}
	v := viper.New()
	v.SetConfigType("yaml")
	for key, value := range map[string]any{
		"seed": 1, "trials": 1, "sandbox": "bwrap", "jobs": 0,
		"test.timeout": "30s", "test.repeats": 3,
	} {
		v.SetDefault(key, value)
	}
	if err := v.ReadConfig(bytes.NewReader(text)); err != nil {
		return nil, err
	}
	var e Experiment
	err = v.Unmarshal(&e, viper.DecodeHook(mapstructure.StringToTimeDurationHookFunc()), func(c *mapstructure.DecoderConfig) {
		c.TagName, c.SquashTagOption = "yaml", "inline"
	})
	if err != nil {
		return nil, err
	}
	for i := range e.Libraries {
		if e.Libraries[i].Edition == "" {
			e.Libraries[i].Edition = lisabench.Debian
		}
	}
	if err := d.resolve(e.Tools); err != nil {
		return nil, err
	}
	if e.LLM != nil {
		c := e.LLM.WithDefaults()
		e.LLM = &c
	}
	return &e, nil
}
