#ifndef GAUGE_H
#define GAUGE_H
/* A gauge goes up and down within its range. */
typedef struct gauge {
    int level;
    int top; /* greatest level */
    int moves;
} gauge;

/* Makes a gauge at level 0, or returns NULL
 * if top is below 1. */
gauge *gauge_new(int top);
/* Adds by to the level, and returns the new one. The level
 * never leaves 0 to top. */
int gauge_move(gauge *g, int by);
#define gauge_up(g) gauge_move((g), 1)
/* Frees g. */
void gauge_free(gauge *g);
#endif
