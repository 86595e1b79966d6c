package randoop

// fillPatterns is the number of patterns of fillHelper.
const fillPatterns = 6

// includes is the same for every program, so that it is precompiled once.
const includes = `#undef NDEBUG
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
`

// checksumHelper is FNV-1a with 64 bits.
const checksumHelper = `static unsigned long long checksum(const void *data, size_t n) {
    const unsigned char *p = data;
    unsigned long long h = 14695981039346656037ull;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 1099511628211ull;
    return h;
}

`

// fillHelper computes contents that are too long to spell out.
const fillHelper = `static void fill(unsigned char *p, size_t n, int pattern, unsigned seed) {
    static const char text[] = "the quick brown fox jumps over the lazy dog; ";
    unsigned x = seed * 2654435761u + 1;
    for (size_t i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        switch (pattern) {
        case 0: p[i] = (unsigned char)seed; break;
        case 1: p[i] = (unsigned char)(i + seed); break;
        case 2: p[i] = (unsigned char)(x >> 24); break;
        case 3: p[i] = (unsigned char)text[(i + (i / 97) * (seed % 7)) % (sizeof text - 1)]; break;
        case 4: p[i] = (x >> 27) == 0 ? (unsigned char)(x >> 16) : (unsigned char)seed; break;
        default: p[i] = i < 300 ? (unsigned char)(x >> 24) : p[i - 258 - seed % 40]; break;
        }
    }
}

`

// fileHelper writes a file into the work directory.
const fileHelper = `static void put_file(const char *path, const void *data, size_t n) {
    FILE *f = fopen(path, "wb");
    assert(f != NULL && fwrite(data, 1, n, f) == n && fclose(f) == 0);
}

`

// printers print observations as lines "@NUMBER VALUE". "#STEP" before each call and
// "?NUMBER" before a read that may itself crash say how far a run came.
const printers = checksumHelper + `static void mark(int step) { printf("\n#%d\n", step); fflush(stdout); }
static void obs_int(int k, long long v) { printf("@%d %lld\n", k, v); }
static void obs_uint(int k, unsigned long long v) { printf("@%d %llu\n", k, v); }
static void obs_double(int k, double v) { printf("@%d %a\n", k, v); }
static void obs_long_double(int k, long double v) { printf("@%d %La\n", k, v); }
static void obs_content(int k, const void *data, size_t size, size_t length) {
    const unsigned char *p = data;
    printf("@%d %zu %llx ", k, length, checksum(data, size));
    for (size_t i = 0; i < length && i < 600; i++)
        printf("%02x", p[i]);
    putchar('\n');
}
static void obs_string(int k, const char *s) {
    printf("?%d\n", k);
    fflush(stdout);
    size_t n = strlen(s);
    obs_content(k, s, n, n);
}
static void obs_bytes(int k, const void *data, size_t size) {
    const unsigned char *p = data;
    size_t n = size;
    while (n > 0 && p[n - 1] == 0)
        n--;
    obs_content(k, data, size, n);
}
static void obs_offset(int k, const void *at, const void *base, size_t size) {
    const char *p = at, *b = base;
    if (p >= b && p <= b + size)
        printf("@%d %lld\n", k, (long long)(p - b));
}

`
