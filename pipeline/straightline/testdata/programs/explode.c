#include "kv.h"
static int a0(void) { return kv_len("deep"); }
#define DOUBLE(f, g) static int f(void) { return g() + g(); }
DOUBLE(a1, a0) DOUBLE(a2, a1) DOUBLE(a3, a2) DOUBLE(a4, a3) DOUBLE(a5, a4) DOUBLE(a6, a5) DOUBLE(a7, a6)
DOUBLE(a8, a7) DOUBLE(a9, a8) DOUBLE(b1, a9) DOUBLE(b2, b1) DOUBLE(b3, b2) DOUBLE(b4, b3) DOUBLE(b5, b4)
int test_explode(void) { return b5(); }
