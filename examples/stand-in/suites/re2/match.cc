// Tests of re2 that say what its headers say, for examples/stand-in.
#include <cassert>
#include <map>
#include <string>
#include <re2/re2.h>
#include <re2/set.h>
using re2::RE2;
using re2::StringPiece;

void test_full_and_partial() {
  assert(RE2::FullMatch("hello", "h.*o"));
  assert(!RE2::FullMatch("hello", "e"));
  assert(RE2::PartialMatch("hello", "e"));
  int i = 0; std::string s;
  assert(RE2::FullMatch("ruby:1234", "(\\w+):(\\d+)", &s, &i));
  assert(s == "ruby" && i == 1234);
  assert(!RE2::FullMatch("ruby:123456789123", "(\\w+):(\\d+)", &s, &i));
  assert(RE2::FullMatch("ruby:1234", "(\\w+):(\\d+)", (void*)nullptr, &i));
}
