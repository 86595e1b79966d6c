#include <cassert>
#include <map>
#include <string>
#include <re2/re2.h>
#include <re2/set.h>
using re2::RE2;
using re2::StringPiece;

void test_range() {
  std::string lo, hi;
  assert(RE2("(?i)abc").PossibleMatchRange(&lo, &hi, 10) && lo == "ABC" && hi == "abc");
  assert(RE2("abc+").PossibleMatchRange(&lo, &hi, 5) && lo <= "abc" && hi >= "abccc");
  assert(RE2("[\\p{Greek}]+").ok() && RE2::FullMatch("\xce\xb1\xce\xb2", "\\p{Greek}+") && !RE2::FullMatch("ab", "\\p{Greek}+"));
  assert(RE2::PartialMatch("the cat", "\\bcat\\b") && !RE2::PartialMatch("concat", "\\bcat\\b"));
  assert(RE2("a{3}b*").ProgramSize() > 0);
}
