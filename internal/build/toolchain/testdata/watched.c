// What TestWatchesOfMutants watches: as many kinds of code as fit. work is what a test calls, with one number.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	int key, weight;
	struct item *next;
};

static const int steps[] = {1, 3, 4, 7, 11, 18};
static int calls;

static struct item *push(struct item *list, int key, int weight) {
	struct item *it = malloc(sizeof *it);
	if (!it)
		return list;
	it->key = key;
	it->weight = weight > 9 ? 9 : weight;
	it->next = list;
	return it;
}

static int sum(const struct item *list, int least, int most) {
	int total = 0;
	for (const struct item *it = list; it; it = it->next) {
		calls++;
		if (it->key < least || it->key > most || (it->weight == 0 && it->key != 3))
			continue;
		total += it->key * 2 + it->weight;
	}
	return total;
}

static int depth(int n) { return n <= 1 ? 0 : 1 + depth(n & 1 ? 3 * n + 1 : n / 2); }

static const char *kind(int n) {
	switch (n % 5) {
	case 0:
		return n == 0 ? "none" : "five";
	case 1:
	case 4:
		return "edge";
	case 2:
		if (n > 20 && n != 32)
			return "large";
		break;
	}
	return "other";
}

static double mean(const double *values, unsigned n) {
	double s = 0;
	if (n == 0)
		return -1;
	for (unsigned i = 0; i < n; i++)
		s += values[i];
	return s / n;
}

static unsigned hash(const char *text, unsigned seed) {
	unsigned h = seed ? seed : 5381u;
	while (*text)
		h = (h << 5) + h + (unsigned char)*text++;
	return h ^ (h >> 7);
}

int work(int n) {
	struct item *list = NULL;
	double values[6];
	for (int i = 0; i < 6; i++) {
		if (steps[i] <= n && n - steps[i] != 2)
			list = push(list, steps[i], n % (i + 2));
		values[i] = steps[i] * 0.5 + (n > 4);
	}
	int ok = n >= 0 && n < 100;
	int s = ok ? sum(list, n / 4, n) : -7;
	printf("%d %d %s %.3f %u\n", s, depth(n > 0 ? n : 1), kind(n < 0 ? -n : n), mean(values, n < 6 && n > 0 ? n : 6u), hash(kind(n < 0 ? 2 : n), n & 3));
	while (list) {
		struct item *next = list->next;
		free(list);
		list = next;
	}
	if (calls > 12 || (n == 8 && s > 30))
		puts("many");
	return s;
}
