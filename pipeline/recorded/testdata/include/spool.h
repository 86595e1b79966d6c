#ifndef SPOOL_H
#define SPOOL_H
#include <stddef.h>
struct spool_stats { double weight; int turns; };

/* A spool holds letters in order, and winds them off into a buffer. */
typedef struct spool {
    int length;
    char label[8];
    const char *name;          /* "" until it is named */
    unsigned char *next_out;   /* where spool_wind writes next */
    unsigned int avail_out;
    struct spool_stats stats;
} spool;

typedef enum spool_order { SPOOL_UP, SPOOL_DOWN } spool_order;

spool *spool_new(const char *name);
/* Adds n letters; the order is that of the letters so far. Stores their sum in *sum if that is not NULL. */
int spool_add(spool *s, const char *letters, size_t n, long *sum);
#define spool_add1(s, c) spool_add((s), (char[]){(c)}, 1, NULL)
spool_order spool_ordering(const spool *s);
/* Winds letters off to next_out. */
int spool_wind(spool *s);
/* Writes the letters in reverse; *len is the room at dest, and then the bytes used. */
int spool_reverse(spool *s, unsigned char *dest, size_t *len);
/* Writes at most n bytes of text with its NUL. */
int spool_text(const spool *s, char *text, int n);
/* Changes with every run. */
unsigned long spool_ticket(const spool *s);
/* Returns the letters, which no NUL ends. */
char *spool_letters(spool *s);
void spool_free(spool *s);
#endif
