#include "lisa_prop.h"
static const int numbers_of[] = {3, 5};
static void numbers(void)
{
    printf("int %lld\n", (long long)lisa_int("int", -5, 1000));
    printf("below %lld\n", (long long)lisa_int("below", -9, -3));
    printf("wide %lld\n", (long long)lisa_int("wide", INT64_MIN, INT64_MAX));
    printf("uint %llu\n", (unsigned long long)lisa_uint("uint", 10, UINT64_MAX));
    printf("size %zu\n", lisa_size("size", 70000));
    printf("double %g\n", lisa_double("double", -2, 8));
    printf("pick %zu\n", lisa_pick("pick", 7));
    printf("of %d\n", LISA_ONE_OF("of", numbers_of));
    printf("chunk %zu\n", lisa_chunk("chunk", 3));
}
void test_numbers(void) { lisa_check(numbers, 400); }
static void pairs(void)
{
    int levels[] = {3, 2, 4, 5, 2}, c[5];
    lisa_pairs("pairs", 5, levels, c);
    printf("pairs %d %d %d %d %d\n", c[0], c[1], c[2], c[3], c[4]);
}
void test_pairs(void) { lisa_check(pairs, 1); }
static void contents(void)
{
    unsigned char bytes[300];
    char text[9];
    size_t i, n = lisa_size("n", 300);
    lisa_bytes("bytes", bytes, n);
    for (i = 1; i < n && bytes[i] == bytes[0]; i++) {}
    if (n > 1) printf("bytes %s\n", i == n ? "same" : "mixed");
    printf("text %zu %zu\n", lisa_text("text", text, 8, "ab"), strspn(text, "ab"));
}
void test_contents(void) { lisa_check(contents, 100); }
static void left_out(void)
{
    size_t n = lisa_size("n", 90);
    ASSUME(n % 2 == 0);
    EXCLUDE("a third", n % 3 == 0);
    PROPERTY("even and no third", n % 6 == 2 || n % 6 == 4);
}
void test_left_out(void) { lisa_check(left_out, 200); }
static void endless(void) { for (;;) PROPERTY("it goes on", 1); }
void test_endless(void) { lisa_check(endless, 10); }
