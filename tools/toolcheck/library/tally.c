#include "tally.h"

#include <stdlib.h>

struct tally {
	long total;
	unsigned count;
};

tally *tally_new(void) { return calloc(1, sizeof(tally)); }

long tally_add(tally *t, long n) {
	if (!t) return 0;
	t->count++;
	return t->total += n;
}

long tally_total(const tally *t) { return t ? t->total : 0; }

unsigned tally_count(const tally *t) { return t ? t->count : 0; }

void tally_free(tally *t) { free(t); }
