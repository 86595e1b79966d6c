#include "text/trim.h"

#include "ends.h"

namespace text {

Trimmer::Trimmer() : set_(" \t\n") {}

Trimmer::Trimmer(const std::string& set) : set_(set) {}

std::string Trimmer::Trim(const std::string& text, Side side) const {
  size_t begin = side == RIGHT ? 0 : First(text, set_);
  size_t end = side == LEFT ? text.size() : Last(text, set_);
  if (begin >= end)
    return "";
  return text.substr(begin, end - begin);
}

Trimmer Trimmer::Digits() { return Trimmer("0123456789"); }

}  // namespace text
