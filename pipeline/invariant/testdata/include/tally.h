#ifndef TALLY_H
#define TALLY_H
#include <stddef.h>
/* A tally adds up numbers. Its fields may be read. */
typedef struct tally {
    int count; /* numbers added, never more than limit */
    int limit;
    long sum;
} tally;

#define TALLY_OK 0
#define TALLY_FULL (-1)

/* Makes t empty. Returns TALLY_OK, or TALLY_FULL if limit is not above 0. */
int tally_open(tally *t, int limit);
/* Adds v. Returns TALLY_OK, or TALLY_FULL if limit numbers were added; then t is unchanged. */
int tally_add(tally *t, int v);
#define tally_inc(t) tally_add((t), 1)
/* Returns the sum, and does not change t. */
long tally_sum(const tally *t);
/* Adds up n numbers. The numbers are only read. */
long tally_all(const int *numbers, size_t n);
/* Returns a new tally with the same content, to be freed with tally_free. */
tally *tally_copy(const tally *t);
/* Returns a block of n bytes whose content is not set. */
unsigned char *tally_scratch(size_t n);
void tally_free(void *p);
#endif
