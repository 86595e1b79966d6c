#define REMARKS_API(type) __attribute__((visibility("default"))) type
#define REMARKS_INNER(x) ((x) + 1)
/* Visits every part. */
#define remarks_each(part, of) for ((part) = (of)->first; (part); (part) = (part)->next)
#define _remarks_hidden(x) (x)
#define REMARKS_SAME(x) x
#if REMARKS_INNER(1) == 2 /* a directive is no declaration */
#endif

/* A whole. */
typedef struct whole {
    struct part *first; /* owned by the whole */
    /* Bytes in all. */
    unsigned long size;
    int plain;
    char name[8]; // NUL-terminated
} whole;

/* What went wrong. */
enum fault {
    NONE, /* nothing did */
    FULL  /* no space */
};

/* Called for each part. */
typedef void (*whole_visit)(whole *w); /* may be NULL */

/* Opens it. */
REMARKS_API(int) whole_open(whole *w); /* not thread safe */

/* These count. */
REMARKS_API(int) whole_parts(const whole *w);
REMARKS_API(int) whole_bytes(const whole *w,
                             int really);
REMARKS_API(int) whole_names(const whole *w);

REMARKS_API(int) whole_alone(const whole *w);
