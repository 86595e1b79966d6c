/* tally counts things. It is the library that `bench tool check` tries tools on. */
#ifndef TALLY_H
#define TALLY_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tally tally;

/* tally_new returns an empty tally, or NULL if there is no memory. The caller frees it. */
tally *tally_new(void);

/* tally_add adds n, which may be negative, and returns the new total. It returns 0 for NULL. */
long tally_add(tally *t, long n);

/* tally_total returns the sum of all that was added; 0 for NULL. */
long tally_total(const tally *t);

/* tally_count returns how often something was added; 0 for NULL. */
unsigned tally_count(const tally *t);

/* tally_free frees a tally; NULL is allowed. */
void tally_free(tally *t);

#ifdef __cplusplus
}
#endif

#endif
