#include <cassert>
#include <map>
#include <string>
#include <re2/re2.h>
#include <re2/set.h>
using re2::RE2;
using re2::StringPiece;

void test_numbers() {
  int a, b, c, d; long long l; float f; double x; unsigned u; char ch;
  assert(RE2::FullMatch("100 40 0100 0x40", "(.*) (.*) (.*) (.*)", RE2::Octal(&a), RE2::Hex(&b), RE2::CRadix(&c), RE2::CRadix(&d)));
  assert(a == 64 && b == 64 && c == 64 && d == 64);
  assert(RE2::FullMatch("-9223372036854775808", "(-?\\d+)", &l) && l == (-9223372036854775807LL - 1));
  assert(!RE2::FullMatch("9223372036854775808", "(\\d+)", &l));
  assert(!RE2::FullMatch("-1", "(.*)", &u));
  assert(RE2::FullMatch("2.5", "(.*)", &f) && f == 2.5f);
  assert(RE2::FullMatch("-1e3", "(.*)", &x) && x == -1000.0);
  assert(RE2::FullMatch("q", "(.)", &ch) && ch == 'q');
}
