/* lisa_prop.h: properties over domains, for C and C++, in one file.
 *
 * A test is a function that calls lisa_check(body, cases). The body draws values by name (lisa_int,
 * lisa_pick, lisa_bytes, ...), calls the library and states what must hold (PROPERTY). It is run once for
 * each case: the least and the greatest values first, then boundaries and random values. All draws
 * come from LISA_SEED, the test's name and the number of the case, so that every run is the same.
 *
 * The draws of a case are a list of numbers of which smaller ones are simpler. A case that fails is run
 * again with numbers left out or made smaller as long as the same property fails; the least one found
 * is printed, with a LISA_CASE that runs it alone, and the test ends like a failed assert().
 *
 * A test ends by count: after its cases, or when LISA_STEPS draws and checks are used up. */
#ifndef LISA_PROP_H
#define LISA_PROP_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#ifdef __cplusplus
#include <initializer_list>
#include <string>
#include <vector>
#else
#include <setjmp.h>
#endif

#ifndef LISA_SEED
#define LISA_SEED 1
#endif
#ifndef LISA_SCALE
#define LISA_SCALE 1 /* times the cases that a test asks for */
#endif
#ifndef LISA_STEPS
#define LISA_STEPS 2000000
#endif
#ifndef LISA_OFF
#define LISA_OFF /* sentences of properties that are not to fail, each with a comma behind it */
#endif

#define LISA_UNUSED __attribute__((unused))
#define LISA_DRAWS 8192 /* of one case */
#ifndef LISA_REPLAYS
#define LISA_REPLAYS 600 /* at most, of a case that fails, to make it smaller: no more than four times the cases of its test */
#endif

/* A site is one PROPERTY or EXCLUDE of the program. */
struct lisa_site {
    int line;
    const char *text, *condition;
    bool exclusion, known, off;
    unsigned long count;
    struct lisa_site *next;
};

enum lisa_end { LISA_PASSED, LISA_FAILED, LISA_DISCARDED, LISA_USED_UP };

static LISA_UNUSED struct lisa_state {
    const char *test; /* NULL outside of lisa_check */
    unsigned long number, cases, wanted, discarded;
    unsigned long long steps;
    uint64_t random;
    uint64_t draws[LISA_DRAWS]; /* of this case */
    size_t drawn, given;        /* given: how many of draws are not to be made anew */
    bool replay, print;
    struct lisa_site *sites, *failed;
    uint64_t kept[LISA_DRAWS]; /* the case that failed */
    size_t kept_drawn;
#ifndef __cplusplus
    jmp_buf out;
#endif
} lisa;

/* ---- how a case ends ---- */

#ifdef __cplusplus
struct lisa_ended { enum lisa_end how; };
#endif

static LISA_UNUSED __attribute__((noreturn)) void lisa_abort(const struct lisa_site *s) {
    fprintf(stderr, "lisa_prop: %s:%d: %s: Assertion `PROPERTY(\"%s\", %s)' failed.\n", __FILE__, s->line, lisa.test ? lisa.test : "?", s->text, s->condition);
    fflush(stderr);
    signal(SIGABRT, SIG_DFL);
    abort();
}

static LISA_UNUSED __attribute__((noreturn)) void lisa_leave(enum lisa_end how) {
#ifdef __cplusplus
    throw lisa_ended{how};
#else
    longjmp(lisa.out, (int)how);
#endif
}

static LISA_UNUSED void lisa_step(void) {
    if (lisa.test && ++lisa.steps > LISA_STEPS) lisa_leave(LISA_USED_UP);
}

/* lisa_same compares texts but for their white space. */
static LISA_UNUSED bool lisa_same(const char *a, const char *b) {
    for (;; a++, b++) {
        while (*a == ' ' || (*a >= '\t' && *a <= '\r')) a++;
        while (*b == ' ' || (*b >= '\t' && *b <= '\r')) b++;
        if (*a != *b) return false;
        if (!*a) return true;
    }
}

/* lisa_line prints a text on one line. */
static LISA_UNUSED void lisa_line(const char *before, const char *text, const char *after) {
    fputs(before, stderr);
    for (; *text; text++) fputc(*text == '\n' || *text == '\r' ? ' ' : *text, stderr);
    fputs(after, stderr);
}

static LISA_UNUSED void lisa_know(struct lisa_site *s) {
    static const char *const off[] = {LISA_OFF NULL};
    s->known = true;
    s->next = lisa.sites;
    lisa.sites = s;
    for (size_t i = 0; off[i]; i++)
        if (lisa_same(off[i], s->text)) s->off = true;
}

static LISA_UNUSED void lisa_hold(struct lisa_site *s, bool holds) {
    lisa_step();
    if (!s->known) lisa_know(s);
    if (!lisa.replay) s->count++;
    if (holds || s->off) return;
    lisa.failed = s;
    if (!lisa.test) {
        fprintf(stderr, "lisa: \"%s\" fails outside of lisa_check\n", s->text);
        lisa_abort(s);
    }
    lisa_leave(LISA_FAILED);
}

static LISA_UNUSED void lisa_discard(struct lisa_site *s) {
    if (s) {
        if (!s->known) lisa_know(s);
        if (!lisa.replay) s->count++;
    }
    if (lisa.test) lisa_leave(LISA_DISCARDED);
}

/* The condition must hold, as the sentence of the document says. */
#define PROPERTY(sentence, ...) \
    do { \
        static struct lisa_site lisa_here = {__LINE__, sentence, #__VA_ARGS__, false, false, false, 0, NULL}; \
        lisa_hold(&lisa_here, !!(__VA_ARGS__)); \
    } while (0)

/* The case is of no interest unless the condition holds. */
#define ASSUME(...) \
    do { \
        if (!(__VA_ARGS__)) lisa_discard(NULL); \
    } while (0)

/* The case is left out where the condition holds, under a name that is counted. */
#define EXCLUDE(name, ...) \
    do { \
        static struct lisa_site lisa_here = {__LINE__, name, #__VA_ARGS__, true, false, false, 0, NULL}; \
        if (__VA_ARGS__) lisa_discard(&lisa_here); \
    } while (0)

/* ---- draws ---- */

static LISA_UNUSED uint64_t lisa_mix(uint64_t z) { /* splitmix64 (Steele, Lea and Flood, 2014) */
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static LISA_UNUSED uint64_t lisa_random(void) { return lisa_mix(lisa.random++); }

/* lisa_below returns a random number from 0 to most. */
static LISA_UNUSED uint64_t lisa_upto(uint64_t most) { return most == UINT64_MAX ? lisa_random() : lisa_random() % (most + 1); }

/* lisa_draw takes the next number of the case: the one given, or fresh; at most most. */
static LISA_UNUSED uint64_t lisa_draw(uint64_t fresh, uint64_t most) {
    uint64_t v = fresh;
    lisa_step();
    if (lisa.replay) v = lisa.drawn < lisa.given ? lisa.draws[lisa.drawn] : 0;
    if (v > most) v = most;
    if (lisa.drawn == LISA_DRAWS) {
        if (lisa.test) lisa_leave(LISA_DISCARDED);
        return v;
    }
    lisa.draws[lisa.drawn++] = v;
    return v;
}

/* lisa_edge returns a number from 0 to most: the ends, powers of two and their neighbours, or any. */
static LISA_UNUSED uint64_t lisa_edge(uint64_t most) {
    uint64_t v;
    if (lisa.number == 0 || most == 0) return 0;
    if (lisa.number == 1) return most;
    switch (lisa_random() % 8) {
    case 0: v = lisa_random() % 4; break;
    case 1: v = most - lisa_random() % 4; break;
    case 2:
    case 3: v = ((uint64_t)1 << lisa_random() % 64) + lisa_random() % 3 - 1; break;
    case 4:
    case 5: v = lisa_random() >> lisa_random() % 64; break;
    default: v = lisa_upto(most);
    }
    return v <= most ? v : lisa_upto(most);
}

static LISA_UNUSED void lisa_print_int(const char *name, int64_t v) {
    if (lisa.print) fprintf(stderr, "lisa:   %s = %lld\n", name, (long long)v);
}

/* Notes are printed with the case that fails. */
static LISA_UNUSED void lisa_note(const char *name, int64_t v) { lisa_print_int(name, v); }
static LISA_UNUSED void lisa_note_text(const char *name, const char *v) {
    if (lisa.print) fprintf(stderr, "lisa:   %s = \"%.200s\"\n", name, v ? v : "(null)");
}

/* lisa_uint returns a number from lo to hi, with boundaries more often than not. */
static LISA_UNUSED uint64_t lisa_uint(const char *name, uint64_t lo, uint64_t hi) {
    uint64_t v = lo + lisa_draw(lisa_edge(hi - lo), hi - lo);
    if (lisa.print) fprintf(stderr, "lisa:   %s = %llu\n", name, (unsigned long long)v);
    return v;
}

/* lisa_int is the same with a sign. Where 0 lies between lo and hi it is the simplest value. */
static LISA_UNUSED int64_t lisa_int(const char *name, int64_t lo, int64_t hi) {
    uint64_t up = (uint64_t)hi, down = (uint64_t)0 - (uint64_t)lo, width = (uint64_t)hi - (uint64_t)lo;
    int64_t v;
    if (lo < 0 && hi > 0) { /* a sign and how far from 0 */
        bool below = lisa_draw(lisa.number == 0 ? 1 : lisa.number == 1 ? 0 : lisa_upto(width) < down, 1);
        uint64_t far_ = lisa_draw(lisa.number == 0 ? down : lisa_edge(below ? down : up), below ? down : up);
        v = (int64_t)(below ? (uint64_t)0 - far_ : far_);
    } else if (hi <= 0) {
        v = (int64_t)((uint64_t)hi - lisa_draw(lisa_edge(width), width));
    } else {
        v = (int64_t)((uint64_t)lo + lisa_draw(lisa_edge(width), width));
    }
    lisa_print_int(name, v);
    return v;
}

/* lisa_size returns a length from 0 to most. */
static LISA_UNUSED size_t lisa_size(const char *name, size_t most) { return (size_t)lisa_uint(name, 0, most); }

/* lisa_chunk returns how much to do next of what is left: from 1 to left, 0 if nothing is. */
static LISA_UNUSED size_t lisa_chunk(const char *name, size_t left) { return left ? (size_t)lisa_uint(name, 1, left) : 0; }

/* lisa_pick returns an index from 0 to n - 1. The cases of a test go through all of them. */
static LISA_UNUSED size_t lisa_pick(const char *name, size_t n) {
    uint64_t first = 0, i;
    const char *c;
    if (n == 0) return 0;
    for (c = name; *c; c++) first = lisa_mix(first + (unsigned char)*c);
    i = lisa_draw(lisa.number < 2 * n ? (lisa.number + first) % n : lisa_upto(n - 1), n - 1);
    if (lisa.print) fprintf(stderr, "lisa:   %s = choice %d\n", name, (int)i);
    return (size_t)i;
}

static LISA_UNUSED bool lisa_bool(const char *name) { return lisa_pick(name, 2) == 1; }

/* LISA_ONE_OF returns an element of an array. */
#define LISA_ONE_OF(name, ...) ((__VA_ARGS__)[lisa_pick(name, sizeof(__VA_ARGS__) / sizeof *(__VA_ARGS__))])

/* lisa_double returns a number from lo to hi: the ends, the middle, 0 and 1, a hair inside, or any. */
static LISA_UNUSED double lisa_double(const char *name, double lo, double hi) {
    const double special[] = {0, 1, lo, hi, lo + (hi - lo) / 2, -1, 0.5, lo + (hi - lo) * 1e-9, hi - (hi - lo) * 1e-9};
    const uint64_t n = sizeof special / sizeof *special, grid = (uint64_t)1 << 24;
    uint64_t i = lisa_draw(lisa.number < 2 ? lisa.number + 2 : lisa_random() % 2 ? lisa_upto(n - 1) : n + lisa_upto(grid), n + grid);
    double v = i < n ? special[i] : lo + (hi - lo) * ((double)(i - n) / (double)grid);
    if (v < lo) v = lo;
    if (v > hi) v = hi;
    if (lisa.print) fprintf(stderr, "lisa:   %s = %.17g\n", name, v);
    return v;
}

/* Kinds of content. */
enum { LISA_ZEROS, LISA_SAME, LISA_RAMP, LISA_WORDS, LISA_SPARSE, LISA_REPEATS, LISA_RUNS, LISA_NOISE, LISA_KINDS };

/* lisa_fill fills n bytes with content of a kind; seed tells contents of one kind apart. */
static LISA_UNUSED void lisa_fill(void *to, size_t n, int kind, uint64_t seed) {
    static const char *const words[] = {"the ", "of ", "and ", "a\n", "in ", "to ", "number ", "x", "42, ", "value ", ". ", "is "};
    unsigned char *p = (unsigned char *)to;
    size_t i = 0;
    while (i < n) {
        uint64_t r = lisa_mix(seed + i);
        size_t k;
        const char *w;
        switch (kind) {
        case LISA_ZEROS: p[i++] = 0; break;
        case LISA_SAME: p[i++] = (unsigned char)(seed + 1); break;
        case LISA_RAMP: p[i] = (unsigned char)(i + seed); i++; break;
        case LISA_WORDS:
            for (w = words[r % 12]; *w && i < n; w++) p[i++] = (unsigned char)*w;
            break;
        case LISA_SPARSE: p[i++] = r % 61 ? 0 : (unsigned char)(r >> 8); break;
        case LISA_REPEATS: /* copies of what stands anywhere before, with new bytes between */
            for (k = r % 7 + 1; k && i < n; k--) p[i] = (unsigned char)(lisa_mix(seed ^ i) >> 8), i++;
            if (i < n) {
                size_t back = (size_t)(r >> 20) % i + 1;
                for (k = 3 + (size_t)(r >> 12) % 300; k && i < n; k--, i++) p[i] = p[i - back];
            }
            break;
        case LISA_RUNS:
            for (k = 1 + r % 300; k && i < n; k--) p[i++] = (unsigned char)(r >> 32);
            break;
        default: p[i++] = (unsigned char)(r >> 24);
        }
    }
}

/* lisa_bytes fills n bytes with content of a drawn kind. */
static LISA_UNUSED void lisa_bytes(const char *name, void *to, size_t n) {
    int kind = (int)lisa_pick(name, LISA_KINDS);
    uint64_t seed = lisa_draw(lisa_upto(1023), 1023);
    if (lisa.print) fprintf(stderr, "lisa:   %s: lisa_fill(%s, %zu, %d, %llu)\n", name, name, n, kind, (unsigned long long)seed);
    lisa_fill(to, n, kind, seed);
}

/* lisa_text writes at most most characters of the alphabet and a NUL, and returns their number. */
static LISA_UNUSED size_t lisa_text(const char *name, char *to, size_t most, const char *alphabet) {
    bool print = lisa.print;
    size_t n, i, letters = strlen(alphabet);
    lisa.print = false;
    n = letters ? lisa_size(name, most) : 0;
    for (i = 0; i < n; i++) to[i] = alphabet[lisa_draw(lisa_upto(letters - 1), letters - 1)];
    to[n] = 0;
    lisa.print = print;
    lisa_note_text(name, to);
    return n;
}

/* lisa_pairs draws one value of each of n parameters, choice[i] from 0 to levels[i] - 1, so that the
 * cases of a test have every pair of values of any two parameters (a greedy covering array, after
 * Cohen et al., 1997). n is at most 16, the sum of levels at most 160. The test runs as many cases as that takes. */
static LISA_UNUSED void lisa_pairs(const char *name, size_t n, const int *levels, int *choice) {
    enum { FACTORS = 16, LEVELS = 160, ROWS = 1024 };
    static unsigned char rows[ROWS][FACTORS], open[LEVELS][LEVELS];
    static int made_levels[FACTORS];
    static size_t made_n, made_rows;
    size_t i, j, row;
    if (n > FACTORS) n = FACTORS;
    if (made_n != n || memcmp(made_levels, levels, n * sizeof *levels)) {
        size_t start[FACTORS + 1] = {0}, left = 0;
        for (i = 0; i < n; i++) start[i + 1] = start[i] + (size_t)levels[i];
        if (start[n] > LEVELS) {
            fprintf(stderr, "lisa: lisa_pairs(\"%s\"): too many values\n", name);
            abort();
        }
        memset(open, 0, sizeof open);
        for (i = 0; i < n; i++)
            for (j = i + 1; j < n; j++)
                for (size_t a = start[i]; a < start[i + 1]; a++)
                    for (size_t b = start[j]; b < start[j + 1]; b++) open[a][b] = 1, left++;
        for (made_rows = 0; made_rows < ROWS && (left > 0 || made_rows == 0); made_rows++) {
            unsigned char *r = rows[made_rows];
            for (i = 0; i < n; i++) {
                size_t best = 0, gain, most = 0;
                for (size_t v = 0; v < (size_t)levels[i]; v++) {
                    size_t a = start[i] + (v + made_rows) % (size_t)levels[i];
                    gain = 0;
                    for (j = 0; j < i; j++) gain += 1000 * (size_t)open[start[j] + r[j]][a];
                    for (size_t b = start[i + 1]; b < start[n]; b++) gain += open[a][b];
                    if (v == 0 || gain > most) most = gain, best = a - start[i];
                }
                r[i] = (unsigned char)best;
            }
            for (i = 0; i < n; i++)
                for (j = i + 1; j < n; j++) {
                    unsigned char *o = &open[start[i] + r[i]][start[j] + r[j]];
                    left -= *o;
                    *o = 0;
                }
        }
        made_n = n;
        memcpy(made_levels, levels, n * sizeof *levels);
    }
    if (lisa.wanted < made_rows) lisa.wanted = made_rows;
    row = lisa.number % made_rows;
    for (i = 0; i < n; i++) {
        choice[i] = (int)lisa_draw(rows[row][i], (uint64_t)levels[i] - 1);
        if (lisa.print) fprintf(stderr, "lisa:   %s[%zu] = choice %d\n", name, i, choice[i]);
    }
}

/* ---- running a test ---- */

typedef void (*lisa_body)(void *);

static LISA_UNUSED enum lisa_end lisa_case(lisa_body body, void *arg) {
    lisa.drawn = 0;
#ifdef __cplusplus
    try {
        body(arg);
    } catch (const lisa_ended &e) {
        return e.how;
    }
    return LISA_PASSED;
#else
    {
        int how = setjmp(lisa.out);
        if (how) return (enum lisa_end)how;
    }
    body(arg);
    return LISA_PASSED;
#endif
}

/* lisa_again reports whether the same property fails with the first n of draws, and keeps them then. Three seconds of
 * processor time end a case in which the library hangs; how often cases are run does not depend on the time. */
static LISA_UNUSED bool lisa_again(lisa_body body, void *arg, const struct lisa_site *failed, size_t n) {
    const struct itimerval limit = {{0, 0}, {3, 0}};
    setitimer(ITIMER_PROF, &limit, NULL);
    lisa.given = n;
    lisa.steps = 0;
    if (lisa_case(body, arg) != LISA_FAILED || lisa.failed != failed) return false;
    lisa.kept_drawn = lisa.drawn;
    memcpy(lisa.kept, lisa.draws, lisa.drawn * sizeof *lisa.draws);
    return true;
}

static LISA_UNUSED const struct lisa_site *lisa_shrinking;

/* What goes wrong while a case is made smaller does not hide how it failed. */
static LISA_UNUSED void lisa_signal(int s) {
    static const char text[] = "lisa: making the case smaller was ended by a signal\n";
    (void)s;
    (void)!write(2, text, sizeof text - 1);
    lisa_abort(lisa_shrinking);
}

static LISA_UNUSED void lisa_shrink(lisa_body body, void *arg, struct lisa_site *failed) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF};
    const unsigned long most = lisa.wanted < LISA_REPLAYS / 4 ? 4 * lisa.wanted : LISA_REPLAYS;
    unsigned long replays = 0;
    size_t i, k;
    bool better = true;
    lisa_shrinking = failed;
    for (i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], lisa_signal);
    lisa.replay = true;
    while (better && replays < most) {
        better = false;
        for (k = 8; k > 0; k /= 2) /* leave numbers out */
            for (i = lisa.kept_drawn; i-- > 0 && replays < most;) {
                if (i + k > lisa.kept_drawn) continue;
                memcpy(lisa.draws, lisa.kept, i * sizeof *lisa.kept);
                memcpy(lisa.draws + i, lisa.kept + i + k, (lisa.kept_drawn - i - k) * sizeof *lisa.kept);
                replays++;
                size_t before = lisa.kept_drawn;
                if (lisa_again(body, arg, failed, before - k) && lisa.kept_drawn < before) better = true;
            }
        for (i = 0; i < lisa.kept_drawn; i++) { /* make them smaller */
            uint64_t low = 0;
            while (i < lisa.kept_drawn && low < lisa.kept[i] && replays < most) {
                uint64_t try_ = low + (lisa.kept[i] - low) / 2, was = lisa.kept[i];
                if (low == 0) try_ = 0;
                memcpy(lisa.draws, lisa.kept, lisa.kept_drawn * sizeof *lisa.kept);
                lisa.draws[i] = try_;
                replays++;
                if (lisa_again(body, arg, failed, lisa.kept_drawn)) better = true;
                if (i >= lisa.kept_drawn || lisa.kept[i] == was || lisa.kept[i] > try_) low = try_ + 1;
            }
        }
    }
    fprintf(stderr, "lisa: with the fewest and smallest draws found in %lu runs:\n", replays);
    memcpy(lisa.draws, lisa.kept, lisa.kept_drawn * sizeof *lisa.kept);
    lisa.print = true;
    lisa.given = lisa.kept_drawn;
    lisa.steps = 0;
    (void)lisa_case(body, arg);
    lisa.print = false;
    fprintf(stderr, "lisa: #define LISA_CASE ");
    for (i = 0; i < lisa.kept_drawn; i++) fprintf(stderr, "%llu,", (unsigned long long)lisa.kept[i]);
    fprintf(stderr, "\n");
}

/* lisa_report tells what the test checked, and starts the counts anew. */
static LISA_UNUSED void lisa_report(const char *how) {
    struct lisa_site *s;
    fprintf(stderr, "lisa: test %s %s cases=%lu discarded=%lu\n", lisa.test, how, lisa.number, lisa.discarded);
    for (s = lisa.sites; s; s = s->next) {
        if (s->count) {
            fprintf(stderr, "lisa: %s %d %lu ", s->exclusion ? "exclusion" : "property", s->line, s->count);
            lisa_line("", s->text, "\n");
        }
        s->count = 0;
    }
}

static LISA_UNUSED void lisa_run(const char *test, lisa_body body, void *arg, unsigned long cases) {
    enum lisa_end end = LISA_PASSED;
    uint64_t seed = LISA_SEED;
    const char *c;
    for (c = test; *c; c++) seed = lisa_mix(seed ^ (unsigned char)*c);
    lisa.test = test;
    lisa.steps = lisa.discarded = 0;
    lisa.wanted = cases * LISA_SCALE;
    lisa.replay = false;
#ifdef LISA_CASE
    {
        static const uint64_t given[] = {LISA_CASE 0};
        lisa.given = sizeof given / sizeof *given - 1;
        memcpy(lisa.draws, given, lisa.given * sizeof *given);
        lisa.replay = true;
        lisa.wanted = 1;
    }
#endif
    for (lisa.number = 0; lisa.number < lisa.wanted && end != LISA_USED_UP; lisa.number++) {
        lisa.random = lisa_mix(seed ^ lisa_mix(lisa.number));
#ifdef LISA_TRACE /* for a case that crashes: it is the last one that is told of */
        fprintf(stderr, "lisa: case %lu\n", lisa.number);
        lisa.print = true;
#endif
        end = lisa_case(body, arg);
        if (end == LISA_DISCARDED) lisa.discarded++;
        if (end == LISA_FAILED) {
            struct lisa_site *failed = lisa.failed;
            lisa_report("fails");
            fprintf(stderr, "lisa: case %lu, line %d: ", lisa.number, failed->line);
            lisa_line("\"", failed->text, "\"\n");
            fprintf(stderr, "lisa: does not hold: %s\n", failed->condition);
            lisa.kept_drawn = lisa.drawn;
            memcpy(lisa.kept, lisa.draws, lisa.drawn * sizeof *lisa.draws);
            lisa_shrink(body, arg, failed);
            lisa_abort(failed);
        }
    }
    lisa_report(end == LISA_USED_UP ? "used up its steps" : "passes");
    lisa.test = NULL;
}

#ifdef __cplusplus
template <class F> void lisa_check_in(const char *test, F body, unsigned long cases) {
    lisa_run(test, [](void *f) { (*(F *)f)(); }, &body, cases);
}

inline void lisa_note(const char *name, const std::string &v) { lisa_note_text(name, v.c_str()); }

/* lisa_string returns up to most characters of the alphabet. */
inline std::string lisa_string(const char *name, size_t most, const std::string &alphabet) {
    std::vector<char> to(most + 1);
    return std::string(to.data(), lisa_text(name, to.data(), most, alphabet.c_str()));
}

/* lisa_content returns n bytes of a drawn kind. */
inline std::string lisa_content(const char *name, size_t n) {
    std::string to(n, 0);
    lisa_bytes(name, &to[0], n);
    return to;
}

/* lisa_one_of returns one of the values. */
template <class T> T lisa_one_of(const char *name, std::initializer_list<T> values) { return *(values.begin() + lisa_pick(name, values.size())); }

/* lisa_pairs returns its choices. */
inline std::vector<int> lisa_pairs(const char *name, std::initializer_list<int> levels) {
    std::vector<int> choice(levels.size());
    lisa_pairs(name, levels.size(), levels.begin(), choice.data());
    return choice;
}
#else
static LISA_UNUSED void lisa_call(void *body) { (*(void (**)(void))body)(); }
static LISA_UNUSED void lisa_check_in(const char *test, void (*body)(void), unsigned long cases) { lisa_run(test, lisa_call, (void *)&body, cases); }
#endif

/* lisa_check(body, cases) runs a body for at least as many cases; in C++ any callable. */
#define lisa_check(...) lisa_check_in(__func__, __VA_ARGS__)

#endif
