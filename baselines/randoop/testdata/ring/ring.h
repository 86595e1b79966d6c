/* A queue of texts and a run-length coder: the library that the tests of this package
 * generate tests for. */
#ifndef RING_H
#define RING_H
#include <stddef.h>

typedef struct ring ring;

typedef enum { RING_KEEP, RING_DROP } ring_policy;

#define RING_OK 0
#define RING_ERROR (-1)
#define RING_FULL (-2)

/* Creates a queue for capacity texts, from 1 to 8. */
ring *ring_create(int capacity, ring_policy policy);
void ring_destroy(ring *r);

/* Adds a copy of text; a full queue drops its oldest text or returns RING_FULL. */
int ring_push(ring *r, const char *text);

/* Removes the oldest text; the caller frees it with ring_free. */
char *ring_pop(ring *r);
void ring_free(void *memory);
int ring_length(const ring *r);

/* Joins all texts into out, which has room for size bytes; returns the length. */
int ring_join(const ring *r, char *out, size_t size);

/* A run-length coder that is fed through its fields. */
typedef struct rle_stream {
    const unsigned char *next_in;
    unsigned int avail_in;
    unsigned char *next_out;
    unsigned int avail_out;
    unsigned long total;
    int state;
} rle_stream;

int rleInit_(rle_stream *s, int level, int size);
#define rleInit(s, level) rleInit_((s), (level), (int)sizeof(rle_stream))
/* Encodes until input or room is used up; 0, or RING_ERROR before rleInit. */
int rle(rle_stream *s, int flush);
int rleEnd(rle_stream *s);

/* Decodes src into dest; *destLen is the room, then the length. */
int rle_decode(unsigned char *dest, unsigned long *destLen, const unsigned char *src, unsigned long srcLen);
double ring_mean(const int *values, int count);
#endif
