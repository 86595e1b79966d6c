#include <cassert>
#include <map>
#include <string>
#include <re2/re2.h>
#include <re2/set.h>
using re2::RE2;
using re2::StringPiece;

void test_set() {
  RE2::Set s(RE2::DefaultOptions, RE2::UNANCHORED);
  std::string e;
  assert(s.Add("foo\\d+", &e) == 0 && s.Add("bar", &e) == 1 && s.Add("(", &e) == -1);
  assert(s.Compile());
  std::vector<int> v;
  assert(s.Match("bar foo12", &v) && v.size() == 2);
  assert(s.Match("bar", &v) && v.size() == 1 && v[0] == 1);
  assert(!s.Match("nothing", &v) && v.empty());
}
