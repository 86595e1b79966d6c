#ifndef STACK_H
#define STACK_H

#include <stddef.h>

/* What a call came to. */
typedef enum { STACK_OK = 0, STACK_EMPTY = 1, STACK_FULL = 2 } stack_status;

typedef struct stack stack;

/* Makes an empty stack for up to capacity values; NULL without memory or for a capacity of 0. */
stack *stack_new(size_t capacity);

/* Frees a stack; NULL is allowed. */
void stack_free(stack *s);

/* Puts a value on top. A full stack is left as it is. */
stack_status stack_push(stack *s, int value);

/* Takes the top value into *value. */
stack_status stack_pop(stack *s, int *value);

#endif
