#include <cassert>
#include <map>
#include <string>
#include <re2/re2.h>
#include <re2/set.h>
using re2::RE2;
using re2::StringPiece;

void test_consume() {
  StringPiece in("a = 1\nbc = 22\n");
  std::string var; int value, n = 0, sum = 0;
  while (RE2::Consume(&in, "(\\w+) = (\\d+)\n", &var, &value)) n++, sum += value;
  assert(n == 2 && sum == 23 && var == "bc" && in.empty());
  StringPiece text("x1y22z333");
  std::string all;
  while (RE2::FindAndConsume(&text, "(\\d+)", &var)) all += var + ",";
  assert(all == "1,22,333,");
}
