#include <cassert>
#include <map>
#include <string>
#include <re2/re2.h>
#include <re2/set.h>
using re2::RE2;
using re2::StringPiece;

void test_replace() {
  std::string s = "yabba dabba doo";
  assert(RE2::Replace(&s, "b+", "d") && s == "yada dabba doo");
  s = "yabba dabba doo";
  assert(RE2::GlobalReplace(&s, "b+", "d") == 2 && s == "yada dada doo");
  s = "abc";
  assert(RE2::GlobalReplace(&s, "", "-") == 4 && s == "-a-b-c-");
  assert(RE2::GlobalReplace(&s, "z", "y") == 0);
  assert(RE2::Extract("boris@kremvax.ru", "(.*)@([^.]*)", "\\2!\\1", &s) && s == "kremvax!boris");
  std::string e;
  assert(RE2("(a)(b)").CheckRewriteString("\\2\\1\\0", &e));
  assert(!RE2("(a)(b)").CheckRewriteString("\\3", &e) && !e.empty());
  assert(RE2::MaxSubmatch("\\1 \\7 \\2") == 7);
}
