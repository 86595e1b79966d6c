#include "kv.h"
#define WHEN(c) if (c)
#define PICK(c) ((c) ? kv_len("x") : 0)
#include <string.h>

int test_flow(void) {
    kv_store s = {0};
    kv_item *item;
    for (int i = 0; i < 2; i++) kv_put(&s, "a", i);
    while (s.have) s.have--;
    do kv_get(&s, "x"); while (s.have);
    kv_each(item, &s) { item->value = 1; }
    if (s.have) { kv_close(&s); return 1; }
    if (s.have) return 2; else s.have = 0;
    if (s.have) kv_close(&s);
    WHEN(s.have) kv_len("macro of the program");
    switch (s.have) { case 1: kv_len("one"); }
again:
    if (!s.have) goto again;
    int x = s.have ? kv_get(&s, "a") : 0;
    int y = s.have && kv_get(&s, "b");
    int z = s.have || kv_get(&s, "c");
    int w = KV_OK == x ? kv_len("d") : KV_OK;
    int v = PICK(x);
    int fine = (x && y) || strlen("libc is no API") ? 1 : 2;
    return x + y + z + w + v + fine;
}
