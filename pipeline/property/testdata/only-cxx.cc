#include "lisa_prop.h"
void test_lambda() {
    int cases = 0, sum = 0;
    lisa_check([&] {
        std::string s = lisa_string("s", 5, "xy"), b = lisa_content("b", 12);
        std::vector<int> c = lisa_pairs("c", {2, 3});
        sum += lisa_one_of("n", {1, 2});
        PROPERTY("sizes", s.size() <= 5 && s.find_first_not_of("xy") == std::string::npos && b.size() == 12 && c.size() == 2 && c[1] < 3);
        cases++;
    }, 20);
    printf("%d %s\n", cases, sum > 20 && sum < 40 ? "both" : "one");
}
void test_throws() {
    lisa_check([] {
        struct guard { ~guard() { puts("released"); } } g;
        ASSUME(lisa_bool("b"));
    }, 2);
}
