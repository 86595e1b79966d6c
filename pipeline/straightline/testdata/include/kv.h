#ifndef KV_H
#define KV_H
#include <stddef.h>

/* A toy store with the idioms of zlib.h and cJSON.h. */
typedef struct kv_store { int have; struct kv_item *first; int (*hook)(const char *key); } kv_store;
typedef struct kv_item { struct kv_item *next; int value; } kv_item;

#define KV_OK 0
#define KV_VERSION "1.2"

int kv_open_(kv_store *s, int level, const char *version, int size);
int kv_put(kv_store *s, const char *key, int value);
int kv_get(kv_store *s, const char *key);
int kv_len(const char *text);
kv_item *kv_item_new(int value);
kv_store *kv_self(kv_store *s);
void kv_close(kv_store *s);
int kv_clock(void);

#define kv_open(s, level) kv_open_((s), (level), KV_VERSION, (int)sizeof(kv_store))
#define kv_peek(s) ((s)->have ? (s)->first->value : (kv_get)((s), ""))
#define kv_each(item, s) for (item = (s)->first; item != NULL; item = item->next)
#define kv_check(s) do { if (!(s)) kv_put((s), "bad", 1); } while (0)
#endif
