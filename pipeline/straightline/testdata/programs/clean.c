#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "kv.h"

int test_clean(void) {
    kv_store s;
    // STEP1: initialise
    memset(&s, 0, sizeof s);
    int rc = kv_open(&s, kv_len("six"));
    assert(rc == KV_OK && kv_put(&s, "a", 1) == 0);
    // STEP2
    kv_put(kv_self(&s), "b",
           kv_get(&s, "a"));
    (kv_put)(&s, "c", (int)sizeof(kv_len("never")));
    (&kv_put)(&s, "d", (*kv_get)(&s, "c"));
    printf("%d %s\n", kv_peek(&s), s.have ? "some" : "none"); // STEP9 is no marker
    // STEP3
    do { kv_check(&s); } while (0);
    s.have = kv_get(&s, "z"); kv_self(&s)->have = kv_len("right side first");
    kv_close(&s);
    return 66;
    kv_len("never");
}
