#ifndef SHAPES_H
#define SHAPES_H
#include <stddef.h>
#include <stdio.h>

#define SHAPE_LIMIT (1 << 4)
#define SHAPE_MASK ((unsigned char)0x1ff)
#define SHAPE_TEXT "shapes " "1.0"
#define SHAPE_ALSO (SHAPE_LIMIT | KIND_B)
#define SHAPE_RATIO 1.5
#define SHAPE_EXPORT(ret) extern ret

typedef enum { KIND_A, KIND_B = 5, KIND_C } shape_kind;
enum shape_flag { FLAG_LOW = -3, FLAG_NEXT };
typedef struct shape_store shape_store;
typedef int (*shape_visit)(void *user, const struct shape *each);

typedef struct shape {
    double side[4];
    unsigned visible : 1;
    shape_kind kind;
    const char *const *names;
    struct corner { int x, y; } first;
    union { int i; float f; } value;
} shape;

typedef struct { size_t used; } shape_stat;

/* Opens a store.
 * Returns NULL when out of memory. */
SHAPE_EXPORT(shape_store *) shape_open(const char *path, int mode);

/* Reads at most n bytes. */
size_t shape_read(shape_store *store, unsigned char *restrict buf, size_t n);

// Visits every shape
// in order.
int shape_each(const shape_store *, shape_visit visit, void *user);
int shape_each(const shape_store *store, shape_visit visit, void *user);

int shape_log(FILE *out, const char *format, ...);
void shape_digest(const void *data, unsigned char digest[16]);
void (*shape_hook(void (*hook)(int)))(int);
int shape_open2_(const char *path, int mode, size_t size);
static inline int shape_local(void) { return 0; }

#define shape_open2(path, mode) shape_open2_((path), (mode), sizeof(shape))
#define shape_quick(path) shape_open2(path, SHAPE_LIMIT)
#define shape_scan shape_each
#define shape_max(a, b) ((a) > (b) ? (a) : (b))
#endif
