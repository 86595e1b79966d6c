package randoop

// fillPatterns is the number of patterns of fillHelper.
const fillPatterns = 6

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
