#include <cassert>
#include <map>
#include <string>
#include <re2/re2.h>
#include <re2/set.h>
using re2::RE2;
using re2::StringPiece;

void test_errors() {
  RE2::Options quiet; quiet.set_log_errors(false);
  struct { const char *p; RE2::ErrorCode code; } bad[] = {
    {"a(b", RE2::ErrorMissingParen}, {"a[b", RE2::ErrorMissingBracket}, {"*a", RE2::ErrorRepeatArgument}, {"a\\", RE2::ErrorTrailingBackslash},
    {"[z-a]", RE2::ErrorBadCharRange}, {"\\q", RE2::ErrorBadEscape}, {"a{2,1}", RE2::ErrorRepeatSize}, {"(?P<n", RE2::ErrorBadNamedCapture}};
  for (auto &b : bad) {
    RE2 re(b.p, quiet);
    assert(!re.ok() && re.error_code() == b.code && !re.error().empty());
  }
  assert(RE2("a+").ok() && RE2("a+").error_code() == RE2::NoError && RE2("a+").pattern() == "a+");
}
