#include <assert.h>
#include <string.h>

struct pair { int a, b; };

static int sum(struct pair p) { return p.a + p.b; }

int test_sum(void) {
    struct pair p = {1, 2};
    assert(sum(p) == 3 && strlen("abc") == 3);
    return 0;
}
