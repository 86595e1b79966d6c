#include <stdlib.h>

#include "room.h"

int room_init(struct room *r, size_t size)
{
    r->values = calloc(size, sizeof *r->values);
    r->used = 0;
    r->size = size;
    return r->values != NULL;
}

void room_clear(struct room *r)
{
    free(r->values);
}

/* Puts a value at the end, unless there is no place for it. */
int room_put(struct room *r, int value)
{
    if (r->used == r->size)
        return 0;
    r->values[r->used++] = value;
    return 1;
}
