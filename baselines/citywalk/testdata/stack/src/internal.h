#ifndef INTERNAL_H
#define INTERNAL_H

#include "room.h"

struct stack {
    struct room room;
};

#endif
