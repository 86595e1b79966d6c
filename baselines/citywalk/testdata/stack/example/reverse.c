#include <stack.h>
#include <stdio.h>

static void reverse(const int *values, size_t n)
{
    int v;
    stack *s = stack_new(n + (n == 0));
    for (size_t i = 0; i < n; i++)
        stack_push(s, values[i]);
    while (stack_pop(s, &v) == STACK_OK)
        printf("%d\n", v);
    stack_free(s);
}

int main(void)
{
    int values[] = {1, 2, 3};
    reverse(values, 3);
    return 0;
}
