#include <string>

template <typename T> T least(T a, T b) { return a < b ? a : b; }

struct Base { virtual ~Base() {} int n = 1; };
struct Derived : Base { int get() const { return n; } };

int test_least() {
    Derived d;
    std::string s("text");
    auto f = [&](int x) { return d.get() + x; };
    for (char c : s)
        if (c == 'x') return f(least(1, 2));
    return 0;
}
