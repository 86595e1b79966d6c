#ifndef TOY_H
#define TOY_H
#include <stddef.h>

/* Counts the digits of a text that starts with "toy". */
int toy_parse(const char *text, size_t size);

#endif
