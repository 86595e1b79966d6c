// An alternation matches what one of its branches matches.
//
// doc/syntax.txt: "x|y	«x» or «y» (prefer «x»)"; re2/re2.h, comment of FullMatch(): true iff
// "text" matches "re" fully.
#undef NDEBUG
#include <assert.h>
#include "re2/re2.h"
int main() {
  assert(RE2::FullMatch("0A", "0[aA]"));
  assert(RE2::FullMatch("0a", "0a|0[aA]"));
  assert(RE2::FullMatch("0A", "0a|0[aA]"));
  return 0;
}
