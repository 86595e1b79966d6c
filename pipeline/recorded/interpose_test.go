package recorded

import (
	"fmt"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

func TestProgram(t *testing.T) {
	number := &apispec.Type{Kind: apispec.Int, Bits: 32, Signed: true, Name: "int"}
	void := &apispec.Type{Kind: apispec.Void, Name: "void"}
	spec := &apispec.Spec{
		Functions: []*apispec.Function{
			{Name: "box_add", Result: number, Params: []apispec.Param{{Name: "n", Type: number}}},
			{Name: "box_close", Result: void}, {Name: "box_never", Result: void}, {Name: "box_log", Result: void, Variadic: true},
		},
		Macros: []*apispec.Macro{{Name: "box_inc", Calls: []string{"box_add"}}},
	}
	list := Functions(spec, []string{"box_excluded"})
	if len(list) != 3 || list[0].Ends() || !list[1].Ends() {
		t.Fatalf("%+v", list)
	}
	got := Program("#include <box.h>\nvoid test(void)\n{\n    box_inc();\n    box_close();\n}\n", list, []string{"box.h"}, "/* prelude */\n", func(i int) (string, string) {
		return fmt.Sprintf("before(%d);\n", i), fmt.Sprintf("after(%d);\n", i)
	})
	const want = `#include <box.h>
#include <box.h>
/* prelude */
static int lisa_calls;
static __attribute__((unused)) int lisa_w_box_add(int lisa_a0) {
int lisa_n = lisa_calls++;
(void)lisa_n;
before(0);
int lisa_r = box_add(lisa_a0);
after(0);
return lisa_r;
}
static __attribute__((unused)) void lisa_w_box_close(void) {
int lisa_n = lisa_calls++;
(void)lisa_n;
before(1);
box_close();
after(1);
}
#undef box_add
#define box_add lisa_w_box_add
#undef box_close
#define box_close lisa_w_box_close
void test(void)
{
    box_inc();
    box_close();
}
`
	assert.Check(t, got == want, "got\n%s", got)
}

func TestEnds(t *testing.T) {
	for name, want := range map[string]bool{"cJSON_free": true, "deflateEnd": true, "sqlite3_realloc": true, "realloc": true,
		"cJSON_PrintPreallocated": false, "cJSON_Print": false, "inflateBackEnd": true, "list_end": true, "end_of": true,
		"deflatePending": false, "sqlite3_str_append": false, "send": false, "listAppend": false, "XML_DefaultExpandDepends": false} {
		if got := (Function{Function: &apispec.Function{Name: name}}).Ends(); got != want {
			t.Errorf("after %s arguments may be gone: %t", name, got)
		}
	}
}
