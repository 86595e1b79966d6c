#include "kv.h"
int test_broken(void) { return kv_len(undeclared); }
