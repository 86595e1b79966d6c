#define REMARKS_API(type) __attribute__((visibility("default"))) type

/* A whole. */
typedef struct whole {
    struct part *first; /* owned by the whole */
    /* Bytes in all. */
    unsigned long size;
    int plain;
    char name[8]; // NUL-terminated
} whole;

/* Opens it. */
REMARKS_API(int) whole_open(whole *w); /* not thread safe */

/* These count. */
REMARKS_API(int) whole_parts(const whole *w);
REMARKS_API(int) whole_bytes(const whole *w,
                             int really);
REMARKS_API(int) whole_names(const whole *w);

REMARKS_API(int) whole_alone(const whole *w);
