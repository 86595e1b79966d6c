// What the branches of a Latin-1 alternation have in common must be found as Latin-1.
//
// re2/re2.h, section UTF-8 AND THE MATCHING INTERFACE: "The RE2::Latin1 option causes them
// to be interpreted as Latin-1."; comment of PartialMatch(): "Like FullMatch(), except that
// "re" is allowed to match a substring of "text"."; comment of GlobalReplace(): it replaces
// "successive non-overlapping occurrences of the pattern" and "Returns the number of
// replacements made."
#undef NDEBUG
#include <assert.h>
#include <string>
#include "re2/re2.h"
int main() {
  RE2 re("\xe9x|\xe9y", RE2::Latin1);
  assert(re.ok());
  assert(RE2::FullMatch("\xe9y", re));
  assert(RE2::PartialMatch("ab\xe9y", re));
  std::string s = "\xe9x-\xe9y";
  assert(RE2::GlobalReplace(&s, re, "") == 2);
  assert(s == "-");
  return 0;
}
