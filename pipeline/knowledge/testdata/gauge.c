#include "include/gauge.h"
#include <stdlib.h>

gauge *gauge_new(int top)
{
    gauge *g = top < 1 ? NULL : calloc(1, sizeof *g);
    if (g)
        g->top = top;
    return g;
}

int gauge_move(gauge *g, int by)
{
    g->moves++;
    g->level += by;
    if (g->level < 0)
        g->level = 0;
    if (g->level > g->top)
        g->level = g->top;
    return g->level;
}

void gauge_free(gauge *g) { free(g); }
