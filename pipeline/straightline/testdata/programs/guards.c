#include "kv.h"
int test_guards(void) {
    kv_store s;
    if (kv_open(&s, 1) != KV_OK) {
        kv_close(&s);
        return 1;
    }
    if (!kv_item_new(1)) return 2;
    kv_close(&s);
    return 0;
}
