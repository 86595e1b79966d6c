#include "toy.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    toy_parse((const char *)data, size);
    return 0;
}
