#include "ring.h"

#include <stdlib.h>
#include <string.h>

#ifndef BUG
#define BUG 0
#endif

struct ring {
    char *texts[8];
    int capacity, length, first;
    ring_policy policy;
};

ring *ring_create(int capacity, ring_policy policy) {
    if (capacity < 1 || capacity > 8)
        return NULL;
    ring *r = calloc(1, sizeof *r);
    if (r != NULL) {
        r->capacity = capacity;
        r->policy = policy;
    }
    return r;
}

void ring_free(void *memory) { free(memory); }

char *ring_pop(ring *r) {
    if (r == NULL || r->length == 0)
        return NULL;
    char *text = r->texts[r->first];
    r->first = (r->first + 1) % r->capacity;
    r->length--;
    return text;
}

void ring_destroy(ring *r) {
    if (r == NULL)
        return;
    for (char *t; (t = ring_pop(r)) != NULL;)
        free(t);
    free(r);
}

int ring_push(ring *r, const char *text) {
    if (r == NULL || text == NULL)
        return RING_ERROR;
    if (r->length == r->capacity) {
        if (r->policy == RING_KEEP)
            return RING_FULL;
        free(ring_pop(r));
    }
    int at = r->first + r->length;
#if BUG == 1 /* forgets to wrap around: only a queue that was popped shows it */
    at = at % 8;
#else
    at = at % r->capacity;
#endif
    r->texts[at] = strdup(text);
    r->length++;
    return RING_OK;
}

int ring_length(const ring *r) { return r == NULL ? RING_ERROR : r->length; }

int ring_join(const ring *r, char *out, size_t size) {
    size_t n = 0;
    if (r == NULL || out == NULL || size == 0)
        return RING_ERROR;
    for (int i = 0; i < r->length; i++) {
        const char *t = r->texts[(r->first + i) % r->capacity];
        size_t len = strlen(t);
#if BUG == 2 /* off by one at exactly full */
        if (n + len + 1 >= size)
#else
        if (n + len + 1 > size)
#endif
            return RING_FULL;
        memcpy(out + n, t, len);
        n += len;
    }
    out[n] = 0;
    return (int)n;
}

int rleInit_(rle_stream *s, int level, int size) {
    if (s == NULL || size != sizeof *s || level < 0 || level > 9)
        return RING_ERROR;
    s->total = 0;
    s->state = 1 + level;
    return RING_OK;
}

int rle(rle_stream *s, int flush) {
    if (s == NULL || s->state == 0 || s->next_in == NULL || s->next_out == NULL)
        return RING_ERROR;
    while (s->avail_in > 0 && s->avail_out >= 2) {
        unsigned run = 1;
#if BUG == 3 /* a run of 255 is cut to 254 */
        unsigned most = 254;
#else
        unsigned most = 255;
#endif
        while (run < s->avail_in && run < most && s->next_in[run] == s->next_in[0])
            run++;
        *s->next_out++ = (unsigned char)run;
        *s->next_out++ = s->next_in[0];
        s->avail_out -= 2;
        s->next_in += run;
        s->avail_in -= run;
        s->total += run;
    }
    return flush != 0 && s->avail_in > 0 ? RING_FULL : RING_OK;
}

int rleEnd(rle_stream *s) {
    if (s == NULL || s->state == 0)
        return RING_ERROR;
    s->state = 0;
    return RING_OK;
}

int rle_decode(unsigned char *dest, unsigned long *destLen, const unsigned char *src, unsigned long srcLen) {
    unsigned long n = 0;
    if (dest == NULL || destLen == NULL || src == NULL || srcLen % 2 != 0)
        return RING_ERROR;
    for (unsigned long i = 0; i < srcLen; i += 2) {
        if (src[i] == 0 || n + src[i] > *destLen)
            return RING_FULL;
        memset(dest + n, src[i + 1], src[i]);
        n += src[i];
    }
#if BUG == 4 /* the length of what was decoded is lost after 100 bytes */
    if (n > 100)
        n = 100;
#endif
    *destLen = n;
    return RING_OK;
}

double ring_mean(const int *values, int count) {
    double sum = 0;
    if (values == NULL || count <= 0)
        return 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
#if BUG == 5 /* integer division */
    return (long)sum / count;
#else
    return sum / count;
#endif
}
