#include <cassert>
#include <map>
#include <string>
#include <re2/re2.h>
#include <re2/set.h>
using re2::RE2;
using re2::StringPiece;

void test_options() {
  RE2::Options o;
  o.set_case_sensitive(false);
  assert(RE2::FullMatch("HeLLo", RE2("hello", o)));
  RE2::Options lit; lit.set_literal(true);
  assert(RE2::FullMatch("a.c", RE2("a.c", lit)) && !RE2::FullMatch("abc", RE2("a.c", lit)));
  RE2::Options nl; nl.set_dot_nl(true);
  assert(RE2::FullMatch("a\nb", RE2("a.b", nl)) && !RE2::FullMatch("a\nb", "a.b"));
  RE2::Options longest; longest.set_longest_match(true);
  StringPiece m;
  assert(RE2("a|ab|abc", longest).Match("abcd", 0, 4, RE2::UNANCHORED, &m, 1) && m == "abc");
  assert(RE2("a|ab|abc").Match("abcd", 0, 4, RE2::UNANCHORED, &m, 1) && m == "a");
  RE2::Options once; once.set_never_capture(true);
  assert(RE2("(a)(b)", once).NumberOfCapturingGroups() == 0);
}
