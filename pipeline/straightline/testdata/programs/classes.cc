#include <cassert>
#include <string>
#include "shape.hh"

static int helper(shape::Box &b) { return b.scale(7); }

int test_classes() {
    // STEP1
    shape::Box a(3);
    shape::Box *b = new shape::Box(std::string("b"), shape::Box::Options());
    shape::Carton c("c");
    // STEP2
    a.scale(2);
    a.scale(2.5);
    b->scale(2.5, 3);
    int n = shape::area(a) + shape::area(shape::area(1, 2), 4);
    assert(shape::Box::Same(a, *b) && a.weight() == 3);
    n += shape::Box::Count(a, 1, 2.0);
    const shape::Box &k = a.self();
    k.self().weight();
    const auto *p = &c;
    p->weight();
    helper(a);
    // STEP3
    shape::Note note = "asked for", notes[2] = {"also", "these"};
    shape::label("converted", &note) + shape::label(shape::Note("written"), notes);
    a = shape::area(5, 6);
    bool same = a == *b;
    auto later = [&] { return a.scale(9); };
    bool (*fp)(const shape::Box &, const shape::Box &) = &shape::Box::Same;
    std::string s = "x";
    s.append("y");
    delete b;
    return n + same + fp(a, c) + (int)s.size() + later();
}
