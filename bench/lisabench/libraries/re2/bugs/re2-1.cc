// A case-insensitive 0xD1 of Latin-1 matches itself and not the byte 0xF1.
//
// re2/re2.h, class comment: "When using UTF-8 encoding, case-insensitive matching will
// perform simple case folding"; section UTF-8 AND THE MATCHING INTERFACE: "The RE2::Latin1
// option causes them to be interpreted as Latin-1."
#undef NDEBUG
#include <assert.h>
#include "re2/re2.h"
int main() {
  RE2 re("(?i)a\xd1", RE2::Latin1);
  assert(re.ok());
  assert(RE2::FullMatch("A\xd1", re));
  assert(!RE2::FullMatch("A\xf1", re));
  return 0;
}
