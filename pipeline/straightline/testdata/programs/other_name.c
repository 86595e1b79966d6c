#include "kv.h"
static int test_static(void) { return 1; }
int test_arguments(int n) { return n; }
int only(void) { return kv_len("only") + test_static() + test_arguments(1); }
