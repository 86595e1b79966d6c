#ifndef ROOM_H
#define ROOM_H

#include <stddef.h>

/* Room for values. */
struct room {
    int *values;
    size_t used, size;
};

int room_init(struct room *r, size_t size);
void room_clear(struct room *r);
int room_put(struct room *r, int value);

#endif
