#ifndef COUNTER_H
#define COUNTER_H
/* A counter that never goes below zero. */
typedef struct counter counter;

/* What counter_add does above the limit. */
enum counter_mode { COUNTER_CLAMP, COUNTER_WRAP };

#define COUNTER_MAX 1000

/* Makes a counter at start, or returns NULL if start is below zero. */
counter *counter_new(int start);
/* Adds n, which may be negative; the mode says what happens at COUNTER_MAX. */
int counter_add_(counter *c, int n, enum counter_mode mode);
#define counter_add(c, n) counter_add_((c), (n), COUNTER_CLAMP)
/* Returns the value. */
int counter_value(const counter *c);
/* Sets it back to zero. */
void counter_reset(counter *c);
/* Frees it. */
void counter_free(counter *c);
/* Writes the value into text, of size bytes. */
int counter_print(const counter *c, char *text, int size);
/* For debuggers. */
void counter_dump(const counter *c);
#endif
