// Not a harness that fuzzes anything.
#include <stddef.h>
#include "../cJSON.h"
  #include "../../re2/re2.h" // by its place
#include "own.h"
#include <cJSON.h>
