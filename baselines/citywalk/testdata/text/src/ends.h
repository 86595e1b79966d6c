#ifndef ENDS_H_
#define ENDS_H_

#include <string>

namespace text {

// The index of the first character of text that is not in set.
inline size_t First(const std::string& text, const std::string& set) {
  size_t i = 0;
  while (i < text.size() && set.find(text[i]) != std::string::npos)
    i++;
  return i;
}

size_t Last(const std::string& text, const std::string& set);

}  // namespace text

#endif  // ENDS_H_
