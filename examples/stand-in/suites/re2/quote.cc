#include <cassert>
#include <map>
#include <string>
#include <re2/re2.h>
#include <re2/set.h>
using re2::RE2;
using re2::StringPiece;

void test_quote() {
  std::string strange;
  for (int c = 0; c < 256; c++) strange += (char)c;
  RE2::Options latin(RE2::Latin1);
  assert(RE2::FullMatch(strange, RE2(RE2::QuoteMeta(strange), latin)));
  assert(RE2::QuoteMeta("1.5-2.0?") == "1\\.5\\-2\\.0\\?");
  assert(RE2::QuoteMeta("abc_09") == "abc_09");
}
