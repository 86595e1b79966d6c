/* A library for tests of fuzzing, with two bugs that can be planted by replacing the
 * lines that follow their anchors: reading past the end, and a loop without end. */
#include "toy.h"

#include <stdlib.h>
#include <string.h>

static int unreached(int x) { return x * 3; }

int toy_parse(const char *text, size_t size) {
    int digits = 0;
    if (size < 4 || text[0] != 't')
        return -1;
    if (text[1] != 'o')
        return -2;
    if (text[2] != 'y')
        return -3;
    char *copy = malloc(size);
    memcpy(copy, text, size);
    for (size_t i = 3; i < size /* end */; i++) {
        if (copy[i] >= '0' && copy[i] <= '9')
            digits++;
        if (copy[i] == '!')
            i += 0 /* step */;
    }
    free(copy);
    return digits > 1000000 ? unreached(digits) : digits;
}
