#include <cassert>
#include <map>
#include <string>
#include <re2/re2.h>
#include <re2/set.h>
using re2::RE2;
using re2::StringPiece;

void test_groups() {
  RE2 re("(?P<year>\\d{4})-(?P<month>\\d\\d)(x)?");
  assert(re.ok() && re.NumberOfCapturingGroups() == 3);
  assert(re.NamedCapturingGroups().at("month") == 2 && re.CapturingGroupNames().at(1) == "year");
  StringPiece m[4];
  assert(re.Match("on 2023-04!", 0, 11, RE2::UNANCHORED, m, 4));
  assert(m[0] == "2023-04" && m[1] == "2023" && m[2] == "04" && m[3].data() == nullptr);
  assert(!re.Match("on 2023-04!", 0, 11, RE2::ANCHOR_START, m, 4));
  assert(re.Match("on 2023-04!", 3, 10, RE2::ANCHOR_BOTH, m, 4));
}
