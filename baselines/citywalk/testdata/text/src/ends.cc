#include "ends.h"

namespace text {

size_t Last(const std::string& text, const std::string& set) {
  size_t i = text.size();
  while (i > 0 && set.find(text[i - 1]) != std::string::npos)
    i--;
  return i;
}

}  // namespace text
