#include <stddef.h>

struct node { struct node *next; int value; };
static int logged;
void log_it(int n) { logged = n; }

int relational(int a, int b, const char *p) {
	if (a < b) return 1;
	if (a == b && p == NULL) return 2;
	while (a >= b)
		a--;
	return a != b;
}

unsigned arithmetic(unsigned a, unsigned b, const char **p) {
	a += b * 3u;
	a <<= 2;
	*p = *p + a;
	return (a % b) ^ (a | b & 0xff);
}

double unary(double x, int n) {
	double y = -x;
	n = ~n;
	return n || !y ? y + 1.5 : (double)'a';
}

struct node *conditions(struct node *n, int (*f)(int)) {
	for (; n; n = n->next)
		if (f(n->value)) /* the one
		                    that is looked for */
			break;
		else
			log_it(n->value);
	if (!n)
		goto none;
	return n;
none:
	return NULL;
}

int multi(int a,
          int b) {
	return a // first
	       + b;
}
