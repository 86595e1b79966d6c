package libfuzzer

import (
	"os"
	"reflect"
	"testing"

	"gotest.tools/v3/assert"
)

func TestParseLog(t *testing.T) {
	tests := []struct {
		name string
		log  string
		file string // instead of log
		want runLog
	}{
		{name: "empty"},
		{name: "killed in flight", log: "#2\tINITED cov: 2\n#4096\tpulse  cov: 12 exec/s: 0\n",
			want: runLog{Execs: 4096}},
		{name: "cut off within a line", log: "#7\tNEW cov: 1\nWritten 4 bytes to td/0787aa5331daf528",
			want: runLog{Execs: 7}},
		{name: "stack frame is no progress", log: "#7\tNEW cov: 1\n    #123 0x55 in main\n#12 garbage\n",
			want: runLog{Execs: 7}},
		{name: "negative and malformed", log: "#-4\tNEW\nstat::number_of_executed_units: -3\nstat::number_of_executed_units:\n"},
		{name: "nothing counts after the statistics", log: "#12\tNEW cov: 1\nstat::number_of_executed_units: 40\n#99\tlate\n",
			want: runLog{Execs: 40}},
		{name: "ended by itself", file: "testdata/done.log", want: runLog{Execs: 5000,
			Written: []string{"0787aa5331daf528317ba82d28bbf90c71deda8d"}}},
		{name: "crash", file: "testdata/crash.log", want: runLog{Execs: 172744,
			Summary: "AddressSanitizer: heap-buffer-overflow toyb.c:21:13 in toy_parse",
			Written: []string{
				"0787aa5331daf528317ba82d28bbf90c71deda8d",
				"876a505124a9add38c02871a0fabf077b5b36e39",
				"98712a25a92ce79f4f985099e93ed5f4eb073d03",
			}}},
		{name: "hang", file: "testdata/hang.log", want: runLog{Execs: 14222, Summary: "libFuzzer: timeout"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			log := []byte(tt.log)
			if tt.file != "" {
				var err error
				if log, err = os.ReadFile(tt.file); err != nil {
					t.Fatal(err)
				}
			}
			assert.Check(t, reflect.DeepEqual(parseLog(log), tt.want), "%+v", parseLog(log))
		})
	}
}
