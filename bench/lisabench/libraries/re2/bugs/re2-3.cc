// Look-behind is an operator of Perl that RE2 does not have, as look-ahead is; it is no
// group with a name.
//
// doc/syntax.txt: "(?<=re)	after text matching «re» NOT SUPPORTED", among the empty strings
// and not the groupings; re2/re2.h, enum ErrorCode: "ErrorBadPerlOp, // bad perl operator"
// and "ErrorBadNamedCapture, // bad named capture group".
#undef NDEBUG
#include <assert.h>
#include "re2/re2.h"
int main() {
  RE2 ahead("(?=foo)bar", RE2::Quiet), behind("(?<=foo)bar", RE2::Quiet);
  assert(!ahead.ok());
  assert(ahead.error_code() == RE2::ErrorBadPerlOp);
  assert(!behind.ok());
  assert(behind.error_code() == RE2::ErrorBadPerlOp);
  return 0;
}
