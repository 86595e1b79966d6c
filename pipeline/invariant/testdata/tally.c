#include "include/tally.h"
#include <stdlib.h>
#include <string.h>

int tally_open(tally *t, int limit)
{
    memset(t, 0, sizeof *t);
    t->limit = limit;
    return limit > 0 ? TALLY_OK : TALLY_FULL;
}

int tally_add(tally *t, int v)
{
    if (t->count >= t->limit)
        return TALLY_FULL;
    t->count++;
    t->sum += v;
    return TALLY_OK;
}

long tally_sum(const tally *t) { return t->sum; }

long tally_all(const int *numbers, size_t n)
{
    long sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += numbers[i];
    return sum;
}

tally *tally_copy(const tally *t)
{
    tally *c = malloc(sizeof *c);
    if (c)
        *c = *t;
    return c;
}

unsigned char *tally_scratch(size_t n) { return malloc(n); }

void tally_free(void *p) { free(p); }
