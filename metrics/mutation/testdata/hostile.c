// Places that the language wants to be as they are. They must compile, and with no mutant
// selected behave as before.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#define WIDTH 3 + 1
#define STRING(x) #x
#define PASTE(x, y) x##y
#define FREE_IF(p) do { if (p) release(p); } while (0)
#define TWICE(x) ((x) + (x))
#define CHECK(e) ((e) ? 0 : fail(#e))
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define RETURN_IF(c) if (c) return 7

_Static_assert(sizeof(int) > 2 && WIDTH == 4, "never mutated");
enum { FIRST = 1 + 1, SECOND = FIRST << 2 };
struct bits { unsigned a : WIDTH, b : 2 + 1; int list[FIRST * 2]; };
static int table[4 + 4] = {1, 2, [3] = 3 * 2};
static const char *const words[] = {"one" " two", &"three"[1]};
int global = sizeof(struct bits) > 4 ? 1 : 0;

static void *released;
static void release(void *p) { released = p; }
static int fail(const char *text) { return (int)strlen(text); }

int switches(int x) {
	switch (x + 1) {
	case FIRST: return 1;
	case 2 + 2 ... 6: return 2;
	case sizeof(int) * 100: return 3;
	default: break;
	}
	if (x > 5) x = 5; else if (x < -5) x = -5; else x++;
	if (x) ; else return 0;
	do x--; while (x > 0 && x != 3);
	return x;
}

int fields(unsigned v) {
	struct bits b = {.a = v & 1, .list = {[1] = 2}};
	b.a += 1;
	b.b = b.a << 1;
	b.a++;
	static int calls = 10 - 3;
	char local[FIRST + 2] = {0};
	typedef char array[2 + 3];
	return b.b + calls + (int)sizeof local + (int)sizeof(array) + (int)offsetof(struct bits, list[1 + 1]) + table[1];
}

int macros(void *p, int n) {
	int sum = TWICE(n + 1);
	FREE_IF(p);
	sum += CHECK(n > 0);
	EACH(i, n * 2) sum += PASTE(1, 0);
	sum += STRING(a < b)[0];
	RETURN_IF(n == 100);
	sum += (int)__builtin_expect(!!(n < 3), 0) + __builtin_constant_p(n + 1);
	if (n
#if defined(NEVER)
	    && p
#else
	    || p
#endif
	)
		sum++;
	return sum + (released == p) + __LINE__;
}

static jmp_buf env;
int jumps(int n, ...) {
	va_list ap;
	va_start(ap, n);
	int x = va_arg(ap, int);
	va_end(ap);
	if (setjmp(env)) return x + 1;
	if (n > 1) longjmp(env, 1);
	return _Generic(n + 1, int: x, default: 0) + (words[0][0] == 'o');
}

int old_style(a, b) int a; char b; { return a + b; }
unsigned char narrow(unsigned char c) { return c; }
_Bool truth_of(int *p) { return p; }
float of_float(float f) { return f * 2.0f - 1; }
