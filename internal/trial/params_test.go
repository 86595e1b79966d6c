package trial_test

import (
	"reflect"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func TestSetParams(t *testing.T) {
	type options struct {
		On    bool     `param:"on" doc:"Whether."`
		Count int      `param:"count" values:"1,9" doc:"How many."`
		Share float64  `param:"share" doc:"Of all."`
		Word  string   `param:"word" values:"a,b" doc:"Which."`
		Dir   string   `param:"dir" doc:"Where."`
		Names []string `param:"names" doc:"Of what."`
		Other int
	}
	tests := map[string]struct {
		params map[string]any
		want   options
		err    string
	}{
		"none":             {},
		"each kind":        {params: map[string]any{"on": true, "count": 3, "share": 0.5, "word": "b", "dir": "x/y", "names": []any{"f"}}, want: options{true, 3, 0.5, "b", "x/y", []string{"f"}, 0}},
		"numbers of JSON":  {params: map[string]any{"count": 3.0, "share": 1}, want: options{Count: 3, Share: 1}},
		"64 bits":          {params: map[string]any{"count": int64(9)}, want: options{Count: 9}},
		"unknown":          {params: map[string]any{"size": 1}, err: `unknown parameter "size"; known are count, dir, names, on, share, word`},
		"first by name":    {params: map[string]any{"on": 1, "count": 0}, err: "count is 0, want a whole number from 1 to 9"},
		"no boolean":       {params: map[string]any{"on": "yes"}, err: "on is yes, want true or false"},
		"not whole":        {params: map[string]any{"count": 2.5}, err: "count is 2.5, want a whole number from 1 to 9"},
		"above":            {params: map[string]any{"count": 10}, err: "count is 10, want a whole number from 1 to 9"},
		"number as text":   {params: map[string]any{"count": "3"}, err: "count is 3, want a whole number from 1 to 9"},
		"zero is no share": {params: map[string]any{"share": 0}, err: "share is 0, want a number above 0 and at most 1"},
		"another word":     {params: map[string]any{"word": "c"}, err: "word is c, want one of a, b"},
		"a name twice":     {params: map[string]any{"names": []any{"f", "f"}}, err: "names is [f f], want a list of different names"},
		"empty path":       {params: map[string]any{"dir": ""}, err: "dir is , want the path of a directory"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var o options
			err := trial.SetParams(tc.params, &o)
			if got := message(err); got != tc.err {
				t.Fatalf("error is %q, want %q", got, tc.err)
			}
			if err == nil && !reflect.DeepEqual(o, tc.want) {
				t.Errorf("options are %+v, want %+v", o, tc.want)
			}
		})
	}
}

func TestParameters(t *testing.T) {
	o := struct {
		On   bool   `param:"on" doc:"Whether."`
		Word string `param:"word" values:"a,b" doc:"Which."`
		Dir  string `param:"dir" doc:"Where."`
		File string `param:"file" path:"file" doc:"Which one."`
	}{Word: "a"}
	want := []trial.Parameter{{"on", "true or false", "false", "Whether."}, {"word", "one of a, b", "a", "Which."},
		{"dir", "the path of a directory", "", "Where."}, {"file", "the path of a file", "", "Which one."}}
	assert.Check(t, is.DeepEqual(trial.Parameters(&o), want))
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
