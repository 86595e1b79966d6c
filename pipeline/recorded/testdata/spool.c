#include "spool.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* BUG is the number of the bug that is in this build; 0 for none. */
#ifndef BUG
#define BUG 0
#endif

typedef struct hidden {
    spool front;
    char *letters;
} hidden;

spool *spool_new(const char *name)
{
    hidden *h = calloc(1, sizeof *h);
    h->front.name = name ? name : "";
    h->letters = malloc(1);
    if (BUG == 1 && name && strlen(name) > 5)
        h->front.name = "";
    return &h->front;
}

int spool_add(spool *s, const char *letters, size_t n, long *sum)
{
    hidden *h = (hidden *)s;
    h->letters = realloc(h->letters, s->length + n + 1);
    long total = 0;
    for (size_t i = 0; i < n; i++) {
        h->letters[s->length++] = letters[i];
        total += letters[i];
    }
    s->stats.turns += BUG == 2 && n == 1 ? 2 : 1;
    s->stats.weight += 0.5 * n;
    if (sum)
        *sum = BUG == 3 ? total - 1 : total;
    snprintf(s->label, sizeof s->label, "L%d", s->length);
    return s->length;
}

spool_order spool_ordering(const spool *s)
{
    const hidden *h = (const hidden *)s;
    int down = 0;
    for (int i = 1; i < s->length; i++)
        down += h->letters[i] < h->letters[i - 1];
    return (BUG == 4) != (down > 0) ? SPOOL_DOWN : SPOOL_UP;
}

int spool_wind(spool *s)
{
    hidden *h = (hidden *)s;
    int n = 0;
    for (; s->avail_out > 0 && n < s->length; n++, s->avail_out--)
        *s->next_out++ = h->letters[n] ^ (BUG == 5 && n == 2);
    return n;
}

int spool_reverse(spool *s, unsigned char *dest, size_t *len)
{
    hidden *h = (hidden *)s;
    if (*len < (size_t)s->length)
        return -1;
    *len = s->length;
    for (int i = 0; i < s->length; i++)
        dest[i] = h->letters[s->length - 1 - (BUG == 6 && i == 1 ? 0 : i)];
    return 0;
}

int spool_text(const spool *s, char *text, int n)
{
    return snprintf(text, n, BUG == 7 ? "<%s>" : "(%s)", s->name) >= n;
}

unsigned long spool_ticket(const spool *s) { return (unsigned long)(uintptr_t)s / 16 * (unsigned long)(uintptr_t)&s; }

char *spool_letters(spool *s) { return ((hidden *)s)->letters; }

void spool_free(spool *s)
{
    if (BUG == 8)
        abort();
    free(((hidden *)s)->letters);
    free(s);
}
