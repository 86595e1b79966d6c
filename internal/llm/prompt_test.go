package llm

import (
	"testing"

	"gotest.tools/v3/assert"
)

// TestPortable: a replay on another machine asks the same.
func TestPortable(t *testing.T) {
	for text, want := range map[string]string{
		"/root/.cache/lisa-bench/builds/cJSON-plain-0123/include/cJSON.h:81:22: note: declared here\n":                                                                           "cJSON.h:81:22: note: declared here\n",
		"/usr/include/string.h:408:33: note: nonnull attribute specified here\n":                                                                                                 "/usr/include/string.h:408:33: note: nonnull attribute specified here\n",
		"    #7 0x55d412345678  (/runner+0x1234f) (BuildId: 5558e2226b6ca3c2c3917061e5357827633d9c47)\n":                                                                         "    #7 0x…  (/runner+0x…)\n",
		"    #1 0x55d412345678  (103+0x5be3)\n":                                                                                                                                  "    #1 0x…  (103+0x…)\n",
		"==4711==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000010 (pc 0x7f12a0b0c0d0 T0)\n    #0 0x55d412345678 in cJSON_Print /tmp/x/prepared/ab/cJSON.c:12:3\n": "ERROR: AddressSanitizer: SEGV on unknown address 0x… (pc 0x… T0)\n    #0 0x… in cJSON_Print cJSON.c:12:3\n",
		"expected 'a/b', flags 0x1F of 1/2":                                                                                                                                      "expected 'a/b', flags 0x1F of 1/2",
	} {
		got := Portable(text)
		assert.Check(t, got == want, "%q\nbecame %q\nwant   %q", text, got, want)
	}
}
