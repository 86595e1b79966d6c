#include "lisa_prop.h"
static void body(void)
{
    unsigned char bytes[500];
    int64_t a = lisa_int("a", -100000, 100000);
    size_t i, n = lisa_size("n", 500), sum = 0;
    int options[] = {3, 3}, c[2];
    lisa_pairs("c", 2, options, c);
    for (i = 0; i < n; i += lisa_chunk("chunk", n - i)) sum++;
    lisa_bytes("bytes", bytes, n);
    lisa_note("sum", (int64_t)sum);
    PROPERTY("This always holds.", a <= 100000);
    PROPERTY("A sentence of the \"document\".", a > -777 || n < 17 || c[1] == 0);
}
void test_it(void) { lisa_check(body, 500); }
