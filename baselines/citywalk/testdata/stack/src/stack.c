#include <stdlib.h>

#include "internal.h"
#include "stack.h"

stack *stack_new(size_t capacity)
{
    stack *s;
    if (capacity == 0)
        return NULL;
    s = malloc(sizeof *s);
    if (s != NULL && !room_init(&s->room, capacity)) {
        free(s);
        return NULL;
    }
    return s;
}

void stack_free(stack *s)
{
    if (s == NULL)
        return;
    room_clear(&s->room);
    free(s);
}

stack_status stack_push(stack *s, int value)
{
    return room_put(&s->room, value) ? STACK_OK : STACK_FULL;
}

stack_status stack_pop(stack *s, int *value)
{
    if (s->room.used == 0)
        return STACK_EMPTY;
    *value = s->room.values[--s->room.used];
    return STACK_OK;
}
