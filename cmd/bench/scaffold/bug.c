/* DOCUMENT, FUNCTION: "the sentence that promises what is asserted here". */
#include <assert.h>
#include "HEADER"

int main(void)
{
    assert(1 + 1 == 2); /* passes without the bug, and fails with it */
    return 0;
}
