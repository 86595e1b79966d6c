#include "kv.h"

static int twice(kv_store *s) {
    kv_put(s, "t", 1);
    return kv_get(s, "t");
}
static int hook(const char *key) { return kv_len(key); }

int test_calls(void) {
    kv_store s = { 0, kv_item_new(3), hook };
    int few[4] = { kv_len("first of four") };
    // STEP1
    twice(&s);
    s.hook("through a pointer");
    int (*put)(kv_store *, const char *, int) = kv_put;
    put(&s, "through a pointer too", 1);
    // STEP2
    int last = twice(&s) + few[kv_len("index")] + _Generic(few[0], int: kv_len("int"), default: kv_clock());
    return last;
}

int test_more(void) { return kv_clock(); }
