#include <chrono>
#include <cstdlib>
#include <functional>
#include <future>
#include <random>
#include <thread>
#include <vector>
#include "shape.hh"

using namespace shape;
static const Box global(1);
template <typename T> T loop(T n) { while (n) --n; return n; }

int test_classes_banned() {
    std::vector<int> v{1, 2};
    for (int x : v) area(x, x);
    std::thread t([] { for (;;) area(1, 1); });
    auto f = std::bind([](int n) { return n; }, 1);
    auto g = std::async([] { return 1; });
    std::random_device seed;
    auto now = std::chrono::steady_clock::now();
    std::exit(1);
    try { area(2, 2); } catch (...) { throw; }
    struct Local { int deep() { return area(3, 3) ? deep() : 0; } } local;
    loop(3);
    loop(4L);
    t.join();
    return v.empty() ? area(4, 4) : f() + g.get() + local.deep() + (int)seed() + (int)now.time_since_epoch().count();
}
