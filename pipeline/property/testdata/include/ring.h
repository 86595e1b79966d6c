#ifndef RING_H
#define RING_H
#include <stddef.h>

typedef struct ring ring;

#define RING_MAX 256 /* bytes of the largest ring */

/* ring_new makes a ring of size bytes. It returns NULL if size is larger than RING_MAX. */
ring *ring_new(size_t size);

/* ring_free ends a ring; NULL is allowed. */
void ring_free(ring *r);

/* ring_put adds a byte. It returns 0 if the ring is full, and 1 otherwise. */
int ring_put(ring *r, unsigned char byte);

/* ring_get takes the oldest byte. It returns -1 if the ring is empty. */
int ring_get(ring *r);

/* ring_count returns how many bytes the ring holds. The count is never more than the size. */
size_t ring_count(const ring *r);

/* ring_sum returns the sum of all bytes modulo 256. */
int ring_sum(const ring *r);
#endif
