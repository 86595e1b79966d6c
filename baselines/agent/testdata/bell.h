#ifndef BELL_H
#define BELL_H

/* Rings the bell; returns how often it has rung. */
int bell_ring(int times);

/* Forgets how often it has rung. */
void bell_reset(void);

#endif
