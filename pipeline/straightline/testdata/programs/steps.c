#include "kv.h"
// STEP1 outside counts for nothing
int test_inside(void) {
    // STEP1
    kv_len("one");
    {
        // STEP2
        kv_len("two");
    }
    return 0;
}
int test_order(void) {
    // step 1: lower case and a blank
    kv_len("/* // STEP7 */ // STEP8");
    // STEP3
    kv_len("three");
    /* // STEP4
    // STEP5 */
    return 0;
}
int test_none(void) { return kv_len("none"); }
int test_late(void) {
    kv_len("zero");
    // STEP2
    return kv_len("two");
}
